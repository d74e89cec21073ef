/// The unchanging text of a row, and the columns whose cells stand between its pieces.
///
/// A row is `pieces[0] cell pieces[1] cell ... pieces.last`; quotes around a cell and names before it are in the
/// pieces. A ticker and a date need no escaping in any format: letters, digits, `_` and `-`.
struct RowTemplate {
  let columns: [OutputColumn]
  private let cells: CellWriter
  /// The pieces one after the other, and where each ends.
  private let pieceBytes: [UInt8]
  private let pieceEnds: [Int]
  /// What stands between two rows.
  private let separator: [UInt8]

  init(_ columns: [OutputColumn], pieces: [String], separator: String = "", style: CellStyle) {
    precondition(pieces.count == columns.count + 1, "\(pieces.count) pieces around \(columns.count) cells")
    self.columns = columns
    cells = CellWriter(style)
    pieceBytes = pieces.flatMap { Array($0.utf8) }
    var end = 0
    pieceEnds = pieces.map {
      end += $0.utf8.count
      return end
    }
    self.separator = Array(separator.utf8)
  }

  /// The bytes that must be free to write one row.
  var byteCountMax: Int { separator.count + pieceBytes.count + columns.count * DecimalFormatter.byteCountMax }

  /// A buffer that takes this template's rows.
  func makeBuffer() -> TextBuffer { TextBuffer(byteCapacity: max(1 << 16, 2 * byteCountMax)) }

  /// Writes all rows, in descending order when `isReversed`. `isFirst` says that no row came before; it is updated.
  func write(
    _ rows: QuoteColumns, tickers: [TickerSymbol], isReversed: Bool = false, isFirst: inout Bool,
    into buffer: inout TextBuffer, sink: QuoteFormatter.Sink
  ) throws {
    let count = rows.rowCount
    try unsafe rows.withCellSources(of: columns, tickers: tickers) { sources in
      try unsafe sources.withUnsafeBufferPointer { sources in
        for index in 0..<count {
          if buffer.freeByteCount < byteCountMax { try buffer.flush(to: sink) }
          var out = unsafe buffer.end
          if !isFirst { unsafe out = copy(separator, 0, separator.count, to: out) }
          isFirst = false
          unsafe out = write(sources, row: isReversed ? count - 1 - index : index, to: out)
          unsafe buffer.advance(to: out)
        }
      }
    }
  }

  @inline(__always)
  private func write(
    _ sources: UnsafeBufferPointer<CellSource>, row: Int, to start: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var out = unsafe start
    var pieceStart = 0
    for index in 0..<columns.count {
      unsafe out = copy(pieceBytes, pieceStart, pieceEnds[index], to: out)
      pieceStart = pieceEnds[index]
      unsafe out = cells.write(sources[index], row: row, to: out)
    }
    return unsafe copy(pieceBytes, pieceStart, pieceBytes.count, to: out)
  }

  @inline(__always)
  private func copy(
    _ bytes: [UInt8], _ start: Int, _ end: Int, to out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    // Sound: the writer has made room for a row: its pieces and its longest cells.
    if end - start == 1 {
      unsafe out.storeBytes(of: bytes[start], as: UInt8.self)
      return unsafe out + 1
    }
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe UnsafeMutableRawBufferPointer(start: out, count: end - start).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    }
    return unsafe out + (end - start)
  }
}
