import Testing

@testable import Quoin

@Suite struct DecimalFormatterTests {
  private static let seed: UInt64 = 20_051_014

  /// Random doubles, a kind at a time; each must be written as Swift's own search for the shortest decimal writes it.
  @Test(arguments: Kind.allCases)
  func a_double_is_written_as_its_description(_ kind: Kind) {
    var random = SplitMix(state: Self.seed &+ UInt64(kind.rawValue))
    var differences: [String] = []
    for _ in 0..<kind.count {
      let value = kind.value(from: &random)
      for value in [value, -value] where text(value) != value.description {
        differences.append("\(value.description) written as \(text(value))")
      }
    }
    #expect(differences.isEmpty, "seed \(Self.seed): \(differences.prefix(5))")
  }

  enum Kind: Int, CaseIterable {
    case bits, decimals, cents, adjusted, sixteenDigits, denormals, neighborsOfPowers

    var count: Int { self == .cents || self == .adjusted || self == .decimals ? 200_000 : 100_000 }

    func value(from random: inout SplitMix) -> Double {
      switch self {
      case .bits: return Double(bitPattern: random.next())
      case .decimals:
        let digits =
          Int64(random.next() % 1_000_000_000_000_000) / Int64(powers[Int.random(in: 0...14, using: &random)])
        return Double(digits) / powers[Int.random(in: 0...6, using: &random)]
      case .cents: return Double(random.next() % 100_000_000) / 100
      case .adjusted:
        let digits = 10_000_000_000_000 + random.next() % 90_000_000_000_000
        return Double(digits) / powers[Int.random(in: 8...17, using: &random)]
      case .sixteenDigits:
        return Double(random.next() % 10_000_000_000_000_000) / powers[Int.random(in: 0...16, using: &random)]
      case .denormals: return Double(bitPattern: random.next() >> 12)
      case .neighborsOfPowers:
        let power = powers[Int.random(in: 0...17, using: &random)]
        let value = Bool.random(using: &random) ? power : 1 / power
        return Double(bitPattern: value.bitPattern &- 4 &+ random.next() % 9)
      }
    }
  }

  @Test(arguments: [
    0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    .ulpOfOne, 1e-4, 1e-5, 0.0001.nextDown, 1e15, 1e15.nextDown, 1e16, 1e12, 1e12.nextUp, 0.1 + 0.2,
    999_999_999_999_999,
    99_999_999_999_999.9, 9_007_199_254_740_992, 86.9, 80.950577512303, 0.26332632202, 100, 5e-05,
  ])
  func a_special_double_is_written_as_its_description(_ value: Double) {
    #expect(text(value) == value.description)
  }

  @Test func an_integer_is_written_as_its_digits() {
    var random = SplitMix(state: Self.seed)
    var values: [Int64] = [0, 1, -1, .max, .min, .min + 1, 99_999_999, 100_000_000, 9_999_999_999_999_999]
    for shift in 0..<64 { values += (0..<500).map { _ in Int64(bitPattern: random.next()) >> Int64(shift) } }
    let differing = values.filter {
      text($0) != $0.description
    }
    #expect(differing.isEmpty, "seed \(Self.seed)")
  }

  @Test func every_four_digits_are_cut_rightly() {
    let wrong = (0...9999).filter { number in
      let digits = DecimalFormatter.eightDigits(UInt64(number * 10_000 + (9999 - number)))
      let text = String("\(100_000_000 + number * 10_000 + (9999 - number))".dropFirst())
      let cut = (0..<8).map { "\(UInt8(truncatingIfNeeded: digits >> UInt64(8 * $0)))" }.joined()
      return cut != text
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: ["0001-01-01", "1969-12-31", "2000-02-29", "2005-10-14", "9999-12-31"] as [TradingDay])
  func a_day_is_written_as_its_description(_ day: TradingDay) {
    #expect(text(day) == day.description)
  }

  @Test(arguments: (1...32).map { TickerSymbol(stringLiteral: String("A.B-C_D^E=FGHIJKLMNOPQRSTUVWXYZ01".prefix($0))) })
  func a_ticker_is_written_as_its_description(_ ticker: TickerSymbol) {
    #expect(text(ticker) == ticker.description)
  }

  private func text(_ value: Double) -> String {
    written { DecimalFormatter.write(value, powersOfTen, to: &$0, at: $1) }
  }
  private func text(_ value: Int64) -> String { written { DecimalFormatter.write(value, to: &$0, at: $1) } }
  private func text(_ day: TradingDay) -> String { written { DecimalFormatter.write(day, to: &$0, at: $1) } }
  private func text(_ ticker: TickerSymbol) -> String { written { DecimalFormatter.write(ticker, to: &$0, at: $1) } }

  /// What `write` writes, given no more than the promised bytes: it would trap if it wrote past them.
  private func written(_ write: (inout MutableRawSpan, Int) -> Int) -> String {
    var text = GrowingText(byteCapacity: DecimalFormatter.byteCountMax)
    text.append(upTo: DecimalFormatter.byteCountMax, write)
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

private let powers: [Double] = [
  1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
]

/// A small repeatable generator (Steele, Lea and Flood's SplitMix64).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return mixed ^ mixed >> 31
  }
}
