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
  /// How an infinity is written: as `inf`; as a string, for JSON has no such number; or as a missing cell.
  enum Infinity {
    case plain, quoted, missing
  }

  /// What stands for a missing cell; at most 8 bytes.
  var missing = ""
  var infinity = Infinity.plain
  /// Whether a volume is written as a float, `1373400.0`, up to 2^53. Beyond, a float would not hold it.
  var writesVolumeAsFloat = false

  static let plain = CellStyle()
  static let json = CellStyle(missing: "null", infinity: .quoted)
  static let dataset = CellStyle(missing: "null", infinity: .quoted, writesVolumeAsFloat: true)
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
      if value.isInfinite { return unsafe writeInfinity(value, to: out) }
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

  @inline(never)
  private func writeInfinity(_ value: Double, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    switch style.infinity {
    case .plain: unsafe DecimalFormatter.write(value, to: out)
    case .quoted: unsafe writeQuoted(value, to: out)
    case .missing: unsafe writeMissing(to: out)
    }
  }

  private func writeQuoted(_ value: Double, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe out.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    let end = unsafe DecimalFormatter.write(value, to: out + 1)
    unsafe end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
    return unsafe end + 1
  }
}
