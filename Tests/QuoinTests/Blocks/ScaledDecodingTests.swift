import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The two products that stand in for a division.
@Suite struct ScaledDecodingTests {
  @Test(arguments: 0..<Reciprocal.all.count)
  func two_products_are_the_rounded_quotient(exponent: Int) {
    var dice = TestSettings.dice("quotients by 10^\(exponent)", stream: UInt64(exponent))
    let (reciprocal, power) = (Reciprocal.all[exponent], powersOfTen[exponent])
    #expect(reciprocal.high.significandWidth <= 20)
    func check(_ n: Int64) {
      let (found, quotient) = (reciprocal.quotient(Double(n)), Double(n) / power)
      if found.bitPattern != quotient.bitPattern { Issue.record("\(n) / 10^\(exponent) = \(quotient), not \(found)") }
    }
    for n in 0..<Int64(TestSettings.isDebug ? 100_000 : 10_000_000) { check(n) }
    for _ in 0..<TestSettings.count(debug: 100_000, release: 20_000_000) {
      let bits = 1 + dice.below(32)
      let n = Int64(dice.next() >> UInt64(64 - bits))
      check(n)
      check(-n)
    }
    for n in 1...1000 { check(Reciprocal.limit - Int64(n)) }
  }

  /// n for which the quotient lies nearest to a midpoint: n 2^k = 1 or -1 modulo 2 * 10^e.
  @Test(arguments: 1..<Reciprocal.all.count)
  func quotients_next_to_a_midpoint_are_rounded_to_the_right_side(exponent: Int) {
    let (reciprocal, power) = (Reciprocal.all[exponent], powersOfTen[exponent])
    var count = 0
    let five = Int64(powersOfTen[exponent]) >> Int64(exponent)
    for k in 22..<80 {
      // The residue of 2^k modulo 5^e has an inverse; n of that residue class come next to a midpoint.
      var residue: Int64 = 1
      for _ in 0..<k { residue = residue * 2 % five }
      for wanted in [1, five - 1] {
        guard let first = (0..<five).first(where: { $0 * residue % five == wanted }) else { continue }
        for multiple in stride(
          from: first, to: Reciprocal.limit, by: Int(max(five, Reciprocal.limit / 2000 / five * five)))
        {
          count += 1
          #expect(reciprocal.quotient(Double(multiple)).bitPattern == (Double(multiple) / power).bitPattern)
        }
      }
    }
    #expect(count > 1000)
  }
}
