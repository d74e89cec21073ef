import Testing

@testable import Quoin

/// Values that depend on all rows of a long history.
@Suite struct FarResultsTests {
  private static let rowCount = 120_000
  private static let closes: [Double] = (0..<rowCount).map { row in Double((row * 7919) % 10_007) / 16 }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(
      closes.enumerated().map { row, close in
        DailyQuoteSummary(
          ticker: .fedEx, date: TradingDay(daysSince1970: row - 50_000)!, open: close, high: close, low: close,
          close: close, volume: 1)
      })
    return store
  }

  @Test func a_long_history_is_evaluated_a_few_times() throws {
    let store = try Self.store()
    for (rows, order) in [
      (nil, DateOrder.ascending), (nil, .descending), (90_000, .ascending), (90_000, .descending), (70_000, .ascending),
    ] {
      let window = rows.map { RowWindow(rows: $0, minimum: 1) } ?? .all
      var values = [Double](repeating: 0, count: Self.rowCount)
      var results = values.mutableSpan
      WindowFunction.max.fill(&results, from: [ColumnBuffer(Self.closes)], over: window)
      let x = rows.map { QuoteExpression.max(.close, $0, minimum: 1) } ?? .max(.close, nil)
      let query = store.allQuotes.selecting([]).computing("x", x).where(x > 600).ordered(order)
      for rowsPerBatch in [2000, .max] {
        var scan = Scan(query, rowsPerBatch: rowsPerBatch)
        let plan = try #require(try scan.begin())
        var found: [Double] = []
        while let batch = try scan.nextBatch() { found += try #require(batch.computed("x")).map(\.self) }
        let expected = values.filter { $0 > 600 }
        #expect(found == (order == .ascending ? expected : expected.reversed()), "\(window), \(order)")
        // For the condition and for the column; without more rows than are asked for, they would be some hundred times.
        let count = plan.farResults.rowCount
        #expect(count > 0 && count < 10 * Self.rowCount, "\(count) rows, \(window), \(order)")
      }
    }
  }
}
