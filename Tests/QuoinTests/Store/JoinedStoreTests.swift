import Testing

@testable import Quoin

/// Several stores that are shown as one.
@Suite struct JoinedStoreTests {
  private static func store(_ path: String, _ tickers: [TickerSymbol]) throws -> QuoteStore {
    let store = try QuoteStore(at: path, in: InMemoryFiles())
    for ticker in tickers { try store.upsert([ticker: .sample(41, salt: Int(ticker.utf8[0]))]) }
    return store
  }

  @Test func a_joined_store_has_the_tickers_of_all_and_doesnt_change() throws {
    let (first, second) = (try Self.store("one", ["C", "A"]), try Self.store("two", ["B", "D"]))
    let joined = try QuoteStore(joining: [first, second])
    #expect(joined.tickers == ["A", "B", "C", "D"] && joined.generation == 4)
    #expect(joined.shards == [StoreShard(path: "one", generation: 2), StoreShard(path: "two", generation: 2)])
    let all = try joined.allQuotes.fetch()
    let parts = try [first, second].flatMap { try $0.allQuotes.fetch() }
    #expect(all == parts.sorted { ($0.ticker, $0.date) < ($1.ticker, $1.date) } && all.count == 164)
    #expect(joined.summary.rowCount == 164)
    let ranked = try joined.allQuotes.where(.rankByDay(.close) <= 1).count()
    #expect(ranked == 41, "ranks are among the tickers of all stores")

    try first.delete("A")
    #expect(try !joined.refresh() && joined.allQuotes.count() == 164)
    #expect(throws: StoreError.readOnly(path: joined.path)) { try joined.delete("B") }
  }

  @Test func a_ticker_may_not_be_in_two_of_them() throws {
    let stores = [
      try Self.store("one", ["A", "B"]), try Self.store("two", ["C"]), try Self.store("three", ["B", "D"]),
    ]
    #expect(throws: StoreError.tickerTwice("B", path: "one", otherPath: "three")) {
      try QuoteStore(joining: stores)
    }
  }
}
