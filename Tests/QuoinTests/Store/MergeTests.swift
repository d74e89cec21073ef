import Testing

@testable import Quoin

@Suite struct MergeTests {
  private static func store(_ path: String = "store") throws -> QuoteStore {
    let store = try QuoteStore(at: path, in: InMemoryFiles())
    try store.upsert(["FDX": .sample(1500), "A": .sample(3)], source: "here")
    return store
  }

  /// Other values of some days of FDX, later days, and another ticker.
  private static func other() throws -> QuoteStore {
    let store = try QuoteStore(at: "other", in: InMemoryFiles())
    try store.upsert(["FDX": .sample(1600, salt: 3), "NEW": .sample(9)], source: "there")
    return store
  }

  @Test(arguments: UpsertMode.allCases)
  func a_merge_does_what_an_upsert_of_the_same_rows_does(_ mode: UpsertMode) throws {
    let (store, expected, other) = (try Self.store(), try Self.store(), try Self.other())
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for ticker in other.tickers { rows[ticker] = try other.quotes(for: ticker).fetchColumns().columns }
    #expect(try store.merge(other, mode: mode) == expected.upsert(rows, mode: mode))
    #expect(try content(of: store) == content(of: expected))
    #expect(store.generation == 2 && other.generation == 1)
    #expect(try store.verify().damages.isEmpty)
    try store.undo()
    #expect(try content(of: store) == content(of: Self.store()))
  }

  @Test func an_attribute_without_values_there_keeps_those_here() throws {
    let (store, other) = (try Self.store(), try QuoteStore(at: "other", in: InMemoryFiles()))
    let day = QuoteColumns.sample(1).days[0]
    try other.upsert([
      DailyQuoteSummary(ticker: "A", date: day, close: 7),
      DailyQuoteSummary(ticker: "A", date: "2030-01-02", close: 8),
    ])
    let before = try store.quotes(for: "A").fetch()
    #expect(
      try store.merge(other)
        == {
          var c = UpsertCounts(inserted: 1, replaced: 1)
          c.countChange(of: .close)
          return c
        }())
    var quote = before[0]
    quote.close = 7
    #expect(try store.quotes(for: "A").fetch().prefix(3) == [quote, before[1], before[2]])
    try store.merge(other, mode: .replace)
    #expect(try store.quotes(for: "A").fetch()[0] == DailyQuoteSummary(ticker: "A", date: day, close: 7))
  }

  @Test func the_records_of_imports_come_along_once() throws {
    let (store, other) = (try Self.store(), try Self.other())
    try store.merge(other)
    let records = try store.importRecords()
    #expect(
      records.map { "\($0.ticker) \($0.source) \($0.generation)" } == [
        "A here 1", "FDX here 1", "FDX there 2", "NEW there 2",
      ])
    #expect(try records.last?.importedAt == other.importRecords().last?.importedAt)
    try store.merge(other)
    #expect(try store.importRecords() == records && store.generation == 2)
    // What changed since then is taken over, and its record.
    try other.upsert(["NEW": .sample(2, from: "2020-01-01")], source: "later")
    try store.merge(other)
    #expect(try store.importRecords().dropLast() == records[...])
    #expect(try store.importRecords().last?.source == "later")
    try store.compact()
    #expect(try store.importRecords().count == 5)
  }

  @Test func some_tickers_are_merged_alone() throws {
    let (store, other) = (try Self.store(), try Self.other())
    var seen: [Int] = []
    #expect(try store.merge(other, tickers: ["NEW", "NONE", "NEW"]) { seen.append($0) }.inserted == 9)
    #expect(store.tickers == ["A", "FDX", "NEW"] && seen == [9])
    #expect(try store.importRecords().count == 3)
    #expect(try store.merge(other, tickers: []) == UpsertCounts())
  }

  @Test func the_store_itself_is_refused_and_an_earlier_state_of_it_is_not() throws {
    let store = try Self.store()
    try store.keepSnapshot(named: "first")
    #expect(throws: StoreError.sameStore(path: "store")) { try store.merge(store) }
    let rows = try content(of: store)
    try store.delete("FDX")
    let snapshot = try #require(try store.snapshot(named: "first"))
    #expect(try store.merge(snapshot, tickers: ["FDX"]).inserted == 1500)
    #expect(try content(of: store) == rows)
  }

  @Test func a_damaged_store_is_not_merged_in_part() throws {
    let (store, files) = (try Self.store(), InMemoryFiles())
    let rows = try content(of: store)
    try QuoteStore(at: "other", in: files).upsert(["A": .sample(9, salt: 1), "FDX": .sample(40, salt: 1)])
    let size = try #require(files["other/00000001.columns"]?.count)
    files["other/00000001.columns"]?[size - 9] ^= 1
    let damaged = try QuoteStore(at: "other", in: files)
    #expect(throws: StoreError.self) { try store.merge(damaged) }
    #expect(try content(of: store) == rows && store.generation == 1)
  }
}
