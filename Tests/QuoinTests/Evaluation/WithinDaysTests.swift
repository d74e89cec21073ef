import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Values of another ticker's newest quote: `close of SPY within 5 days`.
@Suite struct WithinDaysTests {
  /// A store whose tickers have rows on some days of a year or two, not the same ones, with missing cells.
  private static func market(_ dice: inout SeededRandom) throws -> (QuoteStore, [TickerSymbol: QuoteColumns]) {
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for ticker in ["A", "B", "C"] as [TickerSymbol] {
      let (first, count, share) = (
        dice.below(300), dice.element(of: [1, 30, 400]), dice.element(of: [0.02, 0.2, 0.7, 1])
      )
      let days = (first..<(first + count)).filter { $0 == first || dice.chance(share) }
      let columns = QuoteColumns(days: days.compactMap { TradingDay(daysSince1970: 12_000 + $0) }) { row, name in
        dice.chance(0.2) ? nil : Double(row + (name == .volume ? 1_000 : 1))
      }
      rows[ticker] = columns
    }
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(rows)
    return (store, rows)
  }

  /// The value for the last of a ticker's rows that isn't later than the day, unless it is too old.
  private static func naive(
    _ values: [Double], _ rows: QuoteColumns, on day: TradingDay, within days: Int
  ) -> Double {
    guard let row = rows.days.lastIndex(where: { $0 <= day }) else { return .nan }
    return Int(day.daysSince1970) - Int(rows.days[row].daysSince1970) <= days ? values[row] : .nan
  }

  /// Compares what a query computes with the naive values, row by row.
  private static func check(
    _ query: QuoteQuery, _ x: QuoteExpression, of other: TickerSymbol, _ rows: QuoteColumns, within days: Int
  ) throws -> Int {
    let values = values(x, rows, of: other)
    let expression = x.of(other, within: days)
    let batch = try query.selecting([]).computing("x", expression).fetchColumns()
    let found = try #require(batch.computed("x"))
    for row in 0..<batch.rowCount {
      let day = batch.columns.days[row]
      let expected = naive(values, rows, on: day, within: days)
      #expect(found[row].isSame(as: expected), "\(expression) of \(batch.tickers[row]) on \(day)")
      if !found[row].isSame(as: expected) { break }
    }
    return found.count { !$0.isNaN }
  }

  private static let tolerances = [0, 0, 1, 2, 5, 30, 400, Limits.ageDays, Int.max]

  @Test func it_is_that_of_the_newest_row_up_to_the_day() throws {
    var dice = TestSettings.dice("newest rows")
    var count = 0
    for _ in 0..<TestSettings.count(debug: 100, release: 1_000) {
      let (store, rows) = try Self.market(&dice)
      let (other, days) = (dice.element(of: ["A", "B", "C"] as [TickerSymbol]), dice.element(of: Self.tolerances))
      let x = dice.element(of: [QuoteExpression.close, .volume, .prev(.close), .calendar(.dayOfYear), .close + .open])
      // Bounds of days don't cut off the rows before them that are newest on the first days.
      var query = store.allQuotes.threads(1 + dice.below(3))
      if dice.chance(0.5), let first = TradingDay(daysSince1970: 12_000 + dice.below(500)) {
        query = query.dates(from: first, to: dice.chance(0.5) ? first.advanced(by: dice.below(50)) : nil)
      }
      if dice.chance(0.3) { query = query.where(.volume > 1_010) }
      if dice.chance(0.3) { query = query.ordered(.descending).limited(to: 20) }
      count += try Self.check(query, x, of: other, rows[other]!, within: days)
    }
    #expect(count > 1_000)
  }

