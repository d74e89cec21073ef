import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Rounding to significant digits at any magnitude is what `printf` prints, read back.
@Suite struct NearestDigitsTests {
  private static let digits = SignificantDigits(digits: 14)

  @Test func random_numbers_of_every_size_round_as_printf_does() {
    var random = TestSettings.dice("random_numbers_of_every_size_round_as_printf_does")
    for _ in 0..<TestSettings.count(debug: 20_000, release: 500_000) {
      let any = Double(bitPattern: random.next())
      let near = Double(bitPattern: UInt64(983 + random.below(100)) << 52 | random.next() >> 12)
      let tie = (Double(random.below(100_000_000_000_000)) + 0.5) / Double(1 << random.below(40))
      for value in [any, -any, near, -near, tie] where value.isFinite {
        #expect(
          Self.digits.nearest(to: value).bitPattern == Self.digits.nearestAsText(to: value).bitPattern, "\(value)")
      }
    }
  }

  @Test(arguments: [
    0, -0.0, 1e-7, 1e14, (1e-7).nextDown, (1e14).nextDown, (1e14).nextUp, .leastNonzeroMagnitude,
    .greatestFiniteMagnitude, .infinity, -.infinity,
  ])
  func special_numbers_round_as_printf_does(_ value: Double) {
    #expect(Self.digits.nearest(to: value).bitPattern == Self.digits.nearestAsText(to: value).bitPattern)
  }

  @Test func a_missing_value_stays_missing() { #expect(Self.digits.nearest(to: .nan).isNaN) }
}
