/// A value that can be an integer over a power of ten.
protocol ScalableValue: AttributeValue {
  /// The value of integer `n` at this exponent. Monotone in `n`.
  static func unscaled(_ n: Int64, exponent: Int) -> Self

  /// Writes the values of `count` offsets of a scaled block. There must be room for them.
  static func unscale(
    _ header: BlockHeader, count: Int, into output: UnsafeMutablePointer<Self>, _ offset: (Int) -> UInt32)

  /// Writes the values of all rows of a scaled block, whose payload this is.
  static func unscale(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Self>)

  /// Sets the integers that express the values at this exponent to the last bit, and adds the other rows as patches.
  ///
  /// - Returns: the smallest and the largest integer; nil if there is none, or if there are more than `patchLimit` patches.
  static func scale(
    _ values: UnsafeBufferPointer<Self>, exponent: Int, into column: ScaledColumn, patchLimit: Int
  ) -> ClosedRange<Int64>?

  /// The exponents that are worth trying, the most likely first.
  static var exponents: [Int] { get }

  /// The same for these values.
  static func exponents(of values: UnsafeBufferPointer<Self>) -> [Int]

  /// The integers at this exponent whose values lie in `range`; nil if there are none.
  static func scaled(_ range: ClosedRange<Self>, exponent: Int) -> ClosedRange<Int64>?
}

extension Double: ScalableValue {
  /// Every real price needs 4 decimals at most, and nearly all need 2; dividends a few more.
  static let exponents = [2, 4, 3, 0, 1, 5, 6]
  private static let exponentsOfWhole = [0, 2, 4, 3, 1, 5, 6]

  /// Whole numbers, such as volumes, are tried as such. Three values tell.
  static func exponents(of values: UnsafeBufferPointer<Double>) -> [Int] {
    let probe = [0, values.count / 2, values.count - 1]
    // Sound: there is at least one value.
    return probe.allSatisfy { unsafe SignificantDigits.whole.rounded(values[$0]) == values[$0] }
      ? exponentsOfWhole : exponents
  }

  /// Integers up to this size are exact in float64, so `n / 10^e` is one correctly rounded division.
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
    // A range beyond all integers has stopped the steps at the last one.
    guard lower <= upper, unscaled(lower, exponent: exponent) >= range.lowerBound,
      unscaled(upper, exponent: exponent) <= range.upperBound
    else { return nil }
    return lower...upper
  }

  private func clamped(to range: ClosedRange<Double>) -> Double {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}

extension Int64: ScalableValue {
  static let exponents = [0]
  static func exponents(of values: UnsafeBufferPointer<Int64>) -> [Int] { exponents }

  @inline(__always)
  static func unscaled(_ n: Int64, exponent: Int) -> Int64 { n }

  static func scaled(_ range: ClosedRange<Int64>, exponent: Int) -> ClosedRange<Int64>? { range }
}
