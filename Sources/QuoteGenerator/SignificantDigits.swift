#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

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
  // floor(log10 2^b), one too low at most; exact for the b of this range.
  let binary = Int(size.bitPattern >> 52) - 1023
  var exponent = (binary &* 1233) >> 12
  if size >= powerOfTen(exponent + 1) { exponent += 1 }
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
private func scale(_ exponent: Int) -> Double { powerOfTen(13 - exponent) }

/// The double nearest to 10^exponent, for -10 ... 23; exact for 0 ... 22.
@inline(__always)
private func powerOfTen(_ exponent: Int) -> Double { powersOfTen[exponent + 10] }

private let powersOfTen: [Double] = [
  1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10,
  1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23,
]

/// The definition itself. Sound: the buffer is longer than any `%.14g`, and `vsnprintf` ends the text with a zero.
@inline(never)
func rounded14AsText(_ value: Double) -> Double {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
    guard let start = text.baseAddress else { return value }
    _ = unsafe withVaList([value]) { unsafe vsnprintf(start, text.count, "%.14g", $0) }
    return unsafe strtod(start, nil)
  }
}
