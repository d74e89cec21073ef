import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Aggregates of aggregates: what groups inside a group amount to.
@Suite struct DividedGroupTests {
  private static let keys: [Grouping.Key] =
    Grouping.Key.allCases + [.expression(.sign(.change(.close)), name: "direction")]

  /// The groups inside are those of a question of its own, and what they amount to is their values'.
  @Test func parts_are_groups_and_add_up() throws {
    var dice = TestSettings.dice("divided groups")
    for _ in 0..<TestSettings.count(debug: 6, release: 200) {
      let market = try RandomMarket(&dice)
      let tickers = dice.chance(0.5) ? Array(market.tickers.reversed()) : market.tickers
      let query = market.store.quotes(for: tickers).threads(1 + dice.below(4))
      let outer = dice.subset(of: Self.keys).filter { _ in dice.chance(0.3) }
      let inner = Grouping(dice.element(of: Self.keys), .month)
      let grouping = outer.isEmpty ? nil : Grouping(outer)
      let parts = Grouping(outer).divided(by: inner)
      let ofQuotes: [Aggregation] = [.max(.close), .count, Aggregation(.mean, of: .change(.close))]
      let inside = dice.element(of: ofQuotes)

      let functions: [Aggregation.Function] = [.max, .min, .sum, .mean, .count, .first, .last]
      let wanted = functions.map { Aggregation(Aggregation($0, of: .aggregated(inside)), per: inner) }
      let table = try query.aggregate(wanted + [.count], by: grouping)
      let plain = try query.aggregate([.count], by: grouping)
      #expect(table.integers(.count) == plain.integers(.count))

      let divided = try query.aggregate([inside], by: parts)
      var values: [[String]: [(value: Double, day: TradingDay)]] = [:]
      let months = divided.periods(inner.keys.first { $0.period != nil }!)
      for (row, value) in divided.doubles(inside).enumerated() {
        let key = Array(NaiveGroups.keys(divided, row).prefix(outer.count))
        if let value { values[key, default: []].append((value, months[row])) }
      }
      for row in 0..<table.rowCount {
        let cells = values[NaiveGroups.keys(table, row)] ?? []
        let numbers = cells.map(\.value)
        let firstDay = cells.map(\.day).min()
        let lastDay = cells.map(\.day).max()
        let expected: [Double?] = [
          numbers.max(), numbers.min(), numbers.isEmpty ? nil : NaiveSum.sum(numbers),
          numbers.isEmpty ? nil : NaiveSum.mean(numbers), Double(numbers.count),
          cells.first { $0.day == firstDay }?.value,
          cells.last { $0.day == lastDay }?.value,
        ]
        for (aggregation, value) in zip(wanted, expected) {
          let found = table.doubles(aggregation)[row]
          #expect(
            found == value.flatMap { $0.isFinite ? $0 : nil },
            "\(aggregation) by \(outer), row \(row) of \(tickers)")
        }
      }
    }
  }

  private static func answer(_ texts: KeyValuePairs<QuestionField.Name, String>) throws -> [[String?]] {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let days: [TradingDay] = ["2005-01-03", "2005-01-04", "2005-02-01", "2005-02-02", "2006-01-03"]
    for (ticker, closes) in [("A", [1, 5, 2, 3, 9]), ("B", [10, 20, 40, 30, 50])] as [(TickerSymbol, [Double])] {
      var columns = QuoteColumns(days: days)
      columns[.close] = closes
      columns[.volume] = [100, 300, 100, 100, 100]
      try store.upsert([ticker: columns])
    }
    guard case .groups(let answer) = try store.answer(try QuoteQuestion(texts)) else { return [] }
    let table = RecordTable(answer)
    return table.batch(from: 0)
  }

  @Test func the_mean_of_the_highs_of_months() throws {
    #expect(
      try Self.answer([.aggregates: "mean(max(close) per month) as m, count(count per month) as n", .by: "ticker"])
        == [["A", "5.666666666666667", "3"], ["B", "36.666666666666664", "3"]])
    #expect(
      try Self.answer([
        .aggregates: "max(last(close) / first(close) - 1 per year), argmax(last(close) per month)", .by: "ticker",
      ])
        == [["A", "2.0", "2006-01-01"], ["B", "2.0", "2006-01-01"]])
    #expect(
      try Self.answer([.aggregates: "max(close) as top, mean(top per ticker) as m, top - m as rest"]) == [
        ["50.0", "29.5", "20.5"]
      ])
    #expect(
      try Self.answer([
        .aggregates:
          "share(last(close) > first(close) per month) as up, weighted_mean(max(close), sum(volume) per month)",
        .by: "ticker", .having: "up > 0.5",
      ]) == [["A", "0.6666666666666666", "5.0"]])
  }

  @Test(
    arguments: [
      ("mean(max(close) per moon)", "isn't one of ticker"),
      ("mean(mean(max(close) per month) per year)", "has another 'per' in it"),
      ("argmax(max(close) per ticker)", "is by the day, so the groups are periods"),
      ("vwap(max(close) per month)", "write weighted_mean(max(high), sum(volume) per month)"),
      ("mean(close per month)", "'close' needs a function"),
      ("mean(max(close) per all)", "per which groups?"),
      ("mean(max(close) per month", "not closed"),
    ]) func what_says_nothing_is_told(_ text: String, _ part: String)
  {
    #expect { try GroupQuestion(parsing: text) } throws: { "\($0)".contains(part) }
  }

  @Test func a_row_has_no_groups() {
    #expect { try QuoteExpression(parsing: "mean(max(close) per month)") } throws: {
      "\($0)".contains("'per' belongs to an aggregate of aggregates")
    }
  }

  @Test(arguments: ["mean(max(close) per month)", "share(max(close) > 3 per ticker, year)", "count(count per month)"])
  func what_is_written_reads_back(_ text: String) throws {
    let columns = try GroupQuestion(parsing: text).columns
    #expect("\(columns[0].expression)" == text)
    #expect(try GroupQuestion(parsing: "\(columns[0].expression)").columns[0].expression == columns[0].expression)
  }

  /// What looks at others of the day, or ahead, does so inside parts too.
  @Test func a_question_knows_what_its_parts_are_of() throws {
    let question = try QuoteQuestion([.aggregates: "mean(max(rank(close by day)) per month)"])
    #expect(question.isByDay)
    #expect(try !QuoteQuestion([.aggregates: "mean(max(close) per month)"]).isByDay)
  }
}
