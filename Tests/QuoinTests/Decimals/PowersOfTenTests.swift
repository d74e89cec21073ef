import Testing

@testable import Quoin

@Suite struct PowersOfTenTests {
  @Test func each_power_is_the_nearest_float64() throws {
    for power in -22...22 {
      let literal = try #require(Double("1e\(power)"))
      #expect(powersOfTen[power] == literal && powersOfTen.double(power) == literal)
    }
    for power in 0...19 { #expect("\(powersOfTen.integer(power))" == "1" + String(repeating: "0", count: power)) }
    #expect(powersOfTen.exactCount == 23)
  }

  @Test func the_exponent_is_that_of_the_first_digit() {
    for power in -8...21 {
      let ten = powersOfTen[power]
      #expect(powersOfTen.exponent(of: ten) == power)
      #expect(powersOfTen.exponent(of: ten.nextUp) == power)
      #expect(powersOfTen.exponent(of: ten.nextDown) == power - 1)
      for factor in [1.1, 2, 4, 5, 7.9, 8, 9.99] { #expect(powersOfTen.exponent(of: ten * factor) == power) }
    }
  }
}
