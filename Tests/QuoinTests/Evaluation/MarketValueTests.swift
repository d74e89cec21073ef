import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct MarketValueTests {
  /// Each row's value, as the query computes it, by ticker and day.
  private static func found(_ query: QuoteQuery, _ x: QuoteExpression) throws -> [[String]] {
    let batch = try query.selecting([]).computing("x", x).fetchColumns()
    let values = try #require(batch.computed("x"))
    return (0..<batch.rowCount).map { ["\(batch.tickers[$0])", "\(batch.columns.days[$0])", "\(values[$0])"] }
  }

  @Test func ranks_are_those_of_a_sorted_day() throws {
    var dice = TestSettings.dice("ranks of days")
    for _ in 0..<TestSettings.count(debug: 60, release: 600) {
      let market = try RandomMarket(&dice)
      let x = dice.chance(0.3) ? .calendar(.month) : market.expression(&dice, depth: dice.below(2))
      let among = dice.chance(0.5) ? Predicate.all([]) : market.predicate(&dice, depth: 1)
      let tickers = dice.chance(0.5) ? market.tickers : Array(market.tickers.prefix(3).reversed())
      // The market is ranked at once, or in parts.
      let cache = dice.chance(0.3) ? MarketCache() : MarketCache(rowsAtOnce: 1 + dice.below(30), rowsOfEach: 1)
      let query = market.store.quotes(for: tickers).threads(1 + dice.below(3)).finding(in: cache)
      let (rank, order) = (dice.element(of: DayRank.allCases), dice.element(of: [DateOrder.ascending, .descending]))
      let naive = NaiveMarket(market.rows, asking: tickers)
      let expected = tickers.flatMap { ticker in
        zip(market.rows[ticker]?.days ?? [], naive.column(of: .rank(rank, order, x, among: among), for: ticker)).map {
          ["\(ticker)", "\($0)", "\($1)"]
        }
      }
      let expression = QuoteExpression.ranked(rank, order, x, among: among)
      let found = try Self.found(query, expression)
      let differing = zip(found, expected).first { $0 != $1 }
      #expect(found.count == expected.count && differing == nil, "\(expression): \(String(describing: differing))")
    }
  }

  @Test func an_aggregate_by_day_is_that_of_the_day() throws {
    var dice = TestSettings.dice("aggregates of days")
    for _ in 0..<TestSettings.count(debug: 30, release: 300) {
      let market = try RandomMarket(&dice)
      let aggregation = dice.element(of: [
        Aggregation.count, .mean(.close), .max(.volume), Aggregation(.std, of: .prev(.close)), .count(.close > .open),
        Aggregation(.quantile, of: .close * .volume), .vwap(), .count(.close), Aggregation(.distinct, of: .close),
        .sum(.volume), .share(.close > .open),
      ])
      // Of nobody there is a number, which is 0, and no value.
      let ofNobody = [.count, .distinct].contains(aggregation.function) ? 0 : Double.nan
      let among = dice.chance(0.5) ? Predicate.all([]) : market.predicate(&dice, depth: 1)
      let query = market.store.allQuotes
      let table = try query.where(among).aggregate([aggregation], by: .day)
      let values = Dictionary(uniqueKeysWithValues: zip(table.periods, table.doubles(aggregation)))
      for cells in try Self.found(query, .byDay(aggregation, among: among)) {
        let day = try #require(TradingDay(cells[1]))
        let value = values[day].map { $0 ?? .nan } ?? ofNobody
        #expect(cells[2] == "\(value)", "\(aggregation) on \(cells[1])")
      }
    }
  }

  /// The market of `rank(close by day) of A` is that of the question, not A alone.
  @Test func a_value_by_day_of_another_ticker_is_of_the_same_market() throws {
    var dice = TestSettings.dice("by day of others")
    for _ in 0..<TestSettings.count(debug: 40, release: 400) {
      let market = try RandomMarket(&dice)
      guard let other = market.tickers.first else { continue }
      let inner = market.expression(&dice, depth: 1)
      let value = dice.element(of: [
        QuoteExpression.rankByDay(inner), .percentRankByDay(inner, .descending, among: .volume > 0), .placeByDay(inner),
        .byDay(.count), .byDay(Aggregation(.mean, of: inner)), .zscoreByDay(inner), .prev(.rankByDay(inner)),
        .byDay(.count(.close > .open), among: .volume > 0),
      ])
      let tickers = dice.chance(0.5) ? market.tickers : Array(market.tickers.dropFirst(dice.below(2)))
      let query = market.store.quotes(for: tickers)
      let own = Dictionary(
        uniqueKeysWithValues: try Self.found(market.store.quotes(for: tickers + [other]).keeping([other]), value)
          .map { ($0[1], $0[2]) })
      for cells in try Self.found(query, value.of(other)) {
        if tickers.contains(other) {
          #expect(cells[2] == own[cells[1]] ?? "nan", "\(value) of \(other) on \(cells[1])")
        } else if case .market(.rank) = value.node {
          #expect(cells[2] == "nan", "\(value) of \(other), which isn't asked for")
        }
      }
    }
  }

  @Test func the_best_of_its_day_is_found_by_its_name() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for (ticker, closes) in [("AC", [1, 5, 3]), ("KO", [2, 2, 2]), ("BA", [3, 1, 9])] as [(TickerSymbol, [Double])] {
      try store.upsert([
        ticker: QuoteColumns(days: ["2020-01-06", "2020-01-07", "2020-01-08"], doubles: [.close: closes])
      ])
    }
    func values(_ text: String, _ tickers: [TickerSymbol]? = ["KO", "BA", "AC"]) throws -> [Double] {
      let query = try (tickers.map { store.quotes(for: $0) } ?? store.allQuotes).computing(
        "x", QuoteExpression(parsing: text))
      return try query.fetchColumns().computed("x") ?? []
    }
    #expect(try values("rank(close desc by day) of AC") == [3, 1, 2, 3, 1, 2, 3, 1, 2])
    #expect(try values("count(close by day) of AC", nil) == Array(repeating: 3, count: 9))
    let means: [Double] = [2, 8 / 3, 14 / 3]
    #expect(try values("mean(close by day) of AC") == means + means + means)
    #expect(try values("rank(close desc by day) of AC", ["KO"]).allSatisfy(\.isNaN))
    #expect(try values("count(close by day) of AC", ["KO"]) == [1, 1, 1])
    #expect(try values("count(by day among close > 3)", ["KO", "AC"]) == [0, 1, 0, 0, 1, 0])
    #expect(try values("count(close by day among close > 3)", ["KO"]) == [0, 0, 0])
    #expect(try values("distinct(close by day among close > 3)", ["KO"]) == [0, 0, 0])
    #expect(try values("count(close > 1 by day among close > 3)", ["KO"]) == [0, 0, 0])
    #expect(try values("sum(close by day among close > 3)", ["KO"]).allSatisfy(\.isNaN))
    #expect(try store.allQuotes.where(Quoin.Predicate(parsing: "count(by day among close > 4) = 0")).count() == 3)
  }

  @Test func a_value_of_another_ticker_is_that_of_the_same_day() throws {
    var dice = TestSettings.dice("other tickers")
    for _ in 0..<TestSettings.count(debug: 30, release: 300) {
      let market = try RandomMarket(&dice)
      if market.tickers.isEmpty { continue }
      let (x, other) = (market.expression(&dice, depth: 1), dice.element(of: market.tickers))
      let rows = market.rows[other]!
      let values = Dictionary(uniqueKeysWithValues: zip(rows.days, values(x, rows, of: other)))
      for cells in try Self.found(market.store.allQuotes, x.of(other)) {
        let value = values[try #require(TradingDay(cells[1]))] ?? .nan
        #expect(value.isSame(as: Double(cells[2]) ?? .nan), "\(x) of \(other) on \(cells[1])")
      }
    }
  }

  /// Conditions narrow what is found, not the market that it is found in; a window of ranks has those of earlier days.
  @Test func a_value_does_not_depend_on_what_is_selected() throws {
    var dice = TestSettings.dice("selected market values")
    for _ in 0..<TestSettings.count(debug: 60, release: 600) {
      let market = try RandomMarket(&dice)
      guard let other = market.tickers.first else { continue }
      let inner = market.expression(&dice, depth: 1)
      let value = dice.element(of: [
        QuoteExpression.rankByDay(inner), .zscoreByDay(inner), .placeByDay(inner, .descending, among: .volume > 0),
        .byDay(Aggregation(.mean, of: inner)), QuoteExpression.demeanedByDay(inner, among: .close > 1),
        inner.of(other), .percentRankByDay(inner - .byDay(Aggregation(.mean, of: inner))),
      ])
      let x = dice.chance(0.3) ? QuoteExpression.prev(value, 2) : value
      let all = try Self.found(market.store.allQuotes, x)
      let isOfValue = dice.chance(0.5)
      let condition = isOfValue ? x > 1 : market.predicate(&dice, depth: 1)
      let first = dice.element(of: market.rows[other]?.days ?? [.earliest])
      let query = market.store.allQuotes.dates(from: first).where(condition)
      let kept = Set(try query.selecting([]).fetchColumns().quotes.map { "\($0.ticker) \($0.date)" })
      let expected = all.filter { kept.contains("\($0[0]) \($0[1])") }
      #expect(try Self.found(query, x) == expected, "\(x) where \(condition)")
      if isOfValue {
        #expect(expected == all.filter { (Double($0[2]) ?? .nan) > 1 && $0[1] >= "\(first)" }, "\(condition)")
      }
    }
  }

  /// What a radix sort of some bits can't tell apart, and what it has no room for.
  @Test func near_and_far_values_are_ranked_alike() throws {
    var dice = TestSettings.dice("near and far")
    let kinds: [[Double]] = [
      (0..<5000).map { 1e9 + Double($0 % 977) / 1024 }, (0..<5000).map { _ in dice.unit() },
      (0..<5000).map { _ in 1 + dice.unit() * 1e-12 } + [
        1e300, -.infinity, .infinity, -0.0, 0, .leastNonzeroMagnitude,
      ],
      (0..<3000).map { Double(3000 - $0) }, [], [1], Array(repeating: 7, count: 400),
    ]
    for values in kinds {
      let shuffled = values.map { ($0, dice.below(1 << 30)) }.sorted { $0.1 < $1.1 }.map(\.0)
      for order in [DateOrder.ascending, .descending] {
        let days = ColumnMemory(repeating: TradingDay.earliest, count: values.count)
        let ranks = try DayRanks(ColumnBuffer(shuffled).shared, on: days, of: [0..<values.count], order)
          .doubled(.place, Crew(threadCount: 2), entryCountMax: 100)
        let expected = shuffled.indices.sorted { a, b in
          shuffled[a] == shuffled[b] ? a < b : (shuffled[a] < shuffled[b]) == (order == .ascending)
        }
        #expect(expected.enumerated().allSatisfy { place, row in ranks[row] == 2 * UInt32(place + 1) })
      }
    }
  }

  @Test(arguments: [
    "rank(close by day)", "rank(close / prev(close) - 1 desc by day among volume > 0)", "pctrank(close by day)",
    "place(volume desc by day)", "mean(close by day among ticker = 'KO')", "count(by day)",
    "count(close > open by day)",
    "quantile(close, 0.9 by day)", "close of 'SPY'", "(close - open) of 'BRK.B'", "close / close of 'SPY'",
  ])
  func a_market_value_is_written_as_it_is_read(_ text: String) throws {
    #expect(try "\(QuoteExpression(parsing: text))" == text)
  }

  @Test func market_values_are_understood_in_all_forms() throws {
    #expect(try QuoteExpression(parsing: "CLOSE OF spy") == QuoteExpression.close.of("SPY"))
    #expect(try QuoteExpression(parsing: "zscore(close by day)") == .zscoreByDay(.close))
    #expect(
      try QuoteExpression(parsing: "demean(close by day among volume > 1)")
        == .demeanedByDay(.close, among: .volume > 1))
    #expect(try QuoteExpression(parsing: "rank(close asc by day)") == .rankByDay(.close))
    #expect(try QuoteExpression(parsing: "rank(close, desc by day)") == .rankByDay(.close, .descending))
    #expect(try QuoteExpression(parsing: "change(close of SPY)") == .change(QuoteExpression.close.of("SPY")))
    #expect(
      try Quoin.Predicate(parsing: "change(close) > change(close) of SPY")
        == (.change(.close) > QuoteExpression.change(.close).of("SPY")))
  }

  @Test(arguments: [
    ("rank(close)", "rank(close, 20), or among all tickers, rank(close by day)"),
    ("mean(close desc by day)", "belongs to a rank"),
    ("rank(close by month)", "rank(close by day)"), ("zscore(close)", "zscore(close by day)"),
    ("rank(close by)", "rank(close by day)"),
    ("first(close by day)", "isn't of a day"), ("close of 5", "a ticker"), ("close of 'no such'", "is no ticker"),
    ("rank(close by day before)", "'among'"), ("rank(close desc)", "'by day'"),
    ("rank(close, 20 by day)", "rank(close by day)"),
    ("frob(close by day)", "isn't of a day"),
  ])
  func a_refused_market_value_names_the_form_that_works(_ text: String, _ words: String) {
    expectRefusal(text, naming: words) { _ = try QuoteExpression(parsing: $0) }
  }

  @Test func the_top_of_a_day_is_among_what_is_selected() throws {
    var dice = TestSettings.dice("top of days")
    for _ in 0..<TestSettings.count(debug: 30, release: 300) {
      let market = try RandomMarket(&dice)
      let (x, condition) = (market.expression(&dice, depth: 1), market.predicate(&dice, depth: 1))
      let (count, order) = (1 + dice.below(3), dice.element(of: [DateOrder.ascending, .descending]))
      let naive = NaiveMarket(market.rows, asking: nil)
      let query = market.store.allQuotes.where(condition)
      let kept = try query.topOfDay(count, by: x, order).selecting([]).fetchColumns()
      let expected = market.tickers.flatMap { ticker in
        zip(market.rows[ticker]!.days, naive.column(of: .rank(.place, order, x, among: condition), for: ticker))
          .filter { $1 <= Double(count) }.map { "\(ticker) \($0.0)" }
      }
      #expect(
        (0..<kept.rowCount).map { "\(kept.tickers[$0]) \(kept.columns.days[$0])" } == expected,
        "\(x) where \(condition)")
    }
  }

  @Test(arguments: [
    ("3", "by what"), ("close", "'3 by change(close) per day'"), ("3 by close", "'per day'"),
    ("3 by close per moth", "did you mean 'month'"),
    ("3 by close per day now", "a comma"), ("3 by close per all", "give an order"), ("3 by ticker per day", "ticker"),
    ("0 by close per day", "'3 by change(close) per day'"),
    ("", "'3 by change(close) per day'"),
  ])
  func a_refused_top_names_the_form_that_works(_ text: String, _ words: String) {
    expectRefusal(text, naming: words) { _ = try TopRows(parsing: $0) }
  }

  /// A NaN isn't equal to itself, and yet what has one in it is found again.
  @Test(arguments: [
    "rank(close by day among close > nan)", "count(by day among close in [nan, 5])",
    "mean(close by day among close != nan)",
    "rank(if(close < nan, 1, nan) by day)",
  ])
  func a_market_value_may_have_a_nan_in_it(_ text: String) throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert([DailyQuoteSummary(ticker: "KO", date: .earliest, close: 1)])
    let x = try QuoteExpression(parsing: text)
    #expect(try store.allQuotes.computing("x", x).fetchColumns().rowCount == 1)
    #expect(try x == QuoteExpression(parsing: text))
    let table = try store.allQuotes.aggregate(Aggregation.list(parsing: "count(close in [nan, 5]), mean(\(text))"))
    #expect(table.integers(table.aggregations[0]) == [0])
  }

  @Test func an_answer_without_rows_has_its_computed_columns() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let query = store.allQuotes.computing("x", .prev(.close))
    #expect(try query.fetchColumns().computed("x") == [] && query.latest().computed("x") == [])
  }

  @Test func a_ticker_without_quotes_is_an_error() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert([DailyQuoteSummary(ticker: "KO", date: .earliest, close: 1)])
    #expect(throws: StoreError.unknownTicker("SPY")) {
      try store.allQuotes.where(.close > QuoteExpression.close.of("SPY")).count()
    }
  }
}
