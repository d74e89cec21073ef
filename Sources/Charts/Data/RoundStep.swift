#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Steps between round numbers.
enum RoundStep {
  /// The smallest of 1, 2 and 5 times a power of ten that is at least `least`.
  static func atLeast(_ least: Double) -> Double {
    let exponent = log10(least).rounded(.down)
    for factor in [1.0, 2, 5, 10] {
      let step = exponent < 0 ? factor / pow(10, -exponent) : factor * pow(10, exponent)
      if step >= least * (1 - 1e-9) { return step }
    }
    return least
  }
}
