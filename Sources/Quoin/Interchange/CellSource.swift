/// Where the cells of one column are read from, for the time of one batch.
@unsafe enum CellSource {
  case tickers(UnsafePointer<TickerSymbol>)
  case days(UnsafePointer<TradingDay>)
  case doubles(UnsafePointer<Double>)
  case integers(UnsafePointer<Int64>)
  /// Every cell is missing.
  case absent
}

/// How cells are written where formats differ.
struct CellStyle: Hashable, Sendable {
  /// What stands for a missing cell; at most 8 bytes.
  var missing = ""
  /// Whether infinities are strings, as JSON has no other way to write them.
  var quotesInfinity = false
  /// Whether a volume is written as a float, `1373400.0`, up to 2^53. Beyond, a float would not hold it.
  var writesVolumeAsFloat = false

  static let plain = CellStyle()
  static let json = CellStyle(missing: "null", quotesInfinity: true)
  static let dataset = CellStyle(missing: "null", quotesInfinity: true, writesVolumeAsFloat: true)
}

/// Writes single cells; a `CellStyle` in the form that is fast to apply.
struct CellWriter {
  // Sound: rows are the batch's, and there are `DecimalFormatter.byteCountMax` free bytes at `out`, as callers make
  // sure.

  private let missing: UInt64
  private let missingByteCount: Int
  private let style: CellStyle

  init(_ style: CellStyle) {
    self.style = style
    precondition(style.missing.utf8.count <= 8, "'\(style.missing)' is too long")
    missing = style.missing.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    missingByteCount = style.missing.utf8.count
  }

  /// Writes the cell of `row` at `out`, where `DecimalFormatter.byteCountMax` bytes are free; returns its end.
  @inline(__always)
  func write(
    _ source: CellSource, row: Int, to out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    switch unsafe source {
    case .tickers(let tickers): return unsafe DecimalFormatter.write(tickers[row], to: out)
    case .days(let days): return unsafe DecimalFormatter.write(days[row], to: out)
    case .doubles(let values):
      let value = unsafe values[row]
      if value.isNaN { return unsafe writeMissing(to: out) }
      if value.isInfinite && style.quotesInfinity { return unsafe writeQuotedInfinity(value, to: out) }
      return unsafe DecimalFormatter.write(value, to: out)
    case .integers(let values):
      let value = unsafe values[row]
      if value.isMissing { return unsafe writeMissing(to: out) }
      let end = unsafe DecimalFormatter.write(value, to: out)
      return unsafe style.writesVolumeAsFloat && value.magnitude <= 1 << 53 ? writePointZero(to: end) : end
    case .absent: return unsafe writeMissing(to: out)
    }
  }

  @inline(__always)
  private func writeMissing(to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe out.storeBytes(of: missing.littleEndian, as: UInt64.self)
    return unsafe out + missingByteCount
  }

  private func writePointZero(to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe out.storeBytes(of: UInt16(0x302e).littleEndian, as: UInt16.self)
    return unsafe out + 2
  }

  private func writeQuotedInfinity(_ value: Double, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe out.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    let end = unsafe DecimalFormatter.write(value, to: out + 1)
    unsafe end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    return unsafe end + 1
  }
}

extension QuoteColumns {
  /// Calls `body` with the sources of these columns' cells, each valid for rows `0..<rowCount` during the call.
  ///
  /// An attribute that is not among `attributes` is absent, and so is the ticker when `tickers` is empty.
  func withCellSources<Result>(
    of columns: [OutputColumn], tickers: [TickerSymbol], _ body: ([CellSource]) throws -> Result
  ) rethrows -> Result {
    precondition(tickers.isEmpty || tickers.count == rowCount, "\(tickers.count) tickers of \(rowCount) rows")
    return try unsafe tickers.withUnsafeBufferPointer { tickers in
      try unsafe days.withUnsafeBufferPointer { days in
        try unsafe withAttributeSources([]) { attributes in
          try unsafe body(
            columns.map { column in
              switch column {
              case .ticker:
                unsafe tickers.isEmpty ? .absent : tickers.baseAddress.map { unsafe .tickers($0) } ?? .absent
              case .date: unsafe days.baseAddress.map { unsafe .days($0) } ?? .absent
              case .attribute(let name): unsafe attributes[Int(name.rawValue)]
              }
            })
        }
      }
    }
  }

  /// Calls `body` with the sources of all attributes by raw value. It holds one array open and calls itself for the
  /// rest, as a pointer into an array is valid only inside its closure.
  private func withAttributeSources<Result>(
    _ found: [CellSource], _ body: ([CellSource]) throws -> Result
  ) rethrows -> Result {
    guard unsafe found.count < AttributeName.allCases.count else { return try unsafe body(found) }
    let name = unsafe AttributeName.allCases[found.count]
    guard attributes.contains(name) else { return try unsafe withAttributeSources(found + [.absent], body) }
    let count = name.isInteger ? integers[name.slot].count : doubles[name.slot].count
    precondition(count == rowCount, "\(count) values of \(name) in \(rowCount) rows")
    if name.isInteger {
      return try unsafe integers[name.slot].withUnsafeBufferPointer { values in
        let source = unsafe values.baseAddress.map { unsafe CellSource.integers($0) } ?? .absent
        return try unsafe withAttributeSources(found + [source], body)
      }
    }
    return try unsafe doubles[name.slot].withUnsafeBufferPointer { values in
      let source = unsafe values.baseAddress.map { unsafe CellSource.doubles($0) } ?? .absent
      return try unsafe withAttributeSources(found + [source], body)
    }
  }
}
