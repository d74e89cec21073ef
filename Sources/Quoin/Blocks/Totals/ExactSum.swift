/// A sum of float64 values without any rounding, whatever their order, number and size. So equal sets of values have equal
/// sums, however they are divided among blocks and threads.
///
///     sum = high + low + rest
///
/// Two numbers hold some 106 bits, which is enough for millions of prices: the error of each addition is computed (Knuth's
/// two-sum) and added to `low`. A value that they can't hold goes to `rest`, a long integer, which is rare.
struct ExactSum: ValueSum {
  private(set) var high = 0.0
  private(set) var low = 0.0
  private(set) var rest: LongSum?

  init() {}

  /// The sum of two numbers. The second is at most the rounding error of the first.
  init(_ pair: DoublePair) { (high, low) = (pair.high, pair.low) }

  static var none: ExactSum { ExactSum(DoublePair(high: .nan, low: 0)) }
  var isNone: Bool { high.isNaN }

  @inline(__always)
  mutating func add(_ value: Double) {
    let (sum, error) = DoublePair.twoSum(high, value)
    let (newLow, lowError) = DoublePair.twoSum(low, error)
    // The error is NaN beyond the largest number and for infinite values.
    if lowError == 0 { (high, low) = (sum, newLow) } else { addLong(value) }
  }

  mutating func add(_ other: ExactSum) {
    add(other.high)
    add(other.low)
    if let long = other.rest {
      var sum = rest ?? LongSum()
      sum.add(long)
      rest = sum
    }
  }

  /// The sum, rounded once. It is infinite or NaN if there are infinite values, and infinite beyond the largest number.
  var value: Double {
    guard var sum = rest else { return high + low }
    sum.add(high)
    sum.add(low)
    return sum.value
  }

  func mean(of count: Int) -> Double { value / Double(count) }

  @inline(never)
  private mutating func addLong(_ value: Double) {
    var sum = rest ?? LongSum()
    sum.add(value)
    rest = sum
  }
}

extension ExactSum {
  /// The statistics store the rounded sum and its rounding error. If two numbers can't hold the sum, the second is NaN. If
  /// there are infinite values, the first is infinite or NaN and the second is 0.
  var words: BlockSum {
    guard let rest else {
      let (sum, error) = DoublePair.twoSum(high, low)
      return Self.words(sum, error.isFinite ? error : .nan)
    }
    return rest.infinite == 0 ? Self.words(0, .nan) : Self.words(rest.infinite, 0)
  }

  init?(_ words: BlockSum) {
    let (high, low) = (Double(bitPattern: words.first), Double(bitPattern: words.second))
    if low.isNaN { return nil }
    self.init(DoublePair(high: high.isFinite ? high : 0, low: low))
    if !high.isFinite { add(high) }
  }

  private static func words(_ high: Double, _ low: Double) -> BlockSum {
    BlockSum(first: high.canonical.bitPattern, second: low.canonical.bitPattern)
  }
}

/// A number as the unrounded sum of two numbers.
struct DoublePair: Hashable, Sendable, BitwiseCopyable {
  var high: Double
  var low: Double

  /// `a + b` rounded, and the error of the rounding.
  @inline(__always)
  static func twoSum(_ a: Double, _ b: Double) -> (sum: Double, error: Double) {
    let sum = a + b
    let part = sum - a
    return (sum, (a - (sum - part)) + (b - part))
  }
}
