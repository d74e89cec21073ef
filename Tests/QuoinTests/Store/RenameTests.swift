import Testing

@testable import Quoin

@Suite struct RenameTests {
  /// A store whose FDX came in two imports, beside another ticker.
  private static func store(_ files: InMemoryFiles = InMemoryFiles()) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert([.fedEx: .sample(2000), "BA": .sample(30)], source: "first")
    try store.upsert([.fedEx: .sample(5, from: "2015-01-01")], source: "second")
    return store
  }

  private static func origins(_ store: QuoteStore, _ ticker: TickerSymbol) throws -> [String] {
    try store.importRecords(of: ticker).map { "\($0.source) \($0.firstDay) \($0.lastDay) \($0.rowCount)" }
  }

  @Test func the_rows_stay_bit_for_bit_and_the_records_of_imports_follow() throws {
    let files = InMemoryFiles()
    let store = try Self.store(files)
    let (rows, origins) = (try content(of: store), try Self.origins(store, .fedEx))
    #expect(origins.count == 2)
    try store.rename(.fedEx, to: "FEDEX")
    #expect(store.tickers == ["BA", "FEDEX"] && store.generation == 3)
    for content in [try content(of: store), try content(in: "store", files)] {
      #expect(content["FEDEX"] == rows[.fedEx] && content["BA"] == rows["BA"] && content.count == 2)
    }
    #expect(try Self.origins(store, "FEDEX") == origins && Self.origins(store, .fedEx).isEmpty)
    try store.compact()
    #expect(try Self.origins(store, "FEDEX") == origins)
    #expect(try store.verify().damages.isEmpty)
    // And back again: what the name had before doesn't come back twice.
    try store.rename("FEDEX", to: .fedEx)
    #expect(try content(of: store) == rows && Self.origins(store, .fedEx) == origins)
    try store.undo()
    #expect(store.tickers == ["BA", "FEDEX"])
  }

  @Test func a_ticker_that_is_not_there_and_a_name_that_is_taken_are_refused() throws {
    let store = try Self.store()
    let rows = try content(of: store)
    #expect(throws: StoreError.noQuotes(path: "store", ticker: "NONE")) { try store.rename("NONE", to: "BA") }
    #expect(throws: StoreError.tickerTaken(path: "store", ticker: "BA")) { try store.rename(.fedEx, to: "BA") }
    #expect(throws: StoreError.tickerTaken(path: "store", ticker: "BA")) { try store.rename("BA", to: "BA") }
    #expect(try content(of: store) == rows && store.generation == 2)
  }

  @Test func a_transaction_renames_what_it_has_changed_so_far() throws {
    let store = try Self.store()
    let rows = try content(of: store)
    try store.write { transaction in
      try transaction.upsert(.sample(7), of: "NEW", source: "third")
      try transaction.rename("BA", to: "OLD")
      try transaction.rename("NEW", to: "BA")
      try transaction.rename("OLD", to: "NEW")
    }
    let after = try content(of: store)
    #expect(after["NEW"] == rows["BA"] && after["BA"] == QuoteColumns.sample(7).cellBits)
    #expect(try Self.origins(store, "BA").map { $0.prefix(5) } == ["third"])
    #expect(try Self.origins(store, "NEW").map { $0.prefix(5) } == ["first"])
  }

  @Test func those_who_follow_see_both_names() async throws {
    let store = try Self.store()
    var iterator = store.changes.makeAsyncIterator()
    try await store.rename("BA", to: "B")
    #expect(try await iterator.next()?.tickers == ["B", "BA"])
  }
}
