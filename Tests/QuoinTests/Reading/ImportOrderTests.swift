import Testing

@testable import Quoin

@Suite struct ImportOrderTests {
  private let skipping = ImportOptions(skipsBadRows: true)

  @Test func newest_first_and_unordered_files_give_the_same_rows() throws {
    let lines = (1...28).map { "2005-10-\($0 < 10 ? "0" : "")\($0),\($0)" }
    func read(_ lines: [String]) throws -> [DailyQuoteSummary] {
      try rows(of: "date,close\n" + lines.joined(separator: "\n"))
    }
    let expected = try read(lines)
    #expect(expected.compactMap(\.close) == (1...28).map(Double.init))
    #expect(try read(lines.reversed()) == expected)
    var random = TestGenerator(seed: 3)
    for _ in 0..<20 { #expect(try read(lines.shuffled(using: &random)) == expected) }
  }

  @Test func a_day_twice_with_the_same_values_is_stored_once() throws {
    var sink = MemorySink()
    let text = "date,open,close\n2005-10-17,1,2\n2005-10-17,1,2.0\n2005-10-14,1,nan\n2005-10-14,1,\n"
    let summary = try importText(text, into: &sink)
    #expect(summary.rowCount == 4 && summary.badRows.isEmpty && summary.periods.first?.rowCount == 4)
    #expect(summary.counts == UpsertCounts(inserted: 2, unchanged: 2) && sink.rows("FDX").count == 2)
  }

  @Test func a_day_twice_with_other_values_is_a_bad_row() throws {
    let bad = try #require(badRows(of: "date,close\n2005-10-17,2\n2005-10-14,1\n2005-10-17,3\n"))
    let expected =
      "FDX.csv, line 4, column date, '2005-10-17': FDX has this day twice, with different values; the first is line 2"
    #expect(bad.count == 1 && bad.first.first?.description.hasSuffix(expected) == true, "\(bad)")
  }

  @Test func of_two_values_for_a_day_the_first_in_the_file_is_kept() throws {
    var sink = MemorySink()
    let text = "date,close\n2005-10-17,2\n2005-10-14,1\n2005-10-17,3\n2005-10-17,2\n"
    let summary = try importText(text, options: skipping, into: &sink)
    #expect(sink.rows("FDX").compactMap(\.close) == [1, 2])
    #expect(summary.badRows.count == 1 && summary.rowCount == 3)
  }

  /// Whether the rows of a file are handed over together, or one by one.
  static let tunings = [ImportTuning(), ImportTuning(readByteCount: 1, bufferRowCount: 1, groupedRowCount: 1)]

  @Test(arguments: tunings.indices)
  func a_day_twice_with_other_values_in_two_files_names_both(_ index: Int) throws {
    let folder = TemporaryDirectory()
    let first = try folder.write("date,close\n2005-10-14,1\n2005-10-17,2\n".utf8, as: "FDX.csv")
    let second = try folder.write("date,close\n2005-10-18,4\n2005-10-17,3\n".utf8, as: "WIKI-FDX.csv")
    var importer = QuoteImporter(tuning: Self.tunings[index])
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) { try importer.importFiles([first, second], into: &sink) }
    let expected =
      "\(second), line 3, column date, '2005-10-17': FDX has this day twice, with different values; the first is "
      + "\(first), line 3"
    #expect(error?.description.split(separator: "\n").dropFirst() == [expected[...]])
    importer.options.skipsBadRows = true
    sink = MemorySink()
    let summary = try importer.importFiles([first, second], into: &sink)
    #expect(
      sink.rows("FDX").compactMap(\.close) == [1, 2, 4] && summary.badRows.first.map(\.description) == [expected])
  }

  @Test(arguments: tunings.indices)
  func the_last_row_wins_if_that_is_wanted(_ index: Int) throws {
    let text = "date,close,volume\n2005-10-17,2,5\n2005-10-14,1,5\n2005-10-17,3,5\n2005-10-17,3,6\n"
    var sink = MemorySink()
    let summary = try importText(
      text, options: ImportOptions(lastRowWins: true), tuning: Self.tunings[index], into: &sink)
    #expect(sink.rows("FDX").map(\.close) == [1, 3] && sink.rows("FDX").map(\.volume) == [5, 6])
    #expect(summary.counts.inserted == 2 && summary.counts.replaced == 2 && summary.rowCount == 4)
    #expect(summary.counts.changedCells == [.close: 1, .volume: 1])
  }

  @Test func a_later_file_replaces_an_earlier_one_if_that_is_wanted() throws {
    let folder = TemporaryDirectory()
    let first = try folder.write("date,close\n2005-10-14,1\n2005-10-17,2\n".utf8, as: "FDX.csv")
    let second = try folder.write("date,close\n2005-10-17,3\n2005-10-18,4\n".utf8, as: "WIKI-FDX.csv")
    var sink = MemorySink()
    let importer = QuoteImporter(options: ImportOptions(lastRowWins: true))
    let summary = try importer.importFiles([first, second, second], into: &sink)
    #expect(sink.rows("FDX").compactMap(\.close) == [1, 3, 4])
    #expect(summary.counts.inserted == 3 && summary.counts.replaced == 1 && summary.counts.unchanged == 2)
    #expect(
      summary.files.map(\.name) == [first, second, second] && summary.periods.map(\.source) == [first, second, second])
    #expect(summary.tickerCount == 1 && summary.rowCount == 6 && summary.badRows.isEmpty)
  }

  @Test func a_rejected_import_counts_every_bad_row_and_hands_nothing_more_over() throws {
    var text = "ticker,date,close\n"
    for index in 0..<25 { text += "FDX,2005-10-14,x\(index)\n" }
    var sink = MemorySink()
    let error = #expect(throws: ImportError.self) { try importText(text + "FDX,2005-10-17,1\n", into: &sink) }
    guard case .rejected(let bad)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(bad.count == 25 && bad.first.map(\.position.number) == Array(2...11) && sink.upsertCount == 0)
    let lines = "\(ImportError.rejected(bad))".split(separator: "\n")
    #expect(lines.first == "25 rows are bad, so nothing was imported; fix the file")
    #expect(lines.count == 12 && lines.last == "and 15 more")
  }

  @Test func what_the_sink_throws_passes_through() {
    let full = StoreError.inputOutput(FileSystemError(.write, "s", code: 28))
    var sink = MemorySink(failure: (1, full))
    #expect(throws: ImportError.store(full)) { try importText("date,close\n2005-10-14,1\n", into: &sink) }
  }

  @Test func suspicious_rows_are_imported_and_counted() throws {
    let text = """
      date,open,high,low,close,volume
      2005-10-10,5,6,4,5,100
      2005-10-11,5,4,6,5,100
      2005-10-12,5,6,4,7,100
      2005-10-13,5,6,4,5,0
      2005-10-14,0,0,0,0,0
      2005-10-17,,,,,
      """
    var sink = MemorySink()
    let summary = try importText(text, into: &sink)
    let suspicious = summary.suspicious
    #expect(suspicious.lowAboveHigh == 1 && suspicious.closeOutsideRange == 2)
    #expect(suspicious.zeroVolume == 2 && suspicious.zeroPrice == 1 && summary.rowCount == 6)
  }

  @Test func periods_say_what_each_ticker_got() throws {
    var sink = MemorySink()
    let text = "ticker,date,close\nB,2005-10-17,1\nA,2005-10-14,1\nB,2005-10-10,1\n"
    let summary = try importText(text, options: ImportOptions(source: "a test"), into: &sink)
    let periods = summary.periods.map { "\($0.ticker) \($0.firstDay) \($0.lastDay) \($0.rowCount) \($0.source)" }
    #expect(periods.sorted() == ["A 2005-10-14 2005-10-14 1 a test", "B 2005-10-10 2005-10-17 2 a test"])
  }

  // MARK: Boundaries

  /// A file with everything in it that a boundary can cut: two line ends, quotes, blank lines, bad rows, days that come
  /// again near and far, tickers that come again, and no line feed at its end.
  private let nasty = [
    "\u{FEFF}ticker,date,\"close\",volume,note", "AA,2005-10-14,1.25,100,", "AA,2005-10-17,\"2.5\",200.0,x\r", "", "\r",
    "BB,2005-10-17,1234567.891,9223372036854775807,\"a,b\"", "BB,2005-10-14,,-,", "AA,2005-10-14,1.25,100,again",
    "CC,2005-10-14,x1,1,", "AA,2005-10-17,2.5,201,differs", "CC,2005-10-14,5,1,", "BB,2005-10-17,1234567.891,1,differs",
    "CC,2005-10-13,5,1,", "AA,2005-10-18,3,1,", "CC,2005-02-30,5,1,", "CC,2005-10-14,5,1,same", "DD,2005-10-14",
    "AA,2005-10-18,3.0,1.0,same", "BB,2005-10-13,1e400,1,", "EE,2005-10-14,4.9406564584124654e-324,0,",
  ].joined(separator: "\n")

  @Test func no_size_of_a_buffer_changes_what_is_imported() throws {
    var reference = MemorySink()
    let folder = TemporaryDirectory()
    let path = try folder.write(nasty.utf8, as: "all.csv")
    let expected = try QuoteImporter(options: skipping).importFiles([path], into: &reference)
    #expect(expected.badRows.first.map(\.position.number) == [9, 10, 12, 15, 17, 19] && expected.rowCount == 11)
    for size in stride(from: 1, through: nasty.utf8.count, by: TestSettings.isDebug ? 5 : 1) {
      for rowCount in [1, 1 + size % 12] {
        var sink = MemorySink()
        let tuning = ImportTuning(readByteCount: size, bufferRowCount: rowCount)
        let summary = try QuoteImporter(options: skipping, tuning: tuning).importFiles([path], into: &sink)
        #expect(sink.quotes == reference.quotes, "chunks of \(size) bytes, \(rowCount) rows")
        #expect(summary.badRows.first.map(\.reason) == expected.badRows.first.map(\.reason), "\(size), \(rowCount)")
        #expect(summary.badRows.first.map(\.position) == expected.badRows.first.map(\.position), "\(size), \(rowCount)")
        #expect(summary.counts == expected.counts && summary.suspicious == expected.suspicious)
      }
    }
  }

  @Test func no_size_of_a_buffer_changes_the_count_of_a_rejected_import() throws {
    for rowCount in 1...20 {
      let bad = try #require(badRows(of: nasty, as: "all.csv", tuning: ImportTuning(bufferRowCount: rowCount)))
      #expect(bad.first.map(\.position.number) == [9, 10, 12, 15, 17, 19], "\(rowCount) rows")
    }
  }

  @Test func grouped_files_are_handed_over_one_ticker_once() throws {
    var text = "ticker,date,close\n"
    for ticker in ["A", "B", "C", "D"] {
      for day in 10...19 { text += "\(ticker),2005-10-\(day),\(day)\n" }
    }
    var sink = MemorySink()
    let summary = try importText(text, tuning: ImportTuning(readByteCount: 100, bufferRowCount: 12), into: &sink)
    #expect(sink.upsertCount == 4 && summary.rowCount == 40 && summary.tickerCount == 4)
  }

  @Test func only_a_long_history_takes_room_for_one() throws {
    struct RoomSink: QuoteSink {
      var room = 0
      mutating func upsert(
        _ ticker: TickerSymbol, _ columns: QuoteColumns, _ mode: UpsertMode, present: AttributeSet
      ) -> UpsertCounts {
        room = columns.dayValues.shared.capacity
        return UpsertCounts(inserted: columns.rowCount)
      }

      func stored(_: TickerSymbol, from first: TradingDay, to last: TradingDay) -> QuoteColumns { QuoteColumns() }
    }
    for (count, room) in [(1, 1..<1000), (40, 40..<1000), (6000, 8000..<20_000)] {
      var sink = RoomSink()
      let days = (0..<count).compactMap { TradingDay(daysSince1970: $0) }
      let text = "date,close\n" + days.map { "\($0),1\n" }.joined()
      let importer = QuoteImporter(options: ImportOptions(ticker: "FDX"))
      _ = try importer.importBytes(Array(text.utf8), name: "text", into: &sink)
      #expect(room.contains(sink.room), "\(count) rows take room for \(sink.room)")
    }
  }

  @Test func progress_counts_up() throws {
    let folder = TemporaryDirectory()
    let lines = (0..<200_000).map { _ in "2005-10-14,1\n" }.joined()
    let path = try folder.write(("date,close\n" + lines).utf8, as: "FDX.csv")
    var reports: [ImportProgress] = []
    var sink = MemorySink()
    var importer = QuoteImporter()
    importer.tuning.readByteCount = 1000
    importer.progress = { reports.append($0) }
    _ = try importer.importFiles([path], into: &sink)
    #expect(reports.allSatisfy { $0.file == path && $0.totalByteCount == 11 + 13 * 200_000 })
    #expect(zip(reports, reports.dropFirst()).allSatisfy { $0.byteCount <= $1.byteCount })
    // Files are counted with those in directories.
    reports = []
    _ = try folder.write("date,close\n2005-10-14,1\n".utf8, as: "KO.csv")
    _ = try importer.importFiles([folder.path], into: &sink)
    #expect(reports.allSatisfy { $0.fileCount == 2 && $0.finishedFileCount <= 2 })
    let last = try #require(reports.last)
    #expect(last.isComplete && last.finishedFileCount == 2 && last.rowCount == 200_001)
  }
}
