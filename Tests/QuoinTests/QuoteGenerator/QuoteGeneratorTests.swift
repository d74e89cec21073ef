import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct QuoteGeneratorTests {
  /// One market for all tests: 60 tickers of 4,000 rows on average.
  static let market = Market(tickerCount: 60, rowCount: 240_000, seed: 7)

  @Test(arguments: [(1, 1), (1, 14_156), (10, 10), (3, 42_468), (500, 1_000_003), (3_199, 15_400_000)])
  func row_counts_add_up_exactly(_ tickerCount: Int, _ rowCount: Int) throws {
    let generator = try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: 3)
    #expect(generator.tickers.count == tickerCount && generator.rowCounts.count == tickerCount)
    #expect(generator.rowCounts.reduce(0, +) == rowCount)
    #expect(generator.rowCounts.allSatisfy { (1...ExchangeCalendar.wiki.count).contains($0) })
  }

  @Test func row_counts_are_spread_as_in_the_real_table() throws {
    let counts = try QuoteGenerator(tickerCount: 3_199, rowCount: 15_389_314, seed: 1).rowCounts.sorted()
    #expect(counts[0] < 60 && counts[320] < 1_500 && counts[1_600] > 3_000 && counts[3_198] > 12_000)
  }

  @Test(arguments: [(-1, 0), (1, 0), (1, 14_157), (0, 1), (1_000_001, 2_000_000), (.max, .max), (2, .min)])
  func impossible_counts_are_refused(_ tickerCount: Int, _ rowCount: Int) {
    #expect(throws: QuoteGeneratorError.self) {
      try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: 1)
    }
  }

  @Test func tickers_are_different_and_ascending() throws {
    let tickers = try QuoteGenerator(tickerCount: 20_000, rowCount: 20_000, seed: 9).tickers
    #expect(zip(tickers, tickers.dropFirst()).allSatisfy { $0 < $1 })
    #expect(tickers.contains("FDX") && tickers.contains("BRK_A"))
  }

  @Test func every_ticker_has_its_rows_on_ascending_days_of_the_calendar() {
    let calendar = Set(ExchangeCalendar.wiki)
    for (index, quotes) in Self.market.quotes.enumerated() {
      #expect(quotes.rowCount == Self.market.generator.rowCounts[index])
      #expect(quotes.isStrictlyAscending && quotes.days.allSatisfy(calendar.contains))
      for key in TypedAttribute<Double>.all { #expect(quotes[key].count == quotes.rowCount) }
      for key in TypedAttribute<Int64>.all { #expect(quotes[key].count == quotes.rowCount) }
    }
    let isOnLastDay = Self.market.quotes.map { $0.days.last == "2018-03-27" }
    #expect(isOnLastDay.contains(false) && isOnLastDay.count { $0 } > 40)
  }

  @Test func the_same_seed_gives_the_same_bits_in_any_order() throws {
    let again = try QuoteGenerator(tickerCount: 60, rowCount: 240_000, seed: 7)
    for index in [59, 0, 17] {
      #expect(checksum(again.quotes(at: index)) == checksum(Self.market.quotes[index]))
    }
    let other = try QuoteGenerator(tickerCount: 60, rowCount: 240_000, seed: 8)
    #expect(checksum(other.quotes(at: 0)) != checksum(Self.market.quotes[0]))
  }

  /// A change here means that every generated store and every documented count changes.
  @Test func the_bits_are_those_of_the_first_version() {
    #expect(Self.market.generator.tickers.prefix(3).map(\.description) == ["AAPL", "AMZN", "AXP"])
    #expect(checksum(Self.market.quotes[0]) == 5_707_297_636_934_253_387)
    #expect(checksum(Self.market.quotes[59]) == 13_189_423_190_074_444_406)
  }

  @Test func a_history_ends_on_the_day_or_the_trading_day_before() {
    let history = QuoteGenerator.history(of: "FDX", days: 250, endingOn: "2026-11-21", seed: 1)
    #expect(history.rowCount == 250 && history.days.last == "2026-11-20" && history.isStrictlyAscending)
    #expect(history[.adjustedClose].last == history[.close].last)
    let other = QuoteGenerator.history(of: "KO", days: 250, endingOn: "2026-11-21", seed: 1)
    #expect(checksum(history) != checksum(other))
    #expect(QuoteGenerator.history(of: "KO", days: 0, endingOn: "2026-11-21", seed: 1).isEmpty)
    #expect(QuoteGenerator.history(of: "KO", days: .min, endingOn: "2026-11-21", seed: 1).isEmpty)
  }

  @Test func columns_of_days_begin_missing() {
    let columns = QuoteColumns(days: ["2018-03-26", "2018-03-27"], attributes: [.close, .volume])
    #expect(columns.rowCount == 2 && columns[.close].allSatisfy(\.isNaN) && columns[.volume] == [.min, .min])
    #expect(columns[.open].isEmpty)
  }
}
