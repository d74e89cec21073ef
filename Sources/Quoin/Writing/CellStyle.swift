/// How one format writes single cells.
struct CellStyle: Sendable {
  /// How an infinity is written, which only a program can store: as `inf`, or as a missing cell, because JSON has no such number.
  enum Infinity {
    case plain, missing
  }

  /// Writes a text, which in a column of numbers is a number.
  typealias TextForm = @Sendable (_ text: String, _ kind: ColumnHeading.Kind) -> String

  private let missingText: String
  /// `missingText` as the bytes of a word, the first in the lowest byte.
  private let missingWord: UInt64
  private let infinity: Infinity
  private let writesVolumeAsFloat: Bool
  private let escapesTickers: Bool
  private let textForm: TextForm
  private let powers = powersOfTen

  /// - Parameters:
  ///   - missing: what stands for a missing cell; at most 8 bytes.
  ///   - escapesTickers: whether tickers may have characters that the format has to escape, as it does in texts.
  ///   - writesVolumeAsFloat: whether whole numbers of shares are written as floats, `1373400.0`, up to 2^53. A float can't
  ///     hold all larger ones.
  ///   - text: how a text is written.
  init(
    missing: String = "", infinity: Infinity = .plain, writesVolumeAsFloat: Bool = false,
    escapesTickers: Bool = false, text: @escaping TextForm = { text, _ in text }
  ) {
    precondition(missing.utf8.count <= 8, "'\(missing)' is too long")
    missingText = missing
    missingWord = missing.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    (self.infinity, self.writesVolumeAsFloat) = (infinity, writesVolumeAsFloat)
    (self.escapesTickers, textForm) = (escapesTickers, text)
  }

  static let json = CellStyle(missing: "null", infinity: .missing) { text, kind in
    kind == .number && text.isJSONNumber ? text : text.asJSONString
  }
  static let dataset = CellStyle(missing: "null", infinity: .missing, writesVolumeAsFloat: true)

  /// The columns with texts as this format writes them, which `write` then only copies.
  func formatted(_ columns: [CellColumn], _ headings: [ColumnHeading]) -> [CellColumn] {
    zip(columns, headings).map { column, heading in
      switch column {
      case .texts(let texts): .texts(texts.map { $0.map { textForm($0, heading.kind) } ?? missingText })
      case .tickers(let tickers) where escapesTickers && tickers.runs.contains { isEscaped($0.ticker) }:
        .texts(tickers.map { textForm($0.description, heading.kind) })
      default: column.withWholeShares
      }
    }
  }

  private func isEscaped(_ ticker: TickerSymbol) -> Bool {
    textForm(ticker.description, .word) != ticker.description
  }

  /// Writes the cell of `row` at byte `start` of `out`, and returns its end. It may overwrite
  /// `DecimalFormatter.byteCountMax` bytes, or as many as a text has.
  @inline(__always)
  func write(_ column: CellColumn, row: Int, to out: inout MutableRawSpan, at start: Int) -> Int {
    switch column {
    case .tickers(let tickers): return DecimalFormatter.write(tickers[row], to: &out, at: start)
    case .days(let days): return DecimalFormatter.write(days[row], to: &out, at: start)
    case .doubles(let values): return write(values[row], to: &out, at: start)
    case .shares(let values): return write(shares: values[row], to: &out, at: start)
    case .integers(let values): return write(values[row], to: &out, at: start)
    case .texts(let texts):
      guard let text = texts[row] else { preconditionFailure("the text of row \(row) isn't formatted") }
      return DecimalFormatter.write(text, to: &out, at: start)
    case .absent: return writeMissing(to: &out, at: start)
    }
  }

  // Each path ends with a call or a store, because a column that is alive after the cell's text is retained for each cell.

  @inline(__always)
  private func write(_ value: Double, to out: inout MutableRawSpan, at start: Int) -> Int {
    if value.isFinite { return DecimalFormatter.write(value, powers, to: &out, at: start) }
    if value.isNaN { return writeMissing(to: &out, at: start) }
    return writeInfinity(value, to: &out, at: start)
  }

  @inline(__always)
  private func write(shares value: Double, to out: inout MutableRawSpan, at start: Int) -> Int {
    if value.magnitude < 0x1p63 {  // false for NaN
      let integer = Int64(value)
      if Double(integer).bitPattern == value.bitPattern { return write(integer, to: &out, at: start) }
    }
    return write(value, to: &out, at: start)
  }

  @inline(__always)
  private func write(_ value: Int64, to out: inout MutableRawSpan, at start: Int) -> Int {
    if value.isMissing { return writeMissing(to: &out, at: start) }
    if writesVolumeAsFloat, value.magnitude <= 1 << 53 { return Self.writeAsFloat(value, to: &out, at: start) }
    return DecimalFormatter.write(value, to: &out, at: start)
  }

  @inline(never)
  private static func writeAsFloat(_ value: Int64, to out: inout MutableRawSpan, at start: Int) -> Int {
    let end = DecimalFormatter.write(value, to: &out, at: start)
    out.storeBytes(of: UInt16(0x302e).littleEndian, toByteOffset: end, as: UInt16.self)
    return end &+ 2
  }

  @inline(__always)
  private func writeMissing(to out: inout MutableRawSpan, at start: Int) -> Int {
    out.storeBytes(of: missingWord.littleEndian, toByteOffset: start, as: UInt64.self)
    return start &+ 8 &- missingWord.leadingZeroBitCount / 8
  }

  @inline(never)
  private func writeInfinity(_ value: Double, to out: inout MutableRawSpan, at start: Int) -> Int {
    if infinity == .missing { return writeMissing(to: &out, at: start) }
    return DecimalFormatter.write(value > 0 ? "inf" : "-inf", to: &out, at: start)
  }
}