  @Test func it_is_so_in_any_market() throws {
    var dice = TestSettings.dice("newest rows of any market")
    for _ in 0..<TestSettings.count(debug: 30, release: 300) {
      let market = try RandomMarket(&dice)
      if market.tickers.isEmpty { continue }
      let (x, other) = (market.expression(&dice, depth: 1), dice.element(of: market.tickers))
      var query = market.store.allQuotes
      if dice.chance(0.3) { query = query.dates(from: dice.element(of: market.rows[other]!.days)) }
      if dice.chance(0.3) { query = query.where(.ticker(in: ["A", "FDX"])) }
      _ = try Self.check(
        query, x, of: other, market.rows[other]!, within: dice.element(of: Self.tolerances + [100_000]))
    }
  }

  private static func store(_ quotes: [(TickerSymbol, TradingDay, Double?)]) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(quotes.map { DailyQuoteSummary(ticker: $0.0, date: $0.1, open: 1, close: $0.2) })
    return store
  }

  private static func closes(_ text: String, _ store: QuoteStore) throws -> [Double?] {
    let batch = try store.quotes(for: "A").computing("x", QuoteExpression(parsing: text)).fetchColumns()
    return try #require(batch.computed("x")).map { $0.isNaN ? nil : $0 }
  }

  @Test func a_row_counts_even_if_its_cell_is_missing_and_a_later_one_never_does() throws {
    let store = try Self.store([
      ("A", "2020-01-01", 1), ("A", "2020-01-03", 2), ("A", "2020-01-06", 3), ("A", "2020-01-09", 4),
      ("B", "2020-01-02", 10), ("B", "2020-01-05", nil), ("B", "2020-01-10", 30),
    ])
    #expect(try Self.closes("close of B within 9 days", store) == [nil, 10, nil, nil])
    #expect(try Self.closes("open of B within 3 days", store) == [nil, 1, 1, nil])
    #expect(try Self.closes("open of B within 1 day", store) == [nil, 1, 1, nil])
    #expect(try Self.closes("open of B within 0 days", store) == [nil, nil, nil, nil])
    #expect(try Self.closes("open of B within 4 days", store) == [nil, 1, 1, 1])
    // A value of one ticker that is itself taken from another.
    #expect(try Self.closes("(close of A within 1 day) of B within 2 days", store) == [nil, 1, nil, nil])
  }

  @Test func two_ages_in_one_question_are_two_values() throws {
    let store = try Self.store([("A", "2020-01-03", 1), ("B", "2020-01-01", 10)])
    let text =
      "if(close of B is missing, 1, 0) + if(close of B within 1 day is missing, 1, 0) + close of B within 2 days"
    #expect(try Self.closes(text, store) == [12])
    let values = [0, 1, 2, 2, -1, .min, .max, Limits.ageDays].map { QuoteExpression.close.of("B", within: $0) }
    #expect(Set(values).count == 4)
    #expect(values[0] == QuoteExpression.close.of("B") && values[0] == values[4] && values[2] == values[3])
    #expect(values[0] == values[5] && values[6] == values[7])
  }

  @Test func as_of_a_day_it_is_what_it_was_then() throws {
    var dice = TestSettings.dice("newest rows as of a day")
    for _ in 0..<TestSettings.count(debug: 20, release: 200) {
      let (store, rows) = try Self.market(&dice)
      let day = dice.element(of: rows["B"]!.days)
      let view = try store.asOf(day, trustingSplits: true)
      let x = QuoteExpression.close.of("B", within: dice.element(of: [0, 3, 100]))
      let then = try view.allQuotes.computing("x", x).fetchColumns()
      let now = try store.allQuotes.dates(to: day).computing("x", x).fetchColumns()
      #expect(try #require(then.computed("x")).elementsEqual(now.computed("x") ?? []) { $0.isSame(as: $1) })
      #expect(then.columns.days == now.columns.days)
    }
    // No row yet is no ticker yet, as for every value of another ticker.
    let store = try Self.store([("A", "2020-01-03", 1), ("B", "2020-01-04", 10)])
    #expect(throws: StoreError.unknownTicker("B")) {
      try Self.closes("close of B within 9 days", store.asOf("2020-01-03"))
    }
    #expect(throws: StoreError.unknownTicker("NONE")) { try Self.closes("close of NONE within 9 days", store) }
    #expect(throws: StoreError.looksAhead(asOf: "2020-01-04")) {
      try Self.closes("next(close) of B within 9 days", store.asOf("2020-01-04"))
    }
  }

  @Test(arguments: [
    "close of 'SPY' within 5 days", "close of 'SPY' within 1 day", "(high - low) of 'BRK.B' within 3652058 days",
    "close / close of 'SPY' within 5 days - 1", "-close of 'SPY' within 2 days",
    "(close of 'KO' within 2 days) of 'SPY'", "(close of 'KO') of 'SPY' within 3 days",
    "(close of 'SPY' within 2 days) ^ 2",
    "mean(close of 'SPY' within 5 days, 20)", "2 ^ close of 'SPY' within 5 days",
    "rank(close of 'SPY' within 5 days desc by day)",
  ])
  func it_is_written_as_it_is_read(_ text: String) throws {
    let x = try QuoteExpression(parsing: text)
    #expect("\(x)" == text)
    let predicate = try Predicate(parsing: "\(text) > 1 and \(text) is not missing")
    #expect(try Predicate(parsing: "\(predicate)") == predicate)
  }

  @Test func it_is_understood_in_all_forms() throws {
    let five = QuoteExpression.close.of("SPY", within: 5)
    for text in [
      "CLOSE OF spy WITHIN 5 DAYS", "close of SPY within 5 day", "close of 'SPY' within 5.0 days",
      "close of spy within 5 days",
    ] { #expect(try QuoteExpression(parsing: text) == five) }
    #expect(try QuoteExpression(parsing: "close of SPY within 0 days") == QuoteExpression.close.of("SPY"))
    #expect("\(QuoteExpression.close.of("SPY", within: 0))" == "close of 'SPY'")
    #expect(try QuoteExpression(parsing: "close of SPY within 5 days -1") == five - 1)
    #expect(try QuoteExpression(parsing: "close of SPY within 5 days ^ 2") == .power(five, 2))
    #expect(
      try QuoteExpression(parsing: "close of within within 1 day") == QuoteExpression.close.of("WITHIN", within: 1))
    #expect(try Predicate(parsing: "close of SPY within 5 days between 1 and 2") == (five >= 1 && five <= 2))
    #expect(
      try Aggregation.list(parsing: "mean(close of SPY within 5 days)") == [Aggregation(.mean, of: five)])
    #expect(try TopRows(parsing: "3 by close of SPY within 5 days per day").expression == five)
    // The word is still free for whoever has defined it.
    var names = Definitions()
    try names.add("within = close of SPY within 5 days")
    #expect(try Predicate.parsing("within > 1", names).predicate == (five > 1))
  }

  @Test(arguments: [
    "close of SPY within -1 days", "close of SPY within - 1 days", "close of SPY within 1.5 days",
    "close of SPY within 3652059 days", "close of SPY within 1e30 days", "close of SPY within nan days",
    "close of SPY within inf days", "close of SPY within", "close of SPY within days", "close of SPY within (5) days",
    "close of SPY within 2020-01-01",
  ])
  func a_refused_age_names_the_form_that_works(_ text: String) {
    expectRefusal(text, naming: "a whole number of days from 0 to 3652058: close of SPY within 5 days") {
      _ = try QuoteExpression(parsing: $0)
    }
  }

  @Test(arguments: [
    ("close of SPY within 5", "expected 'days', found the end"), ("close of SPY within 5 dyas", "did you mean 'days'?"),
    ("close of SPY within 5 weeks", "expected 'days'"), ("close of SPY within 5d", "'5d' isn't a number"),
    ("close within 5 days", "found 'within'"), ("close of SPY within 5 days within 5 days", "found 'within'"),
  ])
  func what_is_no_age_is_refused(_ text: String, _ words: String) {
    expectRefusal(text, naming: words) { _ = try QuoteExpression(parsing: $0) }
  }
}
