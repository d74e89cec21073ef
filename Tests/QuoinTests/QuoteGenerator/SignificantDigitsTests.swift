import Testing

@testable import QuoteGenerator

@Suite struct SignificantDigitsTests {
  @Test func a_million_values_round_as_printf_and_strtod_do() {
    let seed: UInt64 = 14
    var random = SeededRandom(seed: seed)
    var wrong: [Double] = []
    for _ in 0..<250_000 {
      // Any significand, from 1e-12 to 1e18, so that both ends of the fast range are crossed.
      check(Double(bitPattern: UInt64(983 + random.below(100)) << 52 | random.next() >> 12), &wrong)
      // A price times a factor.
      check(Double(random.below(3_000_000_000)) / 10_000 * random.unit(), &wrong)
      // 14 digits and a half: as near to a tie as a double gets, ties among them.
      check((Double(random.below(100_000_000_000_000)) + 0.5) / power(random.below(22)), &wrong)
      // Whole halves and quarters of large numbers are exact ties.
      check(Double(random.below(1 << 53)) / Double(1 << random.below(12)), &wrong)
    }
    #expect(wrong.isEmpty, "seed \(seed): \(wrong.prefix(5))")
  }

  @Test func powers_of_ten_and_their_neighbors_round_as_printf_and_strtod_do() {
    var wrong: [Double] = []
    for exponent in -30...30 {
      let power = exponent < 0 ? 1 / power(-exponent) : power(exponent)
      var (below, above) = (power, power)
      for _ in 0..<200 {
        check(below, &wrong)
        check(above, &wrong)
        check(below - power * 0.5e-14, &wrong)
        check(above + power * 0.5e-13, &wrong)
        (below, above) = (below.nextDown, above.nextUp)
      }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(5))")
  }

  @Test(arguments: [
    0, -0.0, 1, -1, 0.5, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
    99_999_999_999_999.5, 9_999_999_999_999.95, 12_345_678_901_234.5, 12_345_678_901_235.5, 1e14, 1e-8,
    9.9999999999999995,
  ])
  func special_values_round_as_printf_and_strtod_do(_ value: Double) {
    #expect(rounded14(value).bitPattern == rounded14AsText(value).bitPattern)
  }

  @Test func a_missing_value_stays_missing() { #expect(rounded14(.nan).isNaN) }

  /// Exact ties go to the even digit, as glibc and Darwin print them.
  @Test func ties_round_to_even() {
    #expect(rounded14(12_345_678_901_234.5) == 12_345_678_901_234)
    #expect(rounded14(12_345_678_901_235.5) == 12_345_678_901_236)
    #expect(rounded14(1_234_567_890_123.25) == 1_234_567_890_123.2)
  }

  private func check(_ value: Double, _ wrong: inout [Double]) {
    for value in [value, -value] where rounded14(value).bitPattern != rounded14AsText(value).bitPattern {
      wrong.append(value)
    }
  }

  private func power(_ exponent: Int) -> Double { (0..<exponent).reduce(1.0) { power, _ in power * 10 } }
}
