/// The one table of powers of ten.
package let powersOfTen = PowersOfTen()

/// The float64s nearest to 10^-22 ... 10^22, of which those from 1 up are exact, and 10^0 ... 10^19 as 64-bit integers.
///
/// A loop takes the table as a value first: each use of the global asks whether it was made.
@safe package struct PowersOfTen: @unchecked Sendable {
  // Sound to share: the tables are made once, and neither written again nor freed. `subscript` checks its index. `double`
  // and `integer` are for loops whose callers keep to the ranges; debug builds check them.
  private let doubles: UnsafeMutablePointer<Double>
  private let integers: UnsafeMutablePointer<UInt64>

  fileprivate init() {
    let doubles = UnsafeMutablePointer<Double>.allocate(capacity: 45)
    unsafe self.doubles = unsafe doubles + 22
    unsafe integers = .allocate(capacity: 20)
    var (double, integer): (Double, UInt64) = (1, 1)
    for power in 0..<23 {
      unsafe (self.doubles + power).initialize(to: double)
      // Both are exact, so the division gives the float64 nearest to the quotient.
      if power > 0 { unsafe (self.doubles - power).initialize(to: 1 / double) }
      double *= 10
      if power < 20 {
        unsafe (integers + power).initialize(to: integer)
        integer = integer &* 10
      }
    }
  }

  /// How many powers from 10^0 on are exact in float64.
  var exactCount: Int { 23 }

  /// 10^power, for -22...22.
  @inline(__always) package subscript(power: Int) -> Double {
    precondition(power >= -22 && power <= 22)
    return unsafe doubles[power]
  }

  /// 10^power, for -22...22, unchecked.
  @inline(__always) func double(_ power: Int) -> Double {
    assert(power >= -22 && power <= 22)
    return unsafe doubles[power]
  }

  /// 10^power, for 0...19, unchecked.
  @inline(__always) func integer(_ power: Int) -> UInt64 {
    assert(power >= 0 && power <= 19)
    return unsafe integers[power]
  }

  /// The largest k with 10^k <= value, for values from 1e-9 to below 1e22.
  ///
  /// The binary exponent times log10(2), as 1233 / 4096, is right or one too small; one comparison tells which. Below 1
  /// the comparison is with the float64 nearest to a power, so the result can be wrong, by one, only for this float64 itself.
  @inline(__always) package func exponent(of value: Double) -> Int {
    let estimate = ((Int(value.bitPattern >> 52) &- 1023) &* 1233) >> 12
    return value >= self[estimate + 1] ? estimate + 1 : estimate
  }
}
