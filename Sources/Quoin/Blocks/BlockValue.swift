/// A value as blocks store it: 64 bits, and for the scaled encoding an integer over a power of ten.
protocol BlockValue: DerivableValue {
  var bits: UInt64 { get }
  init(bits: UInt64)

  /// The value with one bit pattern for every missing cell.
  var canonical: Self { get }

  /// The value that integer `n` stands for at this exponent. Monotone in `n`.
  static func unscaled(_ n: Int64, exponent: Int) -> Self

  /// Writes the values that `count` offsets of a scaled block stand for; there must be room for them.
  static func unscale(
    _ header: BlockHeader, count: Int, into output: UnsafeMutablePointer<Self>, _ offset: (Int) -> UInt32)

  /// Sets the integers that stand for the values at this exponent, to the last bit, and adds the rows of which none does
  /// as exceptions.
  ///
  /// - Returns: the smallest and the largest integer; nil when there is none, or more than `exceptionLimit` exceptions.
  static func scale(
    _ values: UnsafeBufferPointer<Self>, exponent: Int, into column: ScaledColumn, exceptionLimit: Int
  ) -> ClosedRange<Int64>?

  /// The exponents that are worth trying, the likeliest first.
  static var exponents: [Int] { get }

  /// The integers at this exponent whose values lie in `range`; nil when none does.
  static func scaled(_ range: ClosedRange<Self>, exponent: Int) -> ClosedRange<Int64>?

  /// What statistics hold for a block without a value: any value lowers the one and raises the other.
  static var emptyMinimum: Self { get }
  static var emptyMaximum: Self { get }

  /// The extremes of values, with zeros widened.
  static func extremes(_ values: UnsafeBufferPointer<Self>) -> Extremes<Self>

  /// What a sum of values is kept in.
  associatedtype Total: ValueSum where Total.Value == Self
}

extension Double: BlockValue {
  typealias Total = ExactSum

  var bits: UInt64 { bitPattern }
  init(bits: UInt64) { self.init(bitPattern: bits) }
  var canonical: Double { isNaN ? .nan : self }
  static var emptyMinimum: Double { .infinity }
  static var emptyMaximum: Double { -.infinity }

  /// Every real price needs 4 decimals at most, and nearly all need 2; dividends a few more.
  static let exponents = [2, 4, 3, 0, 1, 5, 6]

  /// Integers up to this size are exact in float64, so that `n / 10^e` is one correctly rounded division.
  static let largestScaled = 0x1p53

  @inline(__always)
  static func unscaled(_ n: Int64, exponent: Int) -> Double { Double(n) / powersOfTen[exponent] }

  static func scaled(_ range: ClosedRange<Double>, exponent: Int) -> ClosedRange<Int64>? {
    let power = powersOfTen[exponent]
    let limit = largestScaled
    // An estimate, then single steps until exact: the division rounds, so the product may be one off.
    var lower = Int64((range.lowerBound * power).rounded(.down).clamped(to: -limit...limit))
    while lower > -Int64(limit), unscaled(lower, exponent: exponent) >= range.lowerBound { lower -= 1 }
    while lower < Int64(limit), unscaled(lower, exponent: exponent) < range.lowerBound { lower += 1 }
    var upper = Int64((range.upperBound * power).rounded(.up).clamped(to: -limit...limit))
    while upper < Int64(limit), unscaled(upper, exponent: exponent) <= range.upperBound { upper += 1 }
    while upper > -Int64(limit), unscaled(upper, exponent: exponent) > range.upperBound { upper -= 1 }
    return lower <= upper ? lower...upper : nil
  }

  private func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension Int64: BlockValue {
  typealias Total = Int128

  var bits: UInt64 { UInt64(bitPattern: self) }
  init(bits: UInt64) { self.init(bitPattern: bits) }
  var canonical: Int64 { self }
  static let exponents = [0]
  static var emptyMinimum: Int64 { .max }
  static var emptyMaximum: Int64 { .min }

  @inline(__always)
  static func unscaled(_ n: Int64, exponent: Int) -> Int64 { n }

  static func scaled(_ range: ClosedRange<Int64>, exponent: Int) -> ClosedRange<Int64>? { range }
}
