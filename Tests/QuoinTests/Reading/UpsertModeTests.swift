import Testing

@testable import Quoin

/// A file changes only what it has, unless its rows are to replace others, or to be left out.
@Suite struct UpsertModeTests {
  private let folder = TemporaryDirectory()

  /// A store with two days of FDX: all twelve values on the first, a close on the second.
  private func store() throws -> QuoteStore {
    let store = try QuoteStore(at: folder.path + "/store")
    try store.upsert([fedExRow, DailyQuoteSummary(ticker: "FDX", date: "2005-10-17", close: 88)])
    return store
  }

  private func file(_ text: String, _ name: String = "FDX.csv") throws -> String {
    try folder.write(text.utf8, as: name)
  }

  private func quotes(_ store: QuoteStore) throws -> [DailyQuoteSummary] { try store.quotes(for: .fedEx).fetch() }

  /// Yahoo's columns, on a day that is there, one that is there with a close alone, and a new one.
  private let yahoo = """
    Date,Open,High,Low,Close,Adj Close,Volume
    2005-10-14,86.9,87.7,,87.5,81.5,1373400
    2005-10-17,87,89,86,88,82,1000
    2005-10-18,88,89,87,88.5,83,2000

    """

  @Test func columns_that_a_file_lacks_keep_their_stored_values() throws {
    let store = try store()
    let summary = try store.importFiles([file(yahoo)])
    var (changed, filled) = (fedExRow, DailyQuoteSummary(ticker: "FDX", date: "2005-10-17", close: 88))
    (changed.low, changed.close, changed.adjustedClose) = (nil, 87.5, 81.5)
    (filled.open, filled.high, filled.low, filled.adjustedClose, filled.volume) = (87, 89, 86, 82, 1000)
    let new = DailyQuoteSummary(
      ticker: "FDX", date: "2005-10-18", open: 88, high: 89, low: 87, close: 88.5, volume: 2000, adjustedClose: 83)
    #expect(try quotes(store) == [changed, filled, new])
    #expect(summary.counts.inserted == 1 && summary.counts.replaced == 2)
    #expect(
      summary.counts.changedCells
        == [.open: 1, .high: 1, .low: 2, .close: 1, .volume: 1, .adjustedClose: 2])
    #expect(try store.importFiles([file(yahoo)]).changedNothing)
  }

  @Test func rows_replace_whole_rows_if_that_is_wanted() throws {
    let store = try store()
    try store.importFiles([file(yahoo)], options: ImportOptions(mode: .replace))
    let quotes = try quotes(store)
    #expect(quotes.map(\.exDividend) == [nil, nil, nil] && quotes.map(\.adjustedOpen) == [nil, nil, nil])
    #expect(quotes.map(\.close) == [87.5, 88, 88.5])
  }

  @Test func stored_rows_stay_as_they_are_if_that_is_wanted() throws {
    let store = try store()
    let before = try quotes(store)
    let summary = try store.importFiles([file(yahoo)], options: ImportOptions(mode: .keep))
    let after = try quotes(store)
    #expect(after.count == 3 && after.dropLast() == before[...] && after.last?.close == 88.5)
    #expect(summary.counts == UpsertCounts(inserted: 1, kept: 2) && summary.rowCount == 3)
    #expect(summary.files[0].counts == summary.counts)
    #expect(try store.importRecords().map(\.rowCount) == [2, 1])
  }

  @Test func one_of_two_files_has_the_prices_and_the_other_the_volumes() throws {
    let files = [
      try file("Date,Close\n2005-10-14,1\n2005-10-17,2\n", "FDX.csv"),
      try file("Date,Volume\n2005-10-17,20\n2005-10-18,30\n", "WIKI-FDX.csv"),
    ]
    for mode in UpsertMode.allCases {
      let store = try QuoteStore(at: folder.path + "/\(mode)")
      let summary = try store.importFiles(files, options: ImportOptions(mode: mode))
      let quotes = try quotes(store)
      #expect(quotes.map(\.close) == [1, 2, nil] && quotes.map(\.volume) == [nil, 20, 30], "\(mode)")
      #expect(summary.counts.inserted == 3 && summary.counts.changedCells == [.volume: 1], "\(mode)")
      // Over a stored row, `replace` and `keep` differ.
      try store.importFiles(files.suffix(1), options: ImportOptions(mode: mode))
      #expect(try self.quotes(store)[1].close == (mode == .replace ? nil : 2), "\(mode)")
    }
  }

  @Test(arguments: ImportOrderTests.tunings.indices)
  func objects_with_different_keys_join_in_one_row(_ index: Int) throws {
    let text = """
      {"ticker":"FDX","date":"2005-10-14","close":1}
      {"ticker":"FDX","date":"2005-10-17","close":2,"open":3}
      {"ticker":"FDX","date":"2005-10-14","volume":5,"close":1}
      {"ticker":"FDX","date":"2005-10-18"}

      """
    var sink = MemorySink()
    let summary = try importText(text, as: "all.ndjson", tuning: ImportOrderTests.tunings[index], into: &sink)
    let rows = sink.rows("FDX")
    #expect(
      rows.map(\.close) == [1, 2] && rows.map(\.open) == [nil, 3] && rows.map(\.volume) == [5, nil])
    #expect(summary.rowCount == 4 && summary.counts.empty == 1 && summary.badRows.isEmpty)
    let bad = text + #"{"ticker":"FDX","date":"2005-10-17","open":4}"#
    #expect(badRows(of: bad, as: "all.ndjson", tuning: ImportOrderTests.tunings[index])?.count == 1)
  }

  @Test func a_file_with_days_and_no_values_is_refused() throws {
    #expect(
      failure(of: "Date,Foo\n2001-01-09,40\n")
        == "FDX.csv has a date but none of open, high, low, close, volume and the other attributes; its header is 'Date,Foo'"
    )
    let document = #"{"dataset":{"dataset_code":"FDX","column_names":["Date","Value"],"data":[["2001-01-09",4]]}}"#
    #expect(failure(of: document, as: "FDX.json").hasPrefix("FDX.json has a date but none of open"))
    let lines = #"{"ticker":"FDX","date":"2005-10-14","value":1}"#
    #expect(failure(of: lines, as: "all.ndjson").hasSuffix("its header is 'ticker,date,value'"))
  }

  @Test func a_text_without_a_good_row_is_refused_even_if_bad_rows_are_skipped() {
    #expect(
      failure(of: "date,close\n2005-10-14,x\n", options: ImportOptions(skipsBadRows: true))
        .hasPrefix("no row is good (1 bad), so nothing was"))
  }

  @Test func a_preview_says_the_same_as_the_import_and_writes_nothing() throws {
    let store = try store()
    let path = try file(yahoo)
    let names = try Set(SystemFiles().names(in: store.path))
    let preview = try store.previewImport(of: [path])
    #expect(try quotes(store).count == 2 && Set(SystemFiles().names(in: store.path)) == names)
    #expect(try preview == store.importFiles([path]))
    let none = try QuoteStore(at: folder.path + "/none")
    #expect(try none.previewImport(of: [path]).counts.inserted == 3)
    #expect(throws: StoreError.self) { try QuoteStore(at: folder.path + "/none", mustExist: true) }
    #expect(throws: ImportError.store(.notAStore(path: folder.path))) {
      try QuoteStore(at: folder.path).previewImport(of: [path])
    }
  }

  @Test func the_summary_has_a_part_for_each_file() throws {
    let store = try store()
    let summary = try store.importFiles([file(yahoo), file("ticker,date,close,note\nA,2001-01-02,1,x\n", "all.csv")])
    let (first, second) = (summary.files[0], summary.files[1])
    #expect(first.counts.inserted == 1 && first.counts.replaced == 2 && first.firstTickers == ["FDX"])
    #expect(first.days == "2005-10-14"..."2005-10-18" && first.format == .csv && first.tickerCount == 1)
    #expect(first.columns.map(\.use).contains(.attribute(.adjustedClose)))
    #expect(second.counts == UpsertCounts(inserted: 1) && second.firstTickers == ["A"])
    #expect(second.columns.map(\.use) == [.ticker, .date, .attribute(.close), .ignored])
  }
}
