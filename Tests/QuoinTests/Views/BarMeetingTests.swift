import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Bars of several tickers meet by their period, whatever days they have.
@Suite struct BarMeetingTests {
  /// Tickers that miss days, the last ones of months among them.
  private static func market(_ dice: inout SeededRandom) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for ticker in ["AA", "BB", "CC", "DD", "SPY"] as [TickerSymbol] {
      let days = (0..<120).map { TradingDay(daysSince1970: 17_500 + $0)! }.filter { _ in dice.chance(0.7) }
      let closes = days.map { _ in Double(20 + dice.below(8)) }
      try store.upsert([
        ticker: QuoteColumns(days: days, doubles: [.close: closes], integers: [.volume: closes.map { Int64($0) }])
      ])
    }
    return store
  }

  private static let expressions = [
    "rank(change(close) desc by day)", "pctrank(close by day)", "place(close by day)", "zscore(close by day)",
    "count(by day)", "mean(change(close) by day)", "count(by day among close > 25)", "close of SPY",
    "change(close) of SPY", "change(close of SPY)", "rank(close by day) of SPY", "prev(rank(close by day))",
    "corr(close, close of SPY, 3)", "mean(rank(close by day), 2)", "rank(mean(close by day) - close of SPY by day)",
  ]

  /// The days of the periods' ends are the same for all tickers, so what meets by day meets by period there.
  @Test(arguments: [CalendarPeriod.week, .month, .quarter])
  func the_label_of_a_bar_changes_no_value(_ period: CalendarPeriod) throws {
    var dice = TestSettings.dice("labels", stream: UInt64(period.rawValue.utf8.count))
    for _ in 0..<5 {
      let store = try Self.market(&dice)
      let (last, end) = (try store.resampled(by: period), try store.resampled(by: period, label: .periodEnd))
      for text in Self.expressions {
        let x = try QuoteExpression(parsing: text)
        func values(_ store: QuoteStore) throws -> [String] {
          try (store.allQuotes.computing("x", x).fetchColumns().computed("x") ?? []).map { "\($0)" }
        }
        let found = try values(last)
        #expect(try found == values(end), "\(text)")
        #expect(found.contains { $0 != "nan" } || period == .quarter, "\(text)")
      }
      func top(_ store: QuoteStore) throws -> [String] {
        let rows = try store.allQuotes.topOfDay(1, by: .change(.close)).fetchColumns()
        return rows.columns.days.indices.map { "\(rows.tickers[$0]) \(period.first(of: rows.columns.days[$0]))" }
      }
      #expect(try top(last) == top(end))
      let counts = try last.allQuotes.aggregate([.count, .mean(.close)], by: .day)
      let ends = try end.allQuotes.aggregate([.count, .mean(.close)], by: .day)
      #expect(counts.periods == ends.periods && counts.integers(.count) == ends.integers(.count))
      #expect(counts.doubles(.mean(.close)) == ends.doubles(.mean(.close)))
    }
  }

  /// Days that are asked for are those of bars, but the others of the same period are still in the market.
  @Test func the_first_day_of_a_question_takes_no_bar_out_of_the_market() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert([
      "AA": QuoteColumns(days: ["2018-01-30", "2018-02-28"], doubles: [.close: [1, 3]]),
      "BB": QuoteColumns(days: ["2018-01-31", "2018-02-26"], doubles: [.close: [2, 2]]),
    ])
    let bars = try store.resampled(by: .month)
    func values(_ text: String, from first: TradingDay, to last: TradingDay? = nil) throws -> [Double] {
      let query = try bars.allQuotes.dates(from: first, to: last).computing("x", QuoteExpression(parsing: text))
      return try query.fetchColumns().computed("x") ?? []
    }
    #expect(try values("count(by day)", from: "2018-01-31") == [2, 2, 2])
    #expect(try values("rank(close by day)", from: "2018-02-27") == [2])
    #expect(try values("close of BB", from: "2018-02-27") == [2])
    #expect(try values("count(by day)", from: "2018-01-01", to: "2018-01-30") == [2])
    // A bar of an earlier period is as old as the days say.
    #expect(try values("close of BB within 1 day", from: "2018-01-01") == [2, 2, 2, 2])
    try store.upsert(["AA": QuoteColumns(days: ["2018-03-10"], doubles: [.close: [4]])])
    let later = try store.resampled(by: .month).quotes(for: "AA")
    func newest(_ days: Int) throws -> Double? {
      try later.dates(from: "2018-03-01").computing("x", QuoteExpression.close.of("BB", within: days)).fetchColumns()
        .computed("x")?.first
    }
    #expect(try newest(12) == 2 && newest(11)?.isNaN == true)
  }

  @Test func stores_of_bars_that_are_joined_meet_by_period() throws {
    func bars(_ ticker: TickerSymbol, _ day: TradingDay) throws -> QuoteStore {
      let store = try QuoteStore(at: "\(ticker)", in: InMemoryFiles())
      try store.upsert([ticker: QuoteColumns(days: [day], doubles: [.close: [1]])])
      return try store.resampled(by: .month)
    }
    let joined = try QuoteStore(joining: [bars("AA", "2018-01-30"), bars("BB", "2018-01-31")])
    #expect(try joined.allQuotes.computing("n", .byDay(.count)).fetchColumns().computed("n") == [2, 2])
  }
}
