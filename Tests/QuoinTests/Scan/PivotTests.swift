import Testing

@testable import Quoin

/// Groups whose last key is columns.
@Suite struct PivotTests {
  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for (ticker, days, closes) in [
      ("B", ["2005-01-03", "2006-01-03"], [1, 2]), ("A", ["2005-01-03", "2005-06-03", "2007-01-03"], [3, 4, 5]),
    ] as [(TickerSymbol, [TradingDay], [Double])] {
      var columns = QuoteColumns(days: days)
      columns[.close] = closes
      columns[.volume] = days.map { _ in 100 }
      try store.upsert([ticker: columns])
    }
    return store
  }

  private static func table(_ texts: KeyValuePairs<QuestionField.Name, String>) throws -> [[String?]] {
    let question = try QuoteQuestion([(.pivot, "true")] + texts.map { ($0.key, $0.value) })
    guard case .groups(let answer) = try store().answer(question) else { return [] }
    let table = RecordTable(answer)
    #expect(question.keyCount + answer.columns.count == table.columns.count)
    return [table.columns.map(\.name)] + table.batch(from: 0)
  }

  @Test func the_values_of_the_last_key_are_columns() throws {
    #expect(
      try Self.table([.aggregates: "max(close)", .by: "year, ticker"]) == [
        ["year", "A", "B"], ["2005-01-01", "4.0", "1.0"], ["2006-01-01", nil, "2.0"], ["2007-01-01", "5.0", nil],
      ])
    #expect(
      try Self.table([.aggregates: "count, argmax(close) as day", .by: "ticker, year(date) as y"]) == [
        ["ticker", "2005 count", "2005 day", "2006 count", "2006 day", "2007 count", "2007 day"],
        ["A", "2", "2005-06-03", nil, nil, "1", "2007-01-03"], ["B", "1", "2005-01-03", "1", "2006-01-03", nil, nil],
      ])
  }

  /// Groups are chosen before, and come in their order; a limit is of rows.
  @Test func conditions_are_of_groups_and_a_limit_is_of_rows() throws {
    #expect(
      try Self.table([.aggregates: "max(close) as top", .by: "year, ticker", .having: "top < 5", .order: "year desc"])
        == [["year", "A", "B"], ["2006-01-01", nil, "2.0"], ["2005-01-01", "4.0", "1.0"]])
    #expect(
      try Self.table([.aggregates: "max(close)", .by: "year, ticker", .limit: "1", .offset: "1"]) == [
        ["year", "A", "B"], ["2006-01-01", nil, "2.0"],
      ])
    #expect(try Self.table([.aggregates: "max(close)", .by: "year, ticker", .offset: "9"]) == [["year", "A", "B"]])
    #expect(try Self.table([.aggregates: "count", .by: "year, ticker", .where: "close > 9"]) == [["year"]])
  }

  @Test func a_missing_value_is_the_last_column() throws {
    #expect(
      try Self.table([.aggregates: "count", .by: "ticker, sign(change(close)) as s"]) == [
        ["ticker", "1", "missing"], ["A", "2", "1"], ["B", "1", "1"],
      ])
  }

  @Test func more_columns_than_anybody_reads_are_refused() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(5_001)])
    let question = try QuoteQuestion([.aggregates: "count", .by: "ticker, day", .pivot: "true"])
    #expect(throws: StoreError.tooManyColumns(key: "day", count: 5_001, countMax: 5_000)) {
      try store.answer(question)
    }
  }
}
