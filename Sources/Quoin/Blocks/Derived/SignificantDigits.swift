/// Rounding to a number of significant decimal digits, as `printf "%.14g"` does it and as vendors round computed prices.
///
///     e = the decimal exponent of x, k = digits - 1 - e
///     n = the integer nearest to x * 10^k, ties to even
///     the result is n / 10^k, rounded once
///
/// n is below 2^50 and 10^k is exact, so the division has the same result as reading the printed text. The product is rounded.
/// That matters only if it lies halfway between two integers; then one fused multiply-add tells on which side the exact
/// product is. Magnitudes outside 1e-7 ..< 1e14 are not rounded at all: the function predicts values, and values that it
/// doesn't predict become patches.
///
/// With no digits at all, values are rounded to whole numbers, ties to even: volumes.
package struct SignificantDigits: Equatable, Sendable {
  /// The numbers of digits to round to are in `range`. `all` is every digit of a float64, and leaves values as they are.
  static let all = 17
  static let range = 10...15
  /// Rounding to whole numbers. From 2^51 on values are not rounded.
  static let whole = SignificantDigits(digits: 0)

  let digits: Int

  var isWhole: Bool { digits == 0 }

  package init(digits: Int) { self.digits = digits }

  @inline(__always)
  func rounded(_ value: Double) -> Double {
    if isWhole { return value.magnitude < 0x1p51 ? (value + 0x1.8p52) - 0x1.8p52 : value }
    let size = value.magnitude
    guard digits < Self.all, size >= 1e-7, size < 1e14 else { return value }
    let result = roundedInRange(size)
    return value < 0 ? -result : result
  }

  @inline(__always)
  private func roundedInRange(_ size: Double) -> Double {
    guard let scale = scale(of: size).scale else { return size }
    let product = size * scale
    // Adding 1.5 * 2^52 leaves no bit for the fraction, so the addition itself rounds.
    let nearest = (product + 0x1.8p52) - 0x1.8p52
    if (product - nearest).magnitude == 0.5 { return Self.settledTie(size, product, nearest, scale) / scale }
    return nearest / scale
  }

  /// The integer for a rounded product that is a tie. The exact product may lie on either side.
  @inline(never)
  private static func settledTie(_ size: Double, _ product: Double, _ nearest: Double, _ scale: Double) -> Double {
    let residual = (-product).addingProduct(size, scale)
    return residual == 0 ? nearest : residual > 0 ? product + 0.5 : product - 0.5
  }

  /// The decimal exponent of a size from 1e-7 to below 1e14, and the power of ten that moves the digits before the point; nil
  /// if that power is not exact.
  @inline(__always)
  private func scale(of size: Double) -> (exponent: Int, scale: Double?) {
    let exponent = powersOfTen.exponent(of: size)
    let shift = digits - 1 - exponent
    return (exponent, shift >= 0 && shift <= 22 ? powersOfTen[shift] : nil)
  }

  /// How values of the size of `value`, which is above 0 and finite, are rounded.
  func decade(of value: Double) -> RoundingDecade {
    if isWhole { return value < 0x1p51 ? .whole : Self.binade(of: value) }
    guard digits < Self.all, value >= 1e-7, value < 1e14 else { return Self.binade(of: value) }
    let (exponent, scale) = scale(of: value)
    guard let scale else { return Self.binade(of: value) }
    return RoundingDecade(
      low: powersOfTen[exponent], high: powersOfTen[exponent + 1], scale: scale, halfUnit: 0.5 / scale)
  }

  private static func binade(of value: Double) -> RoundingDecade {
    RoundingDecade(low: value.binade, high: value.binade * 2, scale: nil, halfUnit: value.ulp / 2)
  }
}
