import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct GroupTests {
  private static let functions = Aggregation.Function.all

  private static func aggregation(_ market: RandomMarket, _ dice: inout SeededRandom) -> Aggregation {
    switch dice.below(8) {
    case 0: return .count
    case 1: return .count(market.predicate(&dice, depth: 1))
    case 2: return .share(market.predicate(&dice, depth: 1))
    case 3: return Aggregation(dice.element(of: functions), of: dice.element(of: Attribute.allCases))
    default:
      let expression = market.expression(&dice, depth: dice.below(3))
      return Aggregation(
        dice.element(of: functions), of: expression, weight: dice.element(of: [.volume, .close]),
        share: dice.element(of: [0, 0.1, 0.5, 0.9, 1]))
    }
  }

  private static func grouping(_ market: RandomMarket, _ dice: inout SeededRandom) -> Grouping? {
    var keys = dice.subset(of: Grouping.Key.allCases).filter { _ in dice.chance(0.4) }
    if dice.chance(0.3) {
      keys.append(.expression(.calendar(dice.element(of: CalendarField.allCases)), name: "part"))
      if dice.chance(0.5) { keys.removeAll { $0.expression == nil } }
      let x = market.expression(&dice, depth: dice.below(2))
      if dice.chance(0.5) { keys.append(.expression(dice.chance(0.5) ? x : .sign(x - 1), name: "value")) }
    }
    let shuffled = keys.map { (dice.below(1000), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    switch shuffled.count {
    case 0: return nil
    case 1: return Grouping(shuffled[0])
    case 2: return Grouping(shuffled[0], shuffled[1])
    case 3: return Grouping(shuffled[0], shuffled[1], shuffled[2])
    default: return Grouping(shuffled[0], shuffled[1], shuffled[2], shuffled[3])
    }
  }

  private static func texts(_ table: AggregateTable) -> [[String]] {
    (0..<table.rowCount).map { row in
      NaiveGroups.keys(table, row) + table.columns.map { $0.text(at: row) ?? "-" }
    }
  }

  /// Any aggregates of any expressions, by any groups, are what a dictionary of rows says.
  @Test func groups_are_those_of_a_dictionary() throws {
    var dice = TestSettings.dice("groups")
    for _ in 0..<TestSettings.count(debug: 40, release: 300) {
      let market = try RandomMarket(&dice)
      let predicate = market.predicate(&dice, depth: dice.below(2))
      let query = market.store.allQuotes.where(predicate).threads(1 + dice.below(4))
      var answer: NaiveGroups.Rows = []
      for ticker in market.tickers {
        let truths = truths(predicate, market.rows[ticker]!, of: ticker)
        let rows = truths.indices.filter { truths[$0] == yes }
        if !rows.isEmpty { answer.append((ticker, rows)) }
      }
      for _ in 0..<4 {
        let grouping = Self.grouping(market, &dice)
        var aggregations: [Aggregation] = []
        for _ in 0...dice.below(4) { aggregations.append(Self.aggregation(market, &dice)) }
        let table = try query.aggregate(aggregations, by: grouping)
        var naive = NaiveGroups(answer, market.rows, grouping)
        let keys = (0..<table.rowCount).map { NaiveGroups.keys(table, $0) }
        try #require(keys == naive.groups.map(\.keys), "\(predicate) by \(grouping?.keys ?? [])")
        for row in 0..<table.rowCount {
          for aggregation in aggregations {
            if let fault = naive.fault(aggregation, of: table, in: row) {
              Issue.record("\(fault) by \(grouping?.keys ?? [])")
            }
          }
        }
        let other = try query.threads(1 + dice.below(4)).aggregate(aggregations, by: grouping)
        #expect(Self.texts(other) == Self.texts(table), "other threads")
      }
    }
  }

  /// What is measured of blocks and what is measured row by row are the same, bit by bit.
  @Test func rows_and_blocks_add_up_to_the_same() throws {
    var dice = TestSettings.dice("rows and blocks")
    for _ in 0..<TestSettings.count(debug: 30, release: 300) {
      let market = try RandomMarket(&dice)
      let query = market.store.allQuotes.where(market.predicate(&dice, depth: dice.below(2)))
      let names = dice.subset(of: Attribute.allCases)
      let aggregations = [.count] + names.flatMap { name in NaiveGroup.ofBlocks.map { Aggregation($0, of: name) } }
      for grouping in [Grouping?.none, .ticker, .week, .month, .year] {
        let aggregations = aggregations.filter { grouping != nil || $0.function != .first && $0.function != .last }
        let blocks = try query.aggregate(aggregations, by: grouping)
        let rows = try query.rowGroups(aggregations, by: grouping)
        for (row, (a, b)) in zip(Self.texts(blocks), Self.texts(rows)).enumerated() where a != b {
          let differing = zip(a, b).filter { $0 != $1 }
          Issue.record("row \(row) by \(grouping?.keys ?? []): \(differing)")
        }
        #expect(blocks.rowCount == rows.rowCount)
      }
    }
  }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var quotes: [DailyQuoteSummary] = []
    for (ticker, factor) in [("FDX", 1.0), ("KO", 2.0), ("MSFT", -1.0)] as [(TickerSymbol, Double)] {
      for day in 0..<10 {
        quotes.append(
          DailyQuoteSummary(
            ticker: ticker, date: TradingDay(daysSince1970: 13_069 + day)!, open: 10, close: 10 + factor * Double(day),
            volume: Int64(day * 100)))
      }
    }
    try store.upsert(quotes)
    return store
  }

  @Test func a_limit_is_of_groups() throws {
    let store = try Self.store()
    let all = try store.allQuotes.aggregate([.max(.close), .count], by: .ticker)
    let first = try store.allQuotes.limited(to: 2).aggregate([.max(.close), .count], by: .ticker)
    #expect(Array(first.tickers) == ["FDX", "KO"] && first.doubles(.max(.close)) == [19, 28])
    #expect(first.integers(.count) == [10, 10] && all.rowCount == 3)
    let last = try store.allQuotes.offset(by: 2).aggregate([.max(.close)], by: .ticker)
    #expect(Array(last.tickers) == ["MSFT"] && last.doubles(.max(.close)) == [10])
    #expect(try store.allQuotes.limited(to: 1).aggregate([.max(.close)]).doubles(.max(.close)) == [28])
    #expect(try store.allQuotes.limited(to: 1).aggregate(.close).count == 30)
    #expect(try store.allQuotes.limited(to: 0).aggregate([.count]).rowCount == 0)
  }

  @Test func a_question_has_computed_columns_conditions_and_an_order() throws {
    let store = try Self.store()
    func answer(
      _ columns: String, having condition: String? = nil, order: String? = nil, by grouping: Grouping? = .ticker
    )
      throws -> [String]
    {
      let question = try GroupQuestion(parsing: columns, condition: condition, order: order)
      let table = RecordTable(try store.allQuotes.answer(question, by: grouping))
      return [table.columns.map(\.name).joined(separator: " ")]
        + table.batch(from: 0).map { $0.map { $0 ?? "-" }.joined(separator: " ") }
    }
    #expect(
      try answer("max(close) / min(close) - 1 as range, count", having: "range > 0.95", order: "range desc")
        == ["ticker range count", "MSFT 9.0 10", "KO 1.7999999999999998 10"])
    #expect(
      try answer("count", having: "max(close) >= 19", order: "-max(close)") == ["ticker count", "KO 10", "FDX 10"])
    #expect(
      try answer("argmax(close), count(close > open), share(change(close) > 0)", by: nil)
        == ["argmax(close) count(close > open) share(change(close) > 0)", "2005-10-22 18 0.6666666666666666"])
    #expect(
      try answer("max(close) as a, min(close) as b, a - b as c", order: "C", by: .ticker).map { $0.suffix(4) }
        == [" b c", " 9.0", " 9.0", "18.0"])
    #expect(try answer("count(distinct close), vwap", order: "vwap", by: .day).count == 11)
    #expect(try answer("mean(close) as m", order: "m asc", by: .weekday).count == 8)
    #expect(try answer("count", having: "count > 10") == ["ticker count"])
  }

  /// What pandas and numpy say of these closes and volumes.
  @Test func statistics_are_those_of_pandas() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(
      zip([2.0, 4, 4, 5, 7, 9], [10, 20, 15, 40, 30, 80] as [Int64]).enumerated().map { day, pair in
        DailyQuoteSummary(ticker: "KO", date: TradingDay(daysSince1970: 13_000 + day)!, close: pair.0, volume: pair.1)
      })
    let names = ["var", "product", "mad", "skew", "kurt"].map { "\($0)(close)" }
    let pairs = ["corr", "cov", "slope", "r2"].map { "\($0)(close, volume)" }
    let question = try GroupQuestion(parsing: (names + pairs + ["max(date)", "min(date)"]).joined(separator: ", "))
    let answer = try store.allQuotes.answer(question, by: nil)
    for (name, expected) in zip(
      names + pairs,
      [
        6.166_666_666_666_667, 10_080, 1.888_888_888_888_889, 0.539_827_140_626_198_6, -0.148_137_326_515_706_2,
        0.887_309_910_805_223_8, 56.5, 0.085_931_558_935_361_21, 0.787_318_877_813_174_3,
      ])
    {
      let value = try #require(answer.doubles(name)[0], "\(name)")
      #expect(abs(value - expected) <= abs(expected) * 1e-12, "\(name) \(value)")
    }
    #expect(answer.texts("max(date)") == ["2005-08-10"] && answer.texts("min(date)") == ["2005-08-05"])
    let days = try store.allQuotes.computing("c", QuoteExpression(parsing: "corr(close, volume by day)"))
    #expect(try days.fetchColumns().computed("c")?.allSatisfy(\.isNaN) == true)
  }

  @Test(arguments: [
    ("close", "needs a function, such as mean(close)"), ("meen(close)", "did you mean 'mean'"),
    ("mean(close, 20)", "write it inside: mean(mean(close, 20))"), ("mean(close > open)", "share(close > open)"),
    ("count(*)", "is written count"), ("quantile(close)", "quantile(close, 0.9)"),
    ("quantile(close, 90)", "from 0 to 1"),
    ("mean(close) as", "expected a name"), ("mean(close), mean(close)", "listed twice"), ("date", "no date of its own"),
    ("sum", "needs '('"), ("share(close)", "expected a comparison"), ("mean()", "mean(close)"), ("", "is empty"),
    ("mean(close) mean(open)", "a comma"), ("if(close > 1, 1, 2)", "needs a function"),
    ("frob(close)", "unknown function"),
  ])
  func a_refused_list_names_the_form_that_works(_ text: String, _ words: String) {
    expectRefusal(text, naming: words) { _ = try GroupQuestion(parsing: $0) }
  }

  @Test func quotes_come_by_an_expression() throws {
    var dice = TestSettings.dice("sorted")
    for _ in 0..<TestSettings.count(debug: 60, release: 600) {
      let market = try RandomMarket(&dice)
      let expression = market.expression(&dice, depth: dice.below(2))
      let query = market.store.allQuotes.where(market.predicate(&dice, depth: 1)).computing("x", expression)
      let all = try query.fetchColumns()
      let values = all.computed("x") ?? []
      let isDescending = dice.chance(0.5)
      let expected = (0..<all.rowCount).sorted { a, b in
        if values[a].isNaN || values[b].isNaN { return values[a].isNaN == values[b].isNaN ? a < b : values[b].isNaN }
        return values[a] == values[b] ? a < b : isDescending ? values[a] > values[b] : values[a] < values[b]
      }
      let (limit, offset) = (dice.element(of: [0, 1, 3, 50, 5000]), dice.element(of: [0, 0, 2, 100]))
      let page = Array(expected.dropFirst(offset).prefix(limit))
      let found = try query.limited(to: limit).offset(by: offset).sorted(
        by: expression, isDescending ? .descending : .ascending)
      let name = "\(expression), \(limit) after \(offset)"
      #expect(Array(found.tickers) == page.map { all.tickers[$0] }, "\(name)")
      #expect(found.columns.days == page.map { all.columns.days[$0] }, "\(name)")
      #expect((found.computed("x") ?? []).map(\.bitPattern) == page.map { values[$0].bitPattern }, "\(name)")
      let whole = try query.sorted(by: expression, isDescending ? .descending : .ascending)
      #expect(whole.columns.days == expected.map { all.columns.days[$0] }, "\(name)")
    }
  }
}
