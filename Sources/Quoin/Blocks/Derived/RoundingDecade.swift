/// A range of values, from `low` up to `high`, that are rounded in the same way: from one power of ten to the next, or from one
/// power of two to the next if they keep all their digits.
struct RoundingDecade {
  let low: Double
  let high: Double
  /// Values times this are rounded to integers; nil if values stay as they are.
  let scale: Double?
  /// Half a unit in the last digit: how far an unrounded value can lie from the rounded one.
  let halfUnit: Double
  /// A scaled value lies nearer to an integer than this, or the decision is left to `SignificantDigits`: a product that was
  /// rounded on the way to its scale may belong to either side if it lies halfway.
  var distanceEnd = 0.5

  /// The empty range.
  static let none = RoundingDecade(low: .infinity, high: .infinity, scale: nil, halfUnit: 0)
  /// The range of values that are rounded to whole numbers.
  static let whole = RoundingDecade(low: 0, high: 0x1p51, scale: 1, halfUnit: 0.5, distanceEnd: 1)

  @inline(__always)
  func contains(_ value: Double) -> Bool { value >= low && value < high }

  /// Moves to the range of a product, if that is above 0 and finite.
  @inline(__always)
  mutating func follow(_ product: Double, _ digits: SignificantDigits) {
    if product > 0, product < .infinity, !contains(product) { self = digits.decade(of: product) }
  }

  /// A product, rounded; nil if it lies outside, or halfway between two results, where `SignificantDigits` decides.
  @inline(__always)
  func rounded(_ product: Double) -> Double? {
    guard let scale, contains(product) else { return nil }
    let scaled = product * scale
    let nearest = (scaled + 0x1.8p52) - 0x1.8p52
    guard (scaled - nearest).magnitude < distanceEnd else { return nil }
    return scale == 1 ? nearest : nearest / scale
  }

  /// Four products, rounded; nil if one of them lies outside, or halfway between two results.
  @inline(__always)
  func rounded(_ product: SIMD4<Double>) -> SIMD4<Double>? {
    guard let scale else { return nil }
    let scaled = product * scale
    let nearest = (scaled + 0x1.8p52) - 0x1.8p52
    let distance = scaled - nearest
    let isRound = product .>= low .& product .< high .& distance .< distanceEnd .& distance .> -distanceEnd
    guard Double.isAll(isRound) else { return nil }
    // A whole number needs no division, and a few rows are computed in the time of one.
    return scale == 1 ? nearest : nearest / scale
  }
}
