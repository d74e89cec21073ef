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
    let taken = StoreError.dayTaken(path: "store", ticker: "BA", day: "2001-01-01")
    #expect(throws: taken) { try store.rename(.fedEx, to: "BA") }
    #expect(throws: taken) { try store.rename("BA", to: "BA") }
    let part = (first: "2001-01-09" as TradingDay, last: "2001-01-20" as TradingDay)
    #expect(throws: StoreError.dayTaken(path: "store", ticker: "BA", day: part.first)) {
      try store.rename(.fedEx, to: "BA", from: part.first, through: part.last)
    }
    let none = (first: "1999-01-01" as TradingDay, last: "1999-12-31" as TradingDay)
    for (first, last) in [(none.first, none.last), (part.last, part.first)] {
      #expect(throws: StoreError.noQuotesOfDays(path: "store", ticker: .fedEx, first: first, last: last)) {
        try store.rename(.fedEx, to: "NEW", from: first, through: last)
      }
    }
    #expect(try content(of: store) == rows && store.generation == 2)
  }

  @Test(arguments: [2000, 4]) func two_histories_that_do_not_meet_become_one(_ rowCount: Int) async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let rows = QuoteColumns.sample(3000)
    // Each has rows before, between and after those of the other.
    try await store.upsert(["FB": rows.gathered((0..<rowCount).filter { $0 % 2 == 0 })], source: "old")
    try await store.upsert(["META": rows.gathered((0..<rowCount).filter { $0 % 2 == 1 })], source: "new")
    try await store.rename("FB", to: "META")
    #expect(try content(of: store) == ["META": rows.sliced(0..<rowCount).cellBits])
    #expect(try Self.origins(store, "META").map { $0.prefix(3) }.sorted() == ["new", "old"])
    #expect(try await store.verify().damages.isEmpty)
  }

  @Test func rows_of_some_days_get_another_name_and_the_rest_stays() throws {
    let store = try Self.store()
    let rows = QuoteColumns.sample(2000)
    let (first, last) = (rows.days[500], rows.days[1499])
    try store.rename(.fedEx, to: "PART", from: first, through: last)
    let after = try content(of: store)
    #expect(after["PART"] == rows.sliced(500..<1500).cellBits)
    #expect(
      after[.fedEx] == rows.sliced(0..<500).cellBits + rows.sliced(1500..<2000).cellBits
        + QuoteColumns.sample(5, from: "2015-01-01").cellBits)
    #expect(try Self.origins(store, "PART") == ["first \(first) \(last) 1000"])
    #expect(try Self.origins(store, .fedEx).count == 2)
    // And back, where its days are free again.
    try store.rename("PART", to: .fedEx)
    #expect(try store.quotes(for: .fedEx).count() == 2005)
    try store.rename(.fedEx, to: "END", from: "2015-01-01")
    try store.rename(.fedEx, to: "ALL", through: last)
    #expect(try store.tickers.map { try store.quotes(for: $0).count() } == [1500, 30, 5, 500])
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
