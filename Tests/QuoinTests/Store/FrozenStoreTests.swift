import Testing

@testable import Quoin

@Suite struct FrozenStoreTests {
  @Test func a_frozen_view_goes_on_showing_what_it_showed() throws {
    let directory = TemporaryDirectory()
    let store = try QuoteStore(at: directory.path)
    try store.upsert(["FDX": .sample(10)])
    let frozen = store.frozen
    try store.upsert(["GE": .sample(10)])
    try store.refresh()
    #expect(frozen.generation == 1 && frozen.tickers == ["FDX"])
    #expect(try frozen.tickerSummaries().count == 1 && frozen.allQuotes.count() == 10)
    #expect(store.generation == 2 && store.frozen.tickers == ["FDX", "GE"])
  }

  @Test func the_last_import_of_each_ticker_is_the_newest_of_its_records() throws {
    let files = InMemoryFiles()
    func record(_ ticker: TickerSymbol, _ second: Int64) -> ImportRecord {
      ImportRecord(
        ticker: ticker, firstDay: "2001-01-01", lastDay: "2001-01-02", rowCount: 2, source: "a \(second)",
        importedAt: CommitTime(secondsSince1970: second), generation: UInt64(second))
    }
    try commit(["FDX": .sample(2)], to: "s", in: files, importRecords: [record("FDX", 1), record("FDX", 3)])
    try commit(
      ["FDX": .sample(2, salt: 1), "GE": .sample(2)], to: "s", in: files,
      importRecords: [record("FDX", 2), record("GE", 2)])
    let store = try QuoteStore(at: "s", in: files)
    #expect(
      try store.lastImports() == [
        "FDX": CommitTime(secondsSince1970: 3), "GE": CommitTime(secondsSince1970: 2),
      ])
    let records = try store.importRecords()
    for (ticker, moment) in try store.lastImports() {
      #expect(records.filter { $0.ticker == ticker }.map(\.importedAt).max() == moment)
    }
  }
}
