import Quoin

// round14(x) = strtod(printf "%.14g" of x), which is how the vendor's adjusted values were rounded.
//
//   e = the decimal exponent of x, k = 13 - e
//   n = the integer nearest to x * 10^k, ties to even       10^13 <= n <= 10^14
//   the result is n / 10^k, rounded once
//
// n is below 2^53 and 10^k is exact for k <= 22, so the division is what strtod would answer. The product p = x * 10^k
// is rounded, which matters only where it lies exactly between two integers: everywhere else p is further from a tie
// than its own rounding error. There the sign of the product's residual, by one fused multiply-add, decides. So no
// result is a guess; only magnitudes outside 1e-8 ..< 1e14 go through text.
//
// e comes from comparing x with the doubles nearest to powers of ten. Only such a double itself can lie on the wrong
// side of the true power, and it rounds to that power with either e.

/// `value` rounded to 14 significant decimal digits, the exact value's ties to even: what `%.14g` prints, read back.
///
/// Complexity: O(1), without text for 0 and magnitudes in 1e-8 ..< 1e14.
@inline(__always)
func rounded14(_ value: Double) -> Double {
  let size = value.magnitude
  guard size >= 1e-8, size < 1e14 else { return value == 0 ? value : rounded14AsText(value) }
  let result = rounded14InRange(size)
  return value < 0 ? -result : result
}

@inline(__always)
private func rounded14InRange(_ size: Double) -> Double {
  let exponent = powersOfTen.exponent(of: size)
  let product = size * scale(exponent)
  let digits = nearestInteger(product)
  if (product - digits).magnitude == 0.5 { return settledTie(size, product, scale(exponent)) / scale(exponent) }
  return digits / scale(exponent)
}

/// The 14 digits where the rounded product is a tie: the exact one may lie on either side.
@inline(never)
private func settledTie(_ size: Double, _ product: Double, _ scale: Double) -> Double {
  let residual = (-product).addingProduct(size, scale)
  if residual == 0 { return nearestInteger(product) }
  return residual > 0 ? product + 0.5 : product - 0.5
}

/// 10^13 / 10^exponent, exact for exponents -9 ... 13.
@inline(__always)
private func scale(_ exponent: Int) -> Double { powersOfTen[13 - exponent] }

/// The definition itself.
@inline(never)
func rounded14AsText(_ value: Double) -> Double { SignificantDigits(digits: 14).nearestAsText(to: value) }
