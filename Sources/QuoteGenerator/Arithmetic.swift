/// The whole number nearest to `value` (ties to even), for magnitudes below 2^51.
///
/// Adding 1.5 * 2^52 leaves no bit for the fraction, so the addition itself rounds. `rounded()` is a call into libm at
/// the x86-64 baseline.
@inline(__always)
func nearestInteger(_ value: Double) -> Double { (value + 0x1.8p52) - 0x1.8p52 }

/// e to the power `x`, to about 14 digits, clamped to what 2^-1000 ... 2^1000 spans.
///
/// Written with +, * and bit patterns only, so that generated quotes do not depend on the platform's libm.
@inline(__always)
func exponential(_ x: Double) -> Double {
  let power = nearestInteger(min(max(x * 1.4426950408889634, -1000), 1000))
  let rest = min(max(x - power * 0.6931471805599453, -1), 1)
  // 1 + r + r^2/2! + ... + r^11/11!, |r| <= 0.35, by Horner's rule.
  var sum = 1 / 39_916_800.0
  sum = sum * rest + 1 / 3_628_800.0
  sum = sum * rest + 1 / 362_880.0
  sum = sum * rest + 1 / 40_320.0
  sum = sum * rest + 1 / 5_040.0
  sum = sum * rest + 1 / 720.0
  sum = sum * rest + 1 / 120.0
  sum = sum * rest + 1 / 24.0
  sum = sum * rest + 1 / 6.0
  sum = sum * rest + 0.5
  sum = sum * rest + 1
  sum = sum * rest + 1
  return sum * Double(bitPattern: UInt64(Int(power) + 1023) << 52)
}
