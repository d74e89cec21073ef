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

  /// The sum divided by a number of values, 1 or more, rounded once, as a window's mean is (`CKernels/window_sums.c`).
  func mean(of count: Int) -> Double {
    if rest == nil {
      let (sum, error) = DoublePair.twoSum(high, low)
      let n = Double(count)
      let quotient = sum / n
      let part = (sum.addingProduct(-quotient, n) + error) / n
      let mean = quotient + part
      let (lost, step) = (((quotient - mean) + part).magnitude, mean.ulp)
      let isNearTie = (lost - step / 2).magnitude < step * 0x1p-40 || (lost - step / 4).magnitude < step * 0x1p-40
      if sum == 0 || sum.magnitude > 0x1p-900 && sum.magnitude < 0x1p900 && !isNearTie { return mean }
    }
    var long = rest ?? LongSum()
    long.add(high)
    long.add(low)
    return long.mean(of: count)
  }

  @inline(never)
  private mutating func addLong(_ value: Double) {
    var sum = rest ?? LongSum()
    sum.add(value)
    rest = sum
  }
}

extension ExactSum {
  /// Adds a product without rounding it, as far as its parts aren't too large or too small.
  @inline(__always)
  mutating func add(product x: Double, _ y: Double) {
    let product = x * y
    add(product)
    let error = (-product).addingProduct(x, y)
    if error.isFinite { add(error) }
  }

  /// The sum as two numbers; only the second of them is rounded.
  private var pair: DoublePair {
    guard var long = rest else {
      let (sum, error) = DoublePair.twoSum(high, low)
      return DoublePair(high: sum, low: error)
    }
    long.add(high)
    long.add(low)
    let sum = long.value
    guard sum.isFinite else { return DoublePair(high: sum, low: 0) }
    long.add(-sum)
    return DoublePair(high: sum, low: long.value)
  }

  /// The number of values times the sum of their products, less the product of their sums. The difference of these two large numbers
  /// is taken with twice the digits of a float64.
  static func crossed(_ x: ExactSum, _ y: ExactSum, _ products: ExactSum, _ count: Int) -> Double {
    let (x, y, products, n) = (x.pair, y.pair, products.pair, Double(count))
    let high = n * products.high
    let low = (-high).addingProduct(n, products.high) + n * products.low
    let square = x.high * y.high
    let squareLow = (-square).addingProduct(x.high, y.high) + (x.high * y.low + x.low * y.high)
    let (difference, error) = DoublePair.twoSum(high, -square)
    return difference + (error + (low - squareLow))
  }

  /// The standard deviation of a sample of `count` values, 2 or more, from their sum and that of their squares; missing if it
  /// is beyond the numbers.
  static func deviation(_ sum: ExactSum, _ squares: ExactSum, _ count: Int) -> Double {
    let n = Double(count)
    let variance = crossed(sum, sum, squares, count) / (n * (n - 1))
    return variance.isNaN ? .missing : max(0, variance).squareRoot()
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
