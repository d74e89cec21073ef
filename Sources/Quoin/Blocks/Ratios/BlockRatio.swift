/// A quotient of which a file keeps the extremes in each block: the values of one column, each over that of another, or of its own, some
/// rows before.
///
/// What a block's rows have in common is the day's or the week's move, not the price: of two columns' extremes over four years nothing
/// follows for `close > open * 1.1`, but most blocks have no such day.
struct BlockRatio: Equatable, Sendable {
  let over: Attribute
  let under: Attribute
  /// How many rows before.
  let shift: Int
  /// The name in a column file: `close/open`, `close/close-5`. Part of the format.
  let name: String

  init(over: Attribute, under: Attribute, shift: Int) {
    (self.over, self.under, self.shift) = (over, under, shift)
    name = "\(over.wikiName)/\(under.wikiName)\(shift > 0 ? "-\(shift)" : "")"
  }

  /// Those that are kept, in the order of the file. Questions that they decide in most blocks: moves of a day from open to close, its
  /// range, and what a day and a week of trading bring.
  static let all = [
    BlockRatio(over: .close, under: .open, shift: 0),
    BlockRatio(over: .high, under: .low, shift: 0),
    BlockRatio(over: .close, under: .close, shift: 1),
    BlockRatio(over: .close, under: .close, shift: 5),
    BlockRatio(over: .adjustedClose, under: .adjustedClose, shift: 1),
    BlockRatio(over: .adjustedClose, under: .adjustedClose, shift: 5),
  ]

  /// Bytes of the extremes of one block.
  var byteCount: Int { shift > 0 ? 12 : 4 }

  /// The extremes in a block of these columns.
  func extremes(_ column: (Attribute) -> RatioColumn?) -> RatioExtremes {
    guard let over = column(over), let under = column(under) else { return .unknown }
    return RatioExtremes(over, under, shift: shift)
  }

  /// The extremes in a block of one row.
  func extremes(inRow row: Int, of columns: QuoteColumns) -> RatioExtremes {
    guard case .doubles(let over) = columns[column: over], case .doubles(let under) = columns[column: under] else {
      return .unknown
    }
    return RatioExtremes(over[row], under[row], shift: shift)
  }
}

/// What is known of a ratio in one block, without the block before it. Sound for rows in which both values are there.
struct RatioExtremes: Equatable, Sendable {
  /// Of the quotients less 1, of rows whose other row is in the block too.
  let inside: NarrowInterval
  /// Of the values in the first rows, as many as the shift, and of those that they are divided by in the last.
  let first: NarrowInterval
  let last: NarrowInterval

  /// Nothing is known.
  static let unknown = RatioExtremes(inside: .unknown, first: .unknown, last: .unknown)

  init(inside: NarrowInterval, first: NarrowInterval, last: NarrowInterval) {
    (self.inside, self.first, self.last) = (inside, first, last)
  }

  /// Of the rows of a block. Unknown unless all values are so far above 0 that a quotient tells which of two products is larger.
  init(_ over: RatioColumn, _ under: RatioColumn, shift: Int) {
    precondition(over.count == under.count && shift >= 0, "\(over.count) and \(under.count) rows")
    guard over.isPositive, under.isPositive else {
      self = .unknown
      return
    }
    let edge = min(shift, over.count)
    let quotients = over.quotients(by: under, from: edge)
    inside = NarrowInterval(quotients.low - 1, quotients.high - 1)
    first = over.interval(of: 0..<edge)
    last = under.interval(of: (under.count - edge)..<under.count)
  }

  /// Of one row.
  init(_ over: Double, _ under: Double, shift: Int) {
    let isKnown = RatioColumn.isPositive(over) && RatioColumn.isPositive(under)
    inside = isKnown && shift == 0 ? NarrowInterval(over / under - 1, over / under - 1) : .unknown
    first = isKnown && shift > 0 ? NarrowInterval(over, over) : .unknown
    last = isKnown && shift > 0 ? NarrowInterval(under, under) : .unknown
  }

  /// The least and the largest quotient.
  ///
  /// - Parameter before: the same ratio's extremes in the block before, which has as many rows as the shift; nil at the beginning of a
  ///   ticker, whose first rows have no quotient.
  /// - Returns: nil if that isn't known, or no row has a quotient.
  @inline(__always)
  func bounds(after before: RatioExtremes?) -> (low: Double, high: Double)? {
    guard inside.low <= inside.high else { return nil }
    let (low, high) = (1 + Double(inside.low), 1 + Double(inside.high))
    guard let before else { return (low, high) }
    guard first.low <= first.high, before.last.low <= before.last.high else { return nil }
    return (
      min(low, Double(first.low) / Double(before.last.high)), max(high, Double(first.high) / Double(before.last.low))
    )
  }
}

extension RatioExtremes {
  /// The extremes at an offset, as they are stored.
  @inline(__always)
  init(_ bytes: ByteView, at offset: Int, of ratio: BlockRatio) {
    inside = NarrowInterval(bytes, at: offset)
    (first, last) =
      ratio.shift > 0
      ? (NarrowInterval(bytes, at: offset + 4), NarrowInterval(bytes, at: offset + 8)) : (.unknown, .unknown)
  }

