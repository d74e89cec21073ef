import Testing

@testable import Quoin

/// Days that are computed, and windows of other rows than the last ones.
@Suite struct ComputedDayTests {
  private static let closes: [(day: TradingDay, close: Double)] = [
    ("2017-12-28", 10), ("2017-12-29", 12), ("2018-01-02", .nan), ("2018-01-03", 9), ("2018-01-31", 15),
    ("2018-02-01", 14), ("2018-03-05", 20),
  ]

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for ticker in ["KO", "BA"] as [TickerSymbol] {
      try store.upsert(
        closes.map { row in
          DailyQuoteSummary(ticker: ticker, date: row.day, open: 11, close: row.close.isNaN ? nil : row.close)
        })
    }
    return store
  }

  /// The values of KO, with -1 for what is missing.
  private static func values(_ text: String) throws -> [Double] {
    let x = try QuoteExpression(parsing: text)
    let values = try store().quotes(for: "KO").computing("x", x).fetchColumns().computed("x") ?? []
    return values.map { $0.isNaN ? -1 : $0 }
  }

  @Test(
    arguments: [
      ("fill(close)", [10, 12, 12, 9, 15, 14, 20]), ("fill(close, 1)", [10, 12, 12, 9, 15, 14, 20]),
      ("fill(if(close > 11, close), 1)", [-1, 12, 12, -1, 15, 14, 20]),
      ("first(close)", [10, 10, 10, 10, 10, 10, 10]), ("first(close, 2)", [-1, 10, 12, 9, 9, 15, 14]),
      ("last(close, 2)", [-1, 12, 12, 9, 15, 14, 20]), ("coalesce(close, open, 1)", [10, 12, 11, 9, 15, 14, 20]),
      ("larger(close, open, 14)", [14, 14, -1, 14, 15, 14, 20]),
      ("if(close > open, close)", [-1, 12, -1, -1, 15, 14, 20]),
      ("ema(close, 0.5)", [10, 11, 11, 10, 12.5, 13.25, 16.625]),
      ("shortfall(close, 3 min 1, 0.5)", [10, 10, 10, 9, 9, 11.5, 14.5]),
      ("mean(close, 2 days)", [-1, 11, -1, 9, 15, 14.5, 20]),
      ("mean(close, 30 days min 1)", [10, 11, 11, 31 / 3.0, 12, 38 / 3.0, 20]),
      ("count(close, 30 days min 1)", [1, 2, 2, 3, 2, 3, 1]), ("sum(close, this month)", [10, 22, -1, 9, 24, 14, 20]),
      ("sum(close, this year)", [10, 22, -1, 9, 24, 38, 58]), ("count(close > 9, this year)", [1, 2, 0, 0, 1, 2, 3]),
      ("argmax(close, 7 days min 1)", [0, 0, 4, 5, 0, 1, 0]),
      ("sum(close, since close < 10)", [-1, -1, -1, 9, 24, 38, 58]),
      ("sum(close, since (close > open))", [-1, 12, 12, 21, 15, 14, 20]),
      ("count(close > 9, since close < 10)", [-1, -1, -1, 0, 1, 2, 3]),
      ("days_since(close > open)", [-1, 0, 4, 5, 0, 0, 0]), ("date - prev(date)", [-1, 1, 4, 1, 28, 1, 32]),
      ("date - first(date)", [0, 1, 5, 6, 34, 35, 67]), ("date - 2018-01-01", [-4, -3, 1, 2, 30, 31, 63]),
      ("date - fill(if(close > open, date))", [-1, 0, 4, 5, 0, 0, 0]), ("diff(date)", [-1, 1, 4, 1, 28, 1, 32]),
      ("1 + (date - 5 days - prev(date))", [-1, -3, 0, -3, 24, -3, 28]),
    ] as [(String, [Double])])
  func what_is_computed_of_other_rows(_ text: String, _ expected: [Double]) throws {
    // One that is -1 because it isn't missing is none of these.
    #expect(try Self.values(text) == expected)
    let x = try QuoteExpression(parsing: text)
    #expect(try QuoteExpression(parsing: "\(x)") == x, "\(x)")
  }

  @Test(arguments: [
    ("date > prev(date) + 5", 2), ("prev(date) + 5 days < date", 2), ("date - prev(date) > 5", 2),
    ("date = first(date)", 1), ("prev(date) is missing", 1), ("prev(date) >= 2018-01-03", 3),
    ("date > 2018-01-01 + 30", 2), ("date between 2018-01-01 and 2018-01-01 + 30 days", 3),
    ("any(close < 10, 30 days)", 2), ("every(close > 9, this month)", 4), ("next(date) - date > 20", 2),
  ])
  func days_are_compared(_ text: String, _ count: Int) throws {
    #expect(try Self.store().quotes(for: "KO").where(Quoin.Predicate(parsing: text)).count() == count)
  }

  @Test func tickers_are_counted() throws {
    let store = try Self.store()
    for text in ["distinct(ticker)", "count(distinct ticker)"] {
      let question = try GroupQuestion(parsing: "\(text) as n")
      let table = RecordTable(
        try store.allQuotes.where(.close > 14).answer(question, by: Grouping.list(parsing: "month, all")))
      #expect(table.batch(from: 0).map { $0.compactMap(\.self).last } == ["2", "2"])
      #expect("\(question.columns[0].expression)" == "distinct(ticker)")
    }
    let byDay = try QuoteExpression(parsing: "distinct(ticker by day)")
    #expect(try store.allQuotes.computing("n", byDay).fetchColumns().computed("n")?.allSatisfy { $0 == 2 } == true)
  }
}
