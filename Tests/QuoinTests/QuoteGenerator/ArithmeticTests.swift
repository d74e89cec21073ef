import Testing

@testable import QuoteGenerator

@Suite struct ArithmeticTests {
  @Test func the_exponential_has_fourteen_digits() {
    let known: [(Double, Double)] = [
      (0, 1), (1, 2.718281828459045), (-1, 0.36787944117144233), (10, 22026.465794806718),
      (-8.5, 0.00020346836901064417),
      (0.1, 1.1051709180756477), (0.34, 1.4049475905635938),
    ]
    for (x, expected) in known { #expect((exponential(x) / expected - 1).magnitude < 1e-14, "exp(\(x))") }
  }

  @Test(arguments: [Double.infinity, -.infinity, 1e300, -1e300])
  func the_exponential_of_the_absurd_is_finite(_ x: Double) { #expect(exponential(x).isFinite) }

  @Test func the_nearest_integer_of_a_tie_is_even() {
    #expect([0.5, 1.5, 2.5, -0.5, 2.4999].map(nearestInteger) == [0, 2, 2, 0, 2])
  }

  /// Expected: an implementation in another language, from the authors' description.
  @Test func random_numbers_are_those_of_xoshiro256starstar() {
    var random = SeededRandom(seed: 1, stream: 7)
    let expected: [UInt64] = [0x488E_2D95_248B_5F7B, 0x7761_FD34_1DBD_4F88, 0x40F8_F25E_0C08_3FA4]
    #expect((0..<3).map { _ in random.next() } == expected)
    var other = SeededRandom(seed: 1, stream: 8)
    #expect(other.next() != expected[0])
  }

  @Test func normal_numbers_have_mean_0_and_variance_1() {
    var random = SeededRandom(seed: 5)
    let numbers = (0..<100_000).map { _ in random.normal() }
    let mean = numbers.reduce(0, +) / 100_000
    let variance = numbers.reduce(0) { $0 + $1 * $1 } / 100_000
    #expect(mean.magnitude < 0.015 && (variance - 1).magnitude < 0.02)
  }
}
