/// A sum of float64 values as one long integer, in units of the smallest denormal number (Kulisch 1971). It takes any values
/// in any order and doesn't round.
struct LongSum: Sendable {
  /// 32 bits each, with room for 2^31 carries.
  private var limbs = [Int64](repeating: 0, count: 68)
  /// The sum of the infinite values alone. If there are any, it is the result.
  private(set) var infinite = 0.0
  private var additionCount = 0

  mutating func add(_ value: Double) {
    guard value.isFinite else {
      infinite += value
      return
    }
    let exponent = Int(value.exponentBitPattern)
    let significand = exponent == 0 ? value.significandBitPattern : value.significandBitPattern | 1 << 52
    let shift = max(exponent, 1) - 1
    var bits = UInt128(significand) << UInt128(shift % 32)
    var limb = shift / 32
    while bits != 0 {
      let part = Int64(truncatingIfNeeded: bits & 0xFFFF_FFFF)
      limbs[limb] += value < 0 ? -part : part
      bits >>= 32
      limb += 1
    }
    noteAdditions(1)
  }

  mutating func add(_ other: LongSum) {
    var other = other
    other.carry()
    for index in limbs.indices { limbs[index] += other.limbs[index] }
    infinite += other.infinite
    noteAdditions(1)
  }

  /// The sum, rounded once.
  var value: Double { mean(of: 1) }

  /// The sum divided by a number of values, 1 or more, rounded once.
  func mean(of count: Int) -> Double {
    if infinite != 0 { return infinite.isNaN ? .missing : infinite }
    var magnitude = self
    magnitude.carry()
    let isNegative = magnitude.limbs[limbs.count - 1] < 0
    if isNegative {
      for index in limbs.indices { magnitude.limbs[index].negate() }
      magnitude.carry()
    }
    let mean = Self.rounded(magnitude.limbs, dividedBy: UInt64(count))
    return isNegative ? -mean : mean
  }

  /// The quotient of limbs that are all between 0 and 2^32.
  private static func rounded(_ limbs: [Int64], dividedBy count: UInt64) -> Double {
    var rest = UInt64(0)
    // Two limbs more, for digits below the unit.
    let quotient = ([0, 0] + limbs).reversed().map { limb in
      let part = rest << 32 | UInt64(limb)
      rest = part % count
      return part / count
    }
    guard let top = quotient.firstIndex(where: { $0 != 0 }) else { return 0 }
    // Four limbs have the 53 bits of the result and at least 44 more. The bits below only break ties.
    let end = min(top + 4, quotient.count)
    var bits = quotient[top..<end].reduce(UInt128(0)) { $0 << 32 | UInt128($1) }
    if rest != 0 || quotient[end...].contains(where: { $0 != 0 }) { bits |= 1 }
    let exponent = 32 * (quotient.count - end - 2) - 1074
    guard end == quotient.count, bits >> 64 < 1 << 53 else {
      return Double(sign: .plus, exponent: exponent, significand: Double(bits))
    }
    // A denormal number has fewer bits: it is a whole number of units.
    let whole = UInt64(bits >> 64)
    let isUp = UInt64(truncatingIfNeeded: bits) > UInt64(1) << 63 - whole % 2
    return Double(sign: .plus, exponent: -1074, significand: Double(isUp ? whole + 1 : whole))
  }

  private mutating func noteAdditions(_ count: Int) {
    additionCount += count
    if additionCount >= 1 << 28 { carry() }
  }

  /// Brings every limb but the last between 0 and 2^32.
  private mutating func carry() {
    for index in limbs.indices.dropLast() {
      let carry = limbs[index] >> 32
      limbs[index] -= carry << 32
      limbs[index + 1] += carry
    }
    additionCount = 0
  }
}