  func append(to bytes: inout [UInt8], of ratio: BlockRatio) {
    bytes.append(littleEndian: inside.bits)
    guard ratio.shift > 0 else { return }
    bytes.append(littleEndian: first.bits)
    bytes.append(littleEndian: last.bits)
  }
}

/// Two bounds, each the upper half of a float32 (a bfloat16), rounded outward. Empty, as NaNs, if nothing is known.
struct NarrowInterval: Equatable, Sendable {
  let lowHalf: UInt16
  let highHalf: UInt16

  /// No number is in it, and every number may be: comparisons with its bounds are all false.
  static let unknown = NarrowInterval(lowHalf: 0x7FC0, highHalf: 0x7FC0)

  init(lowHalf: UInt16, highHalf: UInt16) { (self.lowHalf, self.highHalf) = (lowHalf, highHalf) }

  /// Around two numbers; unknown if these are no numbers, or not in order.
  init(_ low: Double, _ high: Double) {
    self =
      low <= high
      ? NarrowInterval(lowHalf: Self.half(below: low), highHalf: Self.half(below: -high) ^ 0x8000) : .unknown
  }

  @inline(__always)
  init(_ bytes: ByteView, at offset: Int) {
    lowHalf = bytes.integer(at: offset)
    highHalf = bytes.integer(at: offset + 2)
  }

  /// As they are stored.
  var bits: UInt32 { UInt32(lowHalf) | UInt32(highHalf) << 16 }

  var low: Float { Float(bitPattern: UInt32(lowHalf) << 16) }
  var high: Float { Float(bitPattern: UInt32(highHalf) << 16) }

  /// The largest half that isn't above a number.
  private static func half(below number: Double) -> UInt16 {
    var nearest = Float(number)
    if Double(nearest) > number { nearest = nearest.nextDown }
    let half = UInt16(nearest.bitPattern >> 16)
    // What is cut off brings a number nearer to 0.
    return nearest < 0 && nearest.bitPattern & 0xFFFF != 0 ? half + 1 : half
  }
}

/// A column's values in a block, and their extremes.
struct RatioColumn {
  private let values: ColumnBuffer<Double>
  private let rows: Range<Int>
  /// Quotients of numbers in here are finite and above 0.
  private static let bounds = 0x1p-100...0x1p100
  /// Whether all values that are there are finite and above 0, and quotients of them too.
  let isPositive: Bool

  init(_ values: ColumnBuffer<Double>, _ rows: Range<Int>, _ statistics: BlockStatistics<Double>) {
    precondition(rows.upperBound <= values.count, "rows \(rows) of \(values.count)")
    (self.values, self.rows) = (values, rows)
    isPositive = statistics.minimum >= Self.bounds.lowerBound && statistics.maximum <= Self.bounds.upperBound
  }

  /// The same of one value.
  fileprivate static func isPositive(_ value: Double) -> Bool {
    value.isNaN || bounds.contains(value)
  }

  /// A column of one block.
  init(_ values: ColumnBuffer<Double>) {
    self.init(values, 0..<values.count, unsafe values.withUnsafeBufferPointer { unsafe BlockStatistics($0) })
  }

  var count: Int { rows.count }

  /// The extremes of the rows from `row` on, each over the other column's row so many before; not in order if there are none.
  fileprivate func quotients(by other: RatioColumn, from row: Int) -> (low: Double, high: Double) {
    unsafe values.withUnsafeBufferPointer { over in
      unsafe other.values.withUnsafeBufferPointer { under in
        let over = unsafe UnsafeBufferPointer(rebasing: over[rows.dropFirst(row)])
        // Sound: it has as many rows.
        let under = unsafe UnsafeBufferPointer(rebasing: under[other.rows.prefix(over.count)])
        var (low, high) = (SIMD8(repeating: Double.infinity), SIMD8(repeating: -Double.infinity))
        let wholeCount = over.count / 8 * 8
        for row in stride(from: 0, to: wholeCount, by: 8) {
          // Sound: there are 8 values from `row` on. What is missing is neither below nor above anything.
          let x = unsafe UnsafeRawPointer(over.baseAddress! + row).loadUnaligned(as: SIMD8<Double>.self)
          let y = unsafe UnsafeRawPointer(under.baseAddress! + row).loadUnaligned(as: SIMD8<Double>.self)
          let quotient = x / y
          low.replace(with: quotient, where: quotient .< low)
          high.replace(with: quotient, where: quotient .> high)
        }
        var bounds = (low: low.min(), high: high.max())
        for row in wholeCount..<over.count {
          let quotient = unsafe over[row] / under[row]
          if quotient < bounds.low { bounds.low = quotient }
          if quotient > bounds.high { bounds.high = quotient }
        }
        return bounds
      }
    }
  }

  fileprivate func interval(of part: Range<Int>) -> NarrowInterval {
    var (low, high) = (Double.infinity, -Double.infinity)
    values.withSpan { values in
      for row in part {
        let value = values[rows.lowerBound + row]
        if value < low { low = value }
        if value > high { high = value }
      }
    }
    return NarrowInterval(low, high)
  }
}
