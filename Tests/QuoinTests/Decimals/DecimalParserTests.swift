import Testing

@testable import Quoin

@Suite struct DecimalParserTests {
  private func double(_ text: String) -> CellValue<Double> { DecimalParser.double(text.utf8) }

  private func volume(_ text: String) -> CellValue<Int64> { DecimalParser.volume(text.utf8) }

  /// The value by the fast way, if it is one.
  private func plain(_ text: String) -> (double: Double?, volume: Int64?) {
    let decimal = PlainDecimal(Array((text + "\n").utf8))
    guard decimal.byteCount == text.utf8.count else { return (nil, nil) }
    return (decimal.double(powersOfTen), decimal.volume)
  }

  private func check(_ text: String) {
    guard let expected = Double(text), expected.isFinite else { return }
    guard case .value(let value) = double(text), value.bitPattern == expected.bitPattern else {
      Issue.record("\(text) was read as \(double(text)), not \(expected)")
      return
    }
    if let fast = plain(text).double { #expect(fast.bitPattern == expected.bitPattern, "\(text) the fast way") }
  }

  @Test func random_decimals_are_rounded_as_the_standard_library_does() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed \(seed)")
    var random = TestGenerator(seed: seed)
    for _ in 0..<100_000 { check(random.decimal()) }
  }

  @Test func shortest_forms_of_random_bits_come_back() {
    var random = TestGenerator(seed: 7)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      if value.isFinite { check("\(value)") }
    }
  }

  @Test(arguments: [
    "9007199254740992", "9007199254740993", "9007199254740994", "9007199254740993.0", "9007199254740992.5",
    "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308",
    "1.7976931348623157e308", "1e22", "1e23", "9007199254740993e-22", "0.1", "-0.0", "-0", "5e-324", "1e-400",
    "0.000000000000000000000000000000000000000000001", "123456789012345678901234567890", "1.", ".5", "-.5e-3",
    "0000000000000000000000001.5", "1.50000000000000000000000000000000000000000000000", "1e0000000000000000000005",
    "8.5e+1", "+3", "1E5", "6.02214076e23", "1.00000000000000011102230246251565404236316680908203125",
  ])
  func edges_are_rounded_correctly(_ text: String) { check(text) }

  @Test(arguments: ["1e400", "-1e309", "1e99999999999999999999", "1.7976931348623159e308"])
  func what_float64_cannot_hold_is_bad(_ text: String) {
    #expect(double(text) == .bad(DecimalParser.tooLarge))
  }

  @Test(arguments: [
    "$1419.85", "129.40K", "4,787,699", "inf", "-inf", "infinity", "1.2.3", "1e", "1e+", "e5", "..", "+", "--1", "1 2",
    "0x10", "1_000", "١", "NaN1", "nul", "+nan",
  ])
  func what_is_no_number_is_bad(_ text: String) {
    #expect(double(text) == .bad(DecimalParser.notANumber))
    #expect(volume(text) == .bad(DecimalParser.notANumber))
  }

  @Test(arguments: ["", "-", "null", "NULL", "NaN", "nan", "NA", "n/a", "N/A", "None"])
  func words_for_nothing_are_missing(_ text: String) {
    #expect(double(text) == .missing)
    #expect(volume(text) == .missing)
  }

  @Test(arguments: [
    ("8381600", 8_381_600), ("8381600.0", 8_381_600), ("3.5e6", 3_500_000), ("0", 0), ("-0.0", 0), ("0e999", 0),
    ("9223372036854775807", Int64.max), ("9223372036854775807.000", .max), ("9.223372036854775807e18", .max),
    ("9007199254740993.0", 9_007_199_254_740_993), ("92233720368547758070e-1", .max), ("0.00e-5", 0), ("12e0", 12),
    ("000000000000000000000000000012", 12), ("1234567890123456789", 1_234_567_890_123_456_789),
  ])
  func volumes_are_exact(_ text: String, _ expected: Int64) {
    #expect(volume(text) == .value(expected))
    if let fast = plain(text).volume { #expect(fast == expected) }
  }

  @Test(arguments: [
    ("9223372036854775808", DecimalParser.tooManyShares), ("1e19", DecimalParser.tooManyShares),
    ("18446744073709551616", DecimalParser.tooManyShares), ("1e999999", DecimalParser.tooManyShares),
    ("99999999999999999999999", DecimalParser.tooManyShares), ("100.5", DecimalParser.notWhole),
    ("1e-1", DecimalParser.notWhole), ("1.00000000000000000000001", DecimalParser.notWhole),
    ("0.00000000000000000000000001", DecimalParser.notWhole), ("-1", DecimalParser.negativeVolume),
    ("-9223372036854775808", DecimalParser.negativeVolume),
  ])
  func volumes_that_are_none_are_bad(_ text: String, _ reason: String) {
    #expect(volume(text) == .bad(reason))
    #expect(plain(text).volume == nil)
  }
}

/// SplitMix64 (Steele, Lea, Flood 2014): small, seeded, the same everywhere.
struct TestGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A decimal of up to 25 digits, halfway cases and far exponents among them.
  mutating func decimal() -> String {
    switch next() % 8 {
    case 0:
      // Halfway between two neighbors with 2^53 < value < 2^54, exactly.
      let halfway: UInt64 = (1 << 53) + 1 + 2 * (next() % (1 << 52))
      return next() % 2 == 0 ? "\(halfway)" : "\(halfway).000"
    case 1: return digits(1, 25) + "e" + "\(Int(next() % 700) - 360)"
    case 2: return digits(1, 17) + "." + digits(1, 3) + "e-\(300 + next() % 30)"
    default: return (next() % 4 == 0 ? "-" : "") + digits(1, 7) + "." + digits(1, 18)
    }
  }

  private mutating func digits(_ low: Int, _ high: Int) -> String {
    let count = low + Int(next() % UInt64(high - low + 1))
    return String((0..<count).map { _ in Character("\(next() % 10)") })
  }
}
