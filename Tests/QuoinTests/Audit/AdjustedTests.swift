import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct AdjustedTests {
  private static let prices: [(raw: TypedAttribute<Double>, adjusted: TypedAttribute<Double>)] = [
    (.open, .adjustedOpen), (.high, .adjustedHigh), (.low, .adjustedLow), (.close, .adjustedClose),
  ]

  /// 3,000 days of a stock that splits and pays dividends.
  private static func market() -> SoundMarket {
    var market = SoundMarket("B", days: 3000)
    for (row, ratio) in [(800, 2), (1600, 1.5), (2400, 0.1)] where market["B"][.splitRatio][row] == 1 {
      market["B"][.splitRatio][row] = ratio
      for later in row..<3000 { for (raw, _) in prices { market["B"][raw][later] /= ratio } }
    }
    for row in stride(from: 30, to: 3000, by: 63) {
      market["B"][.exDividend][row] = (market["B"][.close][row] * 0.7).rounded() / 100
    }
    market.adjust("B")
    return market
  }

  private static func findings(_ market: SoundMarket) throws -> [String] {
    try market.findings { $0.rules = [.adjusted] }
  }

  @Test func the_recursions_of_both_vendors_contradict_nothing() throws {
    var market = Self.market()
    #expect(market["B"][.exDividend].count { $0 > 0 } > 40)
    #expect(try Self.findings(market).isEmpty)
    var factor = 1.0
    for row in (0..<3000).reversed() {
      for (raw, adjusted) in Self.prices { market["B"][adjusted][row] = market["B"][raw][row] * factor }
      guard row > 0 else { continue }
      factor *= 1 - market["B"][.exDividend][row] / market["B"][.close][row - 1]
      factor /= market["B"][.splitRatio][row]
    }
    #expect(try Self.findings(market).isEmpty)
  }

  /// Prices as vendors round them, down to what is left of a decimal, and as float32 keeps them.
  @Test(arguments: [2, 4, 6, 32]) func rounded_values_contradict_nothing(_ digits: Int) throws {
    var market = Self.market()
    let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
    for row in 0..<3000 {
      for (_, adjusted) in Self.prices {
        let value = market["B"][adjusted][row]
        market["B"][adjusted][row] = digits == 32 ? Double(Float(value)) : (value * scale).rounded() / scale
      }
    }
    #expect(try Self.findings(market).isEmpty)
  }

  @Test func a_cell_that_is_wrong_is_found_once() throws {
    let sound = Self.market()
    let day = sound["B"].days[1000]
    for name in [TypedAttribute<Double>.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose, .adjustedVolume] {
      var market = sound
      let value = SignificantDigits(digits: 10).rounded(market["B"][name][1000])
      market["B"][name][1000] *= 1.001
      let wrong = market["B"][name][1000]
      let found = try Self.findings(market)
      let column = name.name.wikiName
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("B \(day) adjusted \(column)=\(name.name.text(of: wrong)) expected_") == true)
      if name != .adjustedVolume { #expect(found.first?.hasSuffix("expected_\(column)=\(value)") == true) }
    }
  }

  @Test func a_row_that_is_wrong_is_found_once_and_a_factor_that_changes_where_it_begins() throws {
    for rows in [1000..<1001, 1000..<3000] {
      var market = Self.market()
      for row in rows { for (_, adjusted) in Self.prices { market["B"][adjusted][row] *= 1.25 } }
      let found = try Self.findings(market)
      #expect(found.count == 1 && found.first?.hasPrefix("B \(market["B"].days[1000]) adjusted adj_close=") == true)
    }
    // Two factors that are wrong, one after the other.
    var market = Self.market()
    for (_, adjusted) in Self.prices {
      market["B"][adjusted][1000] *= 1.25
      market["B"][adjusted][1001] *= 1.5
    }
    #expect(try Self.findings(market).count == 2)
  }

  @Test func a_dividend_or_split_that_the_factors_do_not_know_is_found() throws {
    let sound = Self.market()
    let day = sound["B"].days[1000]
    for (dividend, ratio, cause) in [(0.5, 1.0, "ex-dividend=0.5"), (0, 2, "split_ratio=2.0")] {
      var market = sound
      market["B"][.exDividend][1000] = dividend
      market["B"][.splitRatio][1000] = ratio
      let found = try Self.findings(market)
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("B \(day) adjusted adj_close=") == true && found.first?.hasSuffix(cause) == true)
      #expect(found.first?.contains("expected_adj_volume=") == (ratio == 2))
    }
    // And one that only the factors know.
    for (name, row) in [(TypedAttribute<Double>.exDividend, 1038), (.splitRatio, 800)] {
      var market = sound
      market["B"][name][row] = name == .splitRatio ? 1 : 0
      let found = try Self.findings(market)
      #expect(found.count == 1 && found.first?.hasPrefix("B \(market["B"].days[row]) adjusted ") == true, "\(name)")
    }
  }

  @Test func what_a_missing_cell_leaves_open_is_not_compared_and_the_rest_is() throws {
    let sound = Self.market()
    // A dividend whose close is missing, and a split or a dividend that is missing.
    for (name, row) in [(TypedAttribute<Double>.close, 1038), (.exDividend, 1038), (.splitRatio, 800)] {
      var market = sound
      market["B"][name][row] = .missing
      #expect(try Self.findings(market).isEmpty, "\(name)")
    }
    // A row without prices between two that contradict each other.
    var market = sound
    for (raw, adjusted) in Self.prices {
      (market["B"][raw][1000], market["B"][adjusted][1000]) = (.missing, .missing)
      for row in 1001..<3000 { market["B"][adjusted][row] *= 2 }
    }
    let found = try Self.findings(market)
    #expect(found.count == 1 && found.first?.hasPrefix("B \(market["B"].days[1001]) adjusted ") == true)
  }

  @Test func files_with_adjusted_closes_alone_are_compared() throws {
    var market = Self.market()
    for name in [TypedAttribute<Double>.adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedVolume] {
      market["B"][name] = Array(repeating: .missing, count: 3000)
    }
    #expect(try Self.findings(market).isEmpty)
    market["B"][.exDividend][1000] = 0.5
    #expect(try Self.findings(market).count == 1)
  }
}
