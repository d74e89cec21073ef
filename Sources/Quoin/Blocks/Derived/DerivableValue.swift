/// A value that can be computed from another of its kind by a factor.
protocol DerivableValue: AttributeValue {
  /// The value computed from `source`, which is not missing.
  static func derived(from source: Self, by factor: DerivedFactor) -> Self

  /// What a row says of its factor; nil if it says nothing.
  ///
  /// - Parameter decade: that of the last value, because values of neighboring rows mostly lie together.
  static func product(
    from source: Self, to value: Self, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> DerivedProduct?

  /// How many of the rows from `first` on say nothing new of a factor between `lower` and `upper`. The search is quick and
  /// may stop early.
  static func agreeing(
    from first: Int, _ values: UnsafeBufferPointer<Self>, _ source: UnsafeBufferPointer<Self>,
    _ lower: Double, _ upper: Double, _ decade: RoundingDecade
  ) -> Int

  /// Appends the rows of a stretch that the decoder would compute wrongly to `rows`.
  static func appendPatches(
    of stretch: Range<Int>, _ values: UnsafeBufferPointer<Self>, from source: UnsafeBufferPointer<Self>,
    by factor: DerivedFactor, to rows: inout [UInt16])

  /// Writes to `output` the values that `factor` makes of the values `range` of `source`, which may be the same memory.
  ///
  /// - Parameter decade: that of the last value, because values of neighboring rows mostly lie together.
  static func derive(
    _ range: Range<Int>, from source: UnsafeBufferPointer<Self>, into output: UnsafeMutableBufferPointer<Self>,
    by factor: DerivedFactor, _ decade: inout RoundingDecade)

  /// The nearest float64.
  var approximately: Double { get }

  /// How far from `integer`, a scaled source, the first one may lie whose value is that of `integer` or more.
  static func slack(around integer: Double, by factor: DerivedFactor) -> Double

  /// The roundings that are worth trying, the likeliest first.
  static var roundings: [SignificantDigits] { get }
}

extension DerivableValue {
  static func agreeing(
    from first: Int, _ values: UnsafeBufferPointer<Self>, _ source: UnsafeBufferPointer<Self>,
    _ lower: Double, _ upper: Double, _ decade: RoundingDecade
  ) -> Int { 0 }
}

// Whole shares.
extension Int64: DerivableValue {
  static let roundings = [SignificantDigits(digits: 0)]

  @inline(__always)
  static func derived(from source: Int64, by factor: DerivedFactor) -> Int64 {
    // The factor 1 needs no rounding, and mustn't lose digits of volumes beyond 2^53.
    if factor.value == 1 { return source }
    let product = Double(source) * factor.value
    // Beyond that the addition below doesn't round. The map stays monotone, and the row becomes a patch.
    guard product.magnitude < 0x1p51 else { return product > 0 ? .max : .min + 1 }
    return Int64((product + 0x1.8p52) - 0x1.8p52)
  }

  static func slack(around integer: Double, by factor: DerivedFactor) -> Double {
    // From 2^51 on the product isn't rounded but clamped.
    integer.magnitude * factor.value < 0x1p51 ? integer.magnitude * 1e-9 + 1 / factor.value : .infinity
  }

  var approximately: Double { Double(self) }

  @inline(__always)
  static func product(
    from source: Int64, to value: Int64, _ digits: SignificantDigits, _ decade: inout RoundingDecade
  ) -> DerivedProduct? {
    guard source > 0, value > 0 else { return nil }
    return DerivedProduct(source: Double(source), low: Double(value) - 0.5, high: Double(value) + 0.5)
  }
}
