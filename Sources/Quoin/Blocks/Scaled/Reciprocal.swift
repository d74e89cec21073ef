// From the offsets of a scaled block to values.
//
// A float64 is n / 10^e, rounded once. A division takes a long time, and the product with the rounded 1 / 10^e doesn't always
// have the same result. But two products do, for |n| < 2^32 and e <= 5 (Markstein's idea of a reciprocal in two parts):
//
//     1 / 10^e = high + low          high: its first 21 bits; low: the rest, rounded
//     n / 10^e = n * high + n * low
//
// n * high is exact: 32 + 21 bits. |low| is at most 2^-21 of the reciprocal; its rounding and that of n * low are each
// 2^-53 of that, so the sum that the addition rounds is off by at most 2^-73 of the quotient. That matters only if a
// midpoint of two float64 numbers lies in between. A midpoint is m / 2^k with an odd m of 54 bits, and the distance
//
//     | n / 10^e - m / 2^k |  =  | n 2^k - m 10^e | / (2^k 10^e)
//
// is not zero, because m 10^e / 2^k would then need more bits than n has. So it is at least 1 / (2^k 10^e). As m has 54
// bits, 2^k is less than 2^54 10^e / n, and the distance is more than 2^-54 / 10^e of the quotient: for e = 5, 2^-70.7.

/// 1 / 10^e in two parts.
struct Reciprocal: Sendable {
  let high: Double
  let low: Double

  /// The parts for exponents 0 to 5.
  static let all: [Reciprocal] = (0...5).map { Reciprocal(powerOfTen: powersOfTen[$0]) }

  /// Integers below this size can be divided.
  static let limit: Int64 = 1 << 32

  private init(powerOfTen: Double) {
    let ulp = (1 / powerOfTen).ulp * 0x1p32
    high = (1 / powerOfTen / ulp).rounded() * ulp
    // The product and the difference are exact.
    low = (1 - high * powerOfTen) / powerOfTen
  }

  @inline(__always)
  func quotient(_ n: Double) -> Double { n * high + n * low }
}

extension BlockHeader {
  /// The reciprocal by which a scaled block of float64 can be decoded without divisions; nil if it can't.
  var reciprocal: Reciprocal? {
    guard exponent < Reciprocal.all.count, width < 4, integers.lowerBound > -Reciprocal.limit,
      integers.upperBound < Reciprocal.limit
    else { return nil }
    return Reciprocal.all[exponent]
  }
}
