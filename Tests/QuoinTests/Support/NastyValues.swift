@testable import Quoin
@testable import QuoteGenerator

/// The values at which engines break: one table for all tests.
enum NastyValues {
  static let doubles: [Double] =
    signed(
      [
        0, .infinity, .leastNonzeroMagnitude, .leastNonzeroMagnitude * 3, .leastNormalMagnitude,
        (.leastNormalMagnitude as Double).nextDown, .greatestFiniteMagnitude,
        (.greatestFiniteMagnitude as Double).nextDown,
        1, (1.0).nextUp, (1.0).nextDown, 0.1, (0.1).nextUp, 0.01, 0.005, 1e-7, 131072.01, 16_777_217,
        0x1p53 - 1, 0x1p53, 0x1p53 + 2, 0x1p63, 0x1p64, (0x1p53 - 1) / 100, 0x1p53 / 100, 90_071_992_547_409.9,
        1e15, 1e16, 1e22, 1e23, 86.9, 87.7, 85.96, 80.950577512303, 123_456.789012, 0.333333333333, 1.0 / 3,
        21.47483647, 42_949_672.95, 42_949_672.96, 655.35, 655.36, 2.55, 2.56, 167_772.15, 167_772.16,
      ]) + [.nan, -.nan, .signalingNaN, Double(nan: 0x123, signaling: false)]

  static let integers: [Int64] = [
    0, 1, -1, 2, 100, 127, 128, 255, 256, 257, 65_535, 65_536, 65_537, 16_777_215, 16_777_216, 16_777_217,
    4_294_967_295, 4_294_967_296, 4_294_967_297, 1 << 53 - 1, 1 << 53, 1 << 53 + 1, -(1 << 53), 1_373_400,
    .max, .max - 1, .max - 255, .max / 2, .min, .min + 1, .min + 2, .min / 2,
  ]

  static let days: [TradingDay] = [
    .earliest, "0001-01-02", "1582-10-15", "1899-12-31", "1969-12-31", "1970-01-01", "2000-02-29", "2005-10-14",
    "9999-12-30", .latest,
  ]

  /// Row counts around the ends of mask words and blocks.
  static let rowCounts = [1, 2, 63, 64, 65, 1023, 1024]

  private static func signed(_ values: [Double]) -> [Double] { values + values.map { -$0 } }
}

/// A kind of column, and how to make one of any length.
struct ValueShape<Value: BlockValue>: Sendable, CustomStringConvertible {
  let description: String
  let value: @Sendable (_ row: Int, _ dice: inout SeededRandom) -> Value

  init(_ description: String, _ value: @escaping @Sendable (Int, inout SeededRandom) -> Value) {
    self.description = description
    self.value = value
  }

  func values(_ count: Int, _ dice: inout SeededRandom) -> [Value] {
    (0..<count).map { value($0, &dice).canonical }
  }
}

extension ValueShape where Value == Double {
  static let all: [Self] =
    (0...6).map { digits in
      Self("\(digits) decimals") { _, dice in decimal(Double(dice.below(200_000)), digits) }
    } + [
      Self("negative decimals") { _, dice in decimal(Double(dice.below(2000) - 1000), 2) },
      Self("decimals of 1 byte") { _, dice in decimal(Double(8000 + dice.below(256)), 2) },
      Self("decimals of 2 bytes") { _, dice in decimal(Double(8000 + dice.below(65_536)), 2) },
      Self("decimals of 3 bytes") { _, dice in decimal(Double(8000 + dice.below(1 << 24)), 2) },
      Self("decimals of 4 bytes") { _, dice in decimal(Double(8000 + dice.below(1 << 32)), 2) },
      Self("decimals of 5 bytes") { _, dice in decimal(Double(dice.below(1 << 40)), 2) },
      Self("eighths") { _, dice in Double(dice.below(1000)) / 8 },
      Self("14 significant digits") { _, dice in significant(20 + dice.unit() * 80) },
      Self("15 or 16 digits") { _, dice in 10 + dice.unit() },
      Self("one value") { _, _ in 1 },
      Self("one value with patches") { row, dice in
        dice.chance(0.01) ? dice.element(of: NastyValues.doubles) : row % 97 == 96 ? 0.25 : 0
      },
      Self("sparse") { _, dice in dice.chance(0.6) ? .nan : decimal(Double(dice.below(5000)), 2) },
      Self("decimals with missing cells") { _, dice in
        dice.chance(0.05) ? .nan : decimal(Double(dice.below(5000)), 2)
      },
      Self("outliers") { _, dice in dice.chance(0.02) ? 1e12 : decimal(Double(5000 + dice.below(200)), 2) },
      Self("zeros of both signs") { _, dice in dice.chance(0.5) ? 0 : -0.0 },
      Self("decimals and zeros of both signs") { _, dice in
        dice.chance(0.1) ? -0.0 : decimal(Double(dice.below(300) - 150), 2)
      },
      Self("stretches, some of them missing") { row, dice in
        dice.chance(0.01) ? 0.5 : row % 90 < 55 ? .nan : Double(row / 180)
      },
      Self("missing") { _, _ in .nan },
      Self("integers at 2^53") { _, dice in 0x1p53 - Double(dice.below(20)) },
      Self("any bits") { _, dice in Double(bitPattern: dice.next()) },
      Self("nasty") { _, dice in dice.element(of: NastyValues.doubles) },
    ]

  /// Correctly rounded, as a parser would give it.
  private static func decimal(_ n: Double, _ digits: Int) -> Double { n / powersOfTen[digits] }
  private static func significant(_ value: Double) -> Double { (value * 1e12).rounded() / 1e12 }
}

extension ValueShape where Value == Int64 {
  static let all: [Self] = [
    Self("one value") { _, _ in 1_373_400 },
    Self("one value with patches") { _, dice in dice.chance(0.03) ? dice.element(of: NastyValues.integers) : 0 },
    Self("bytes") { _, dice in Int64(dice.below(256)) },
    Self("2 bytes") { _, dice in Int64(dice.below(65_536)) - 300 },
    Self("3 bytes") { _, dice in Int64(dice.below(1 << 24)) },
    Self("4 bytes") { _, dice in Int64(dice.below(1 << 32)) },
    Self("5 bytes") { _, dice in Int64(dice.below(1 << 40)) },
    Self("round lots") { _, dice in Int64(dice.below(100_000)) * 100 },
    Self("steps of 2^33") { _, dice in Int64(dice.below(100)) << 33 },
    Self("with missing cells") { _, dice in dice.chance(0.1) ? .missing : Int64(dice.below(1000)) },
    Self("stretches, some of them missing") { row, dice in
      dice.chance(0.01) ? 7 : row % 90 < 55 ? .missing : Int64(row / 180)
    },
    Self("missing") { _, _ in .missing },
    Self("at the top") { _, dice in .max - Int64(dice.below(200)) },
    Self("at the bottom") { _, dice in .min + 1 + Int64(dice.below(200)) },
    Self("both ends") { _, dice in dice.chance(0.5) ? .max : .min + 1 },
    Self("any bits") { _, dice in Int64(bitPattern: dice.next()) },
    Self("nasty") { _, dice in dice.element(of: NastyValues.integers) },
  ]
}
