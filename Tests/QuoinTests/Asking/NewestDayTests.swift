import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Days that are counted from the newest one, and each ticker's last row.
@Suite struct NewestDayTests {
  @Test(arguments: [
    ("last", "2018-03-31"), ("LAST", "2018-03-31"), ("last - 30 days", "2018-03-01"), ("last-30", "2018-03-01"),
    ("-30d", "2018-03-01"),
    ("-1y", "2017-03-31"), ("last - 1 month", "2018-02-28"), ("last - 1 year + 1 day", "2017-04-01"),
    ("-2w", "2018-03-17"),
    ("last - 1 quarter", "2017-12-31"), ("2005-01-03", "2005-01-03"), ("-6m", "2017-09-30"), ("last+1", "2018-04-01"),
    ("last - 25 months", "2016-02-29"), ("-3000y", "0001-01-01"), ("last + 9000 years", "9999-12-31"),
    ("-4000000d", "0001-01-01"),
  ]) func a_text_is_a_day(_ text: String, _ day: TradingDay) throws {
    let mark = try #require(DayMark(text))
    #expect(mark.day(newest: "2018-03-31") == day)
    #expect(DayMark("\(mark)") == mark)
  }

  @Test(arguments: [
    "", "-", "last -", "last - x", "last - 3 fortnights", "2018-13-01", "lastly", "last 3", "+1y",
    "-99999999999999999999d", "-4000001d", "1y", "-30", "-001-01-01", "last - 007 days",
  ])
  func what_is_no_day_is_refused(_ text: String) {
    #expect(DayMark(text) == nil)
    #expect(throws: QuestionError.self) { try QuoteQuestion([.from: text]) }
  }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var quotes: [DailyQuoteSummary] = []
    for (ticker, count) in [("FDX", 60), ("KO", 100), ("MSFT", 99)] as [(TickerSymbol, Int)] {
      for day in 0..<count {
        quotes.append(
          DailyQuoteSummary(
            ticker: ticker, date: TradingDay(daysSince1970: 13_000 + day)!, close: 10 + Double((day * 7 + count) % 11),
            volume: 1))
      }
    }
    try store.upsert(quotes)
    return store
  }

  private static func rows(_ fields: [QuestionField.Name: String], in store: QuoteStore) throws -> [String] {
    var rows = QuestionRows(try QuoteQuestion(fields.map { ($0.key, $0.value) }), in: store, rowsPerBatch: 1000)
    var lines: [String] = []
    while let batch = try rows.next() { lines += zip(batch.tickers, batch.columns.days).map { "\($0) \($1)" } }
    return lines
  }

  @Test func conditions_on_the_newest_day_are_those_on_its_date() throws {
    let store = try Self.store()
    let newest: TradingDay = TradingDay(daysSince1970: 13_099)!
    func day(_ back: Int) -> String { "\(newest.advanced(by: -back)!)" }
    for (words, dates) in [
      ("date = last", "date = \(day(0))"), ("last = date", "date = \(day(0))"), ("date != last", "date != \(day(0))"),
      ("date > last - 5", "date > \(day(5))"), ("date >= last-5", "date >= \(day(5))"),
      ("last - 3 days >= date", "date <= \(day(3))"),
      ("date < last - 1 week", "date < \(day(7))"),
      ("date between last - 4 and last - 2", "date between \(day(4)) and \(day(2))"),
      ("last - 4 < date <= last - 2", "\(day(4)) < date <= \(day(2))"),
      ("date in (last, last - 2)", "date in (\(day(0)), \(day(2)))"),
      ("date in [last - 2, last)", "date in [\(day(2)), \(day(0)))"), ("not date = last", "not date = \(day(0))"),
      ("\(day(50)) < date < last - 40", "\(day(50)) < date < \(day(40))"),
      ("date = last or close > 19", "date = \(day(0)) or close > 19"),
      ("count(date = last, 3) = 0", "count(date = \(day(0)), 3) = 0"),
      ("if(date > last - 2, 1, 0) = 1", "date > \(day(2))"),
      ("prev(close) > 15 and date = last", "prev(close) > 15 and date = \(day(0))"),
      ("rank(close by day) = 1 and date = last", "rank(close by day) = 1 and date = \(day(0))"),
      ("rank(close by day among date >= last - 1) = 1", "rank(close by day among date >= \(day(1))) = 1"),
    ] {
      let (a, b) = (try Quoin.Predicate(parsing: words), try Quoin.Predicate(parsing: dates))
      let rows = try Self.rows([.where: words], in: store)
      #expect(try rows == Self.rows([.where: dates], in: store), "\(words)")
      #expect(try store.allQuotes.where(a).count() == store.allQuotes.where(b).count())
      #expect(
        try store.allQuotes.where(a).aggregate([.count], by: .ticker).rowCount
          == store.allQuotes.where(b).aggregate([.count], by: .ticker).rowCount)
      #expect(try Quoin.Predicate(parsing: "\(a)") == a, "\(a)")
    }
    #expect(try Self.rows([.from: "last - 1"], in: store) == Self.rows([.from: day(1)], in: store))
    #expect(
      try Self.rows([.from: "-9d", .to: "last - 8 days"], in: store)
        == Self.rows([.from: day(9), .to: day(8)], in: store))
    #expect(try Self.rows([.from: "last"], in: QuoteStore(at: "empty", in: InMemoryFiles())).isEmpty)
    #expect(throws: QuestionError.self) { try QuoteQuestion([.from: "last", .to: "last - 1"]) }
    #expect(throws: PredicateSyntaxError.self) { try Quoin.Predicate(parsing: "date between last and last - 1") }
    // Only the block of the newest day is looked at.
    #expect(try store.explain(QuoteQuestion([.where: "date = last"])).rowCount == 1)
  }

  @Test func a_view_has_a_newest_day_of_its_own() throws {
    let store = try Self.store()
    #expect(
      try Self.rows([.asOf: "2005-08-20", .where: "date = last"], in: store).map { $0.suffix(10) } == [
        "2005-08-20", "2005-08-20", "2005-08-20",
      ])
    #expect(try Self.rows([.resample: "month", .where: "date = last"], in: store).count == 1)
  }

  @Test func names_come_before_the_newest_day() throws {
    #expect(try QuoteQuestion([.let: "last = close + 1", .where: "last > 3"]).conditions == [.close + 1 > 3])
    for text in ["last > 3", "date > last - close", "date > last - 1.5", "date > last - 5000000", "close > last"] {
      #expect(throws: PredicateSyntaxError.self, "\(text)") { try Quoin.Predicate(parsing: text) }
    }
  }

  /// A ticker's last row is chosen first, and then the condition is asked of it.
  @Test func the_last_row_is_that_of_the_ticker() throws {
    var dice = TestSettings.dice("last rows")
    for _ in 0..<TestSettings.count(debug: 15, release: 300) {
      let market = try RandomMarket(&dice)
      let predicate = market.predicate(&dice, depth: 1)
      let days = market.tickers.flatMap { market.rows[$0]!.days }
      let (from, to) = (
        dice.chance(0.4) ? dice.element(of: days + [.earliest]) : nil,
        dice.chance(0.6) ? dice.element(of: days + [.latest]) : nil
      )
      var question = QuoteQuestion()
      (question.isOfLatest, question.conditions) = (true, [predicate])
      question.days = DayBounds(first: from.map { .day($0) }, last: to.map { .day($0) })
      var expected: [String] = []
      for ticker in market.tickers {
        let days = market.rows[ticker]!.days
        guard let row = days.lastIndex(where: { $0 >= from ?? .earliest && $0 <= to ?? .latest }) else { continue }
        if truths(predicate, market.rows[ticker]!, of: ticker)[row] == yes { expected.append("\(ticker) \(days[row])") }
      }
      var (rows, found) = (QuestionRows(question, in: market.store, rowsPerBatch: 100), [String]())
      while let batch = try rows.next() { found += zip(batch.tickers, batch.columns.days).map { "\($0) \($1)" } }
      #expect(found == expected, "\(predicate) from \(from.map { "\($0)" } ?? "-") to \(to.map { "\($0)" } ?? "-")")
      #expect(try market.store.count(question) == expected.count)
    }
  }

  @Test func the_last_row_with_a_condition_is_the_first_one_by_date() throws {
    let store = try Self.store()
    let latest = try Self.rows([.latest: "true", .where: "close > 18"], in: store)
    let top = try Self.rows([.top: "1 by date per ticker", .where: "close > 18"], in: store)
    #expect(latest.count < 3 && top.count == 3)
    #expect(
      try store.allQuotes.where(.close > 18).latest().columns.days.map { "\($0)" } == top.map { String($0.suffix(10)) })
    // Among the last rows, not among all.
    #expect(try Self.rows([.latest: "true", .top: "1 by close asc per day"], in: store).count == 3)
    let table = try store.asking(QuoteQuestion([.latest: "true", .aggregates: "count"])) { query throws(StoreError) in
      try query.aggregate([.count])
    }
    #expect(table.integers(.count) == [3])
  }
}
