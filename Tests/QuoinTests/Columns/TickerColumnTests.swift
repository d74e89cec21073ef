import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct TickerColumnTests {
  @Test func a_column_has_the_tickers_that_it_was_made_of() {
    var dice = TestSettings.dice("columns of tickers")
    let symbols: [TickerSymbol] = ["FDX", "BRK.A", "BRK_A", "^GSPC"]
    for _ in 0..<100 {
      let tickers = (0..<dice.below(50)).map { _ in dice.element(of: symbols) }
      let column = TickerColumn(tickers)
      #expect(Array(column) == tickers && column.count == tickers.count && column == TickerColumn(tickers))
      #expect(Set(column.symbols) == Set(tickers) && column.symbols.count == Set(tickers).count)
      #expect(column.symbolIndices.map { column.symbols[Int($0)] } == tickers)
      #expect(column.last == tickers.last && column.first == tickers.first)
      let runs = column.runs
      #expect(runs.flatMap { Array(repeating: $0.ticker, count: $0.count) } == tickers)
      #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.ticker != $1.ticker })
    }
  }

  @Test func columns_are_equal_whatever_their_lists_of_symbols() {
    let column = TickerColumn(symbols: ["A", "B", "C"], places: [2, 2, 0])
    #expect(column == ["C", "C", "A"] && column != ["C", "C"] && column != ["C", "A", "C"])
    #expect(TickerColumn().isEmpty && TickerColumn(repeating: "A", count: 3) == ["A", "A", "A"])
    #expect(TickerColumn(repeating: "A", count: 0).runs.isEmpty)
  }

  @Test func a_result_names_its_tickers_by_places_in_the_stores_list() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["C": .sample(2), "A": .sample(3), "B": .sample(1)])
    let batch = try store.quotes(for: "C", "NONE", "A").fetchColumns()
    #expect(batch.tickers == ["C", "C", "A", "A", "A"] && batch.tickers.symbols == ["A", "B", "C"])
    #expect(batch.tickers.symbolIndices == [2, 2, 0, 0, 0])
    #expect(batch.quotes.map(\.ticker) == Array(batch.tickers) && batch.quote(at: 2)?.ticker == "A")
    let groups = try store.quotes(for: "B", "A").aggregate([.count], by: .month)
    #expect(groups.tickers == ["B", "A"] && groups.tickers.symbolIndices == [1, 0])
    #expect(try store.allQuotes.where(.range(.high, 1e9...)).fetchColumns().tickers.isEmpty)
    #expect(try store.allQuotes.aggregate([.count]).tickers.isEmpty)
  }

  @Test func a_batch_made_by_hand_has_its_ticker() throws {
    let batch = QuoteBatch(ticker: "EURUSD=X", columns: .sample(2))
    #expect(batch.tickers == ["EURUSD=X", "EURUSD=X"] && batch.quotes.map(\.ticker) == ["EURUSD=X", "EURUSD=X"])
    #expect(QuoteBatch(ticker: "A", columns: QuoteColumns()).tickers.isEmpty && QuoteBatch().tickers.isEmpty)
  }
}
