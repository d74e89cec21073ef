/// The unchanging text of a row, between whose pieces cells stand.
///
/// A row is `pieces[0] cell pieces[1] cell ... pieces.last`; quotes around a cell and names before it are in the
/// pieces. A ticker and a date need no escaping in any format: letters, digits, `_` and `-`.
struct RowTemplate {
  private let cells: CellWriter
  /// The pieces one after the other, and where each ends.
  private let pieceBytes: [UInt8]
  private let pieceEnds: [Int]
  /// What stands between two rows.
  private let separator: [UInt8]

  init(pieces: [String], separator: String = "", style: CellStyle) {
    cells = CellWriter(style)
    pieceBytes = pieces.flatMap { Array($0.utf8) }
    var end = 0
    pieceEnds = pieces.map {
      end += $0.utf8.count
      return end
    }
    self.separator = Array(separator.utf8)
  }

  private var cellCount: Int { pieceEnds.count - 1 }

  /// The bytes that must be free to write one row.
  var byteCountMax: Int { separator.count + pieceBytes.count + cellCount * DecimalFormatter.byteCountMax }

  /// A buffer that takes this template's rows.
  func makeBuffer() -> TextBuffer { TextBuffer(byteCapacity: max(1 << 16, 2 * byteCountMax)) }

  /// Writes some rows, the last one first when `isReversed`. `isFirst` says that no row came before; it is updated.
  func write(
    _ columns: [CellColumn], rows: Range<Int>, isReversed: Bool = false, isFirst: inout Bool,
    into buffer: inout TextBuffer, sink: QuoteFormatter.Sink
  ) throws {
    precondition(columns.count == cellCount, "\(columns.count) columns for \(cellCount) cells")
    try unsafe columns.withSources(rowCount: rows.upperBound) { sources in
      try unsafe sources.withUnsafeBufferPointer { sources in
        for index in rows {
          if buffer.freeByteCount < byteCountMax { try buffer.flush(to: sink) }
          var out = unsafe buffer.end
          if !isFirst { unsafe out = copy(separator, 0, separator.count, to: out) }
          isFirst = false
          let row = isReversed ? rows.lowerBound + rows.upperBound - 1 - index : index
          unsafe out = write(sources, row: row, to: out)
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
    for index in 0..<cellCount {
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
