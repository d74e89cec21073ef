import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct GeneratedValuesTests {
  static let quotes = QuoteGeneratorTests.market.quotes

  /// The vendor's recursion as its definition has it, on text: nothing of the generator's own but its raw cells.
  @Test func adjusted_values_follow_the_recursion_bit_for_bit() {
    var wrong = 0
    for quotes in Self.quotes.prefix(12) { wrong += Self.deviations(quotes, price: 1) }
    #expect(wrong == 0)
    #expect(Self.deviations(QuoteGenerator.fedExSample(), price: 81.602653510676 / 87.6) == 0)
  }

  @Test func the_recursion_gives_real_adjusted_values() {
    // WIKI AAPL around its split of 2014-06-09 (1:7) and dividend of 2014-05-08 (3.29), with the factors of 2014-06-10.
    var factors = AdjustmentFactors()
    factors.stepBack(close: 93.7, exDividend: 0, splitRatio: 7)
    #expect(factors.price == 1 / 7.0 && factors.volume == 7)
    factors.stepBack(close: 587.99, exDividend: 3.29, splitRatio: 1)
    #expect(factors.price == 1 / 7.0 * (587.99 / (587.99 + 3.29)) && factors.volume == 7)
    factors.stepBack(close: .nan, exDividend: 1, splitRatio: .nan)
    #expect(factors.volume == 7 && factors.price.isFinite)
  }

  @Test func prices_are_decimals_of_four_places_and_mostly_of_two() {
    var (cellCount, coarseCount) = (0, 0)
    for quotes in Self.quotes {
      for key in [TypedAttribute<Double>.open, .high, .low, .close] {
        for price in quotes[key] where !price.isNaN {
          let tenThousandths = (price * 10_000).rounded()
          #expect(tenThousandths / 10_000 == price && price >= 0.0001 && price <= 400_000)
          cellCount += 1
          if tenThousandths.truncatingRemainder(dividingBy: 100) == 0 { coarseCount += 1 }
        }
      }
    }
    #expect((0.95...0.99).contains(Double(coarseCount) / Double(cellCount)))
  }

  @Test func every_row_is_in_order_of_low_open_close_high() {
    for quotes in Self.quotes {
      let (open, high, low, close) = (quotes[.open], quotes[.high], quotes[.low], quotes[.close])
      #expect(quotes.days.indices.allSatisfy { !(low[$0] > min(open[$0], close[$0])) })
      #expect(quotes.days.indices.allSatisfy { !(high[$0] < max(open[$0], close[$0])) })
    }
  }

  @Test func prices_spread_from_pennies_to_a_quarter_of_a_million() {
    let closes = Self.quotes.flatMap { $0[.close] }.filter { !$0.isNaN }.sorted()
    #expect(closes[closes.count / 100] < 6)
    #expect((20...100).contains(closes[closes.count / 2]))
    #expect((closes.last ?? 0) > 131_072.01, "a price that float32 would spoil")
  }

  @Test func about_one_row_in_a_hundred_has_a_dividend_and_some_have_splits() {
    let dividends = Self.quotes.flatMap { $0[.exDividend].filter { $0 > 0 } }
    let splits = Self.quotes.flatMap { $0[.splitRatio].filter { $0 != 1 && !$0.isNaN } }
    let rowCount = Self.quotes.reduce(0) { $0 + $1.rowCount }
    #expect((0.005...0.015).contains(Double(dividends.count) / Double(rowCount)))
    #expect(dividends.contains { ($0 * 10_000).rounded() / 10_000 != $0 }, "more than four decimals")
    #expect(splits.count > 20 && Set(splits).count >= 4)
    #expect(Self.quotes.allSatisfy { $0[.splitRatio].first == 1 })
  }

  @Test func volumes_are_hundreds_in_older_years_and_whole_shares_later() {
    let rows = Self.quotes.flatMap { zip($0.days, $0[.volume]) }
    #expect(rows.allSatisfy { $0.1 >= 0 && ($0.0 >= "2001-04-09" || $0.1 % 100 == 0) })
    #expect(rows.contains { $0.0 >= "2013-12-09" && $0.1 % 100 != 0 })
  }

  @Test func a_few_cells_are_missing_and_their_adjusted_values_too() {
    var missing = 0
    for quotes in Self.quotes {
      let (open, adjusted) = (quotes[.open], quotes[.adjustedOpen])
      #expect(open.map(\.isNaN) == adjusted.map(\.isNaN))
      missing += open.count { $0.isNaN }
      #expect(!quotes[.volume].contains(.missing) && !quotes[.adjustedVolume].contains(where: \.isMissing))
    }
    #expect((1...30).contains(missing))
  }

  /// How many adjusted cells differ from the recursion that begins with this factor on the last day.
  static func deviations(_ quotes: QuoteColumns, price: Double) -> Int {
    let pairs: [(TypedAttribute<Double>, TypedAttribute<Double>)] = [
      (.open, .adjustedOpen), (.high, .adjustedHigh), (.low, .adjustedLow), (.close, .adjustedClose),
    ]
    var (f, s, wrong) = (price, 1.0, 0)
    for row in quotes.days.indices.reversed() {
      for (raw, adjusted) in pairs where !quotes[raw][row].isNaN {
        if rounded14AsText(quotes[raw][row] * f) != quotes[adjusted][row] { wrong += 1 }
      }
      let shares = rounded14AsText(Double(quotes[.volume][row]) * s).rounded()
      if shares != quotes[.adjustedVolume][row] { wrong += 1 }
      let (close, split) = (quotes[.close][row], quotes[.splitRatio][row])
      if !close.isNaN { f = f * (close / (close + quotes[.exDividend][row])) }
      if !split.isNaN { (f, s) = (f / split, s * split) }
    }
    return wrong
  }
}
