import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Many small writes don't make many files, nor many runs, nor lose a row.
@Suite struct FoldingTests {
  private func tickers(_ count: Int) throws -> [TickerSymbol] {
    try (0..<count).map { number in
      let digits = String(number)
      return try TickerSymbol("T" + String(repeating: "0", count: 5 - digits.count) + digits)
    }
  }

  /// One row of each ticker, told by the day and the ticker's number.
  private func dayRows(_ tickers: [TickerSymbol], day: Int) -> [TickerSymbol: QuoteColumns] {
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for (number, ticker) in tickers.enumerated() {
      rows[ticker] = QuoteColumns(days: [TradingDay(daysSince1970: day)!]) { _, name in
        Double(day * 100 + number + Int(name.rawValue)) / (name.isInteger ? 1 : 100)
      }
    }
    return rows
  }

  @Test func a_row_a_day_leaves_few_files_and_few_runs() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    let tickers = try tickers(TestSettings.isDebug ? 10 : 50)
    let days = 300
    var largestFileCount = 0
    for day in 0..<days {
      #expect(try store.upsert(dayRows(tickers, day: day)) == UpsertCounts(inserted: tickers.count))
      largestFileCount = max(largestFileCount, store.summary.fileCount)
    }
    // As many as 300 has binary digits, and one.
    #expect(largestFileCount <= 10)
    for index in tickers.indices {
      #expect(store.snapshot.manifest.runs(ofTickerAt: index).count <= 10)
      #expect(store.snapshot.manifest.runs(ofTickerAt: index).reduce(0) { $0 + $1.blockCount } <= 10)
    }
    for (number, ticker) in tickers.enumerated() {
      let columns = try store.quotes(for: ticker).fetchColumns().columns
      #expect(columns.days.map { Int($0.daysSince1970) } == Array(0..<days))
      #expect(columns[.open] == (0..<days).map { Double($0 * 100 + number) / 100 })
    }
    // Each import has its record still.
    #expect(try store.importRecords(of: tickers[0]).count == days)
    let names = store.snapshot.manifest.fileNames.union(["MANIFEST", "LOCK"])
    #expect(try Set(disk.names(in: "store")) == names)
  }

  @Test func rows_that_come_day_by_day_in_one_call_are_joined() throws {
    let disk = InMemoryFiles()
    let tickers = try tickers(3)
    let lock = try WriterLock("store", disk, patience: .zero)
    let transaction = Transaction(on: Snapshot(), in: "store", disk)
    for day in 0..<50 {
      for (ticker, rows) in dayRows(tickers, day: day).sorted(by: { $0.key < $1.key }) {
        _ = try transaction.upsert(ticker, rows)
        // As if a great many rows were waiting.
        if day % 10 == 9 { try transaction.encodeTails() }
      }
    }
    let snapshot = try #require(try transaction.commit())
    withExtendedLifetime(lock) {}
    for index in tickers.indices {
      let runs = snapshot.manifest.runs(ofTickerAt: index)
      #expect(runs.count == 1 && runs.first?.blockCount == 1 && runs.first?.rowCount == 50)
    }
    let store = try QuoteStore(at: "store", in: disk)
    #expect(try store.verify().damages.isEmpty)
    #expect(try store.quotes(for: tickers[2]).fetchColumns().columns.days.count == 50)
    #expect(try disk.names(in: "store").count == snapshot.files.count + 2)
  }

  @Test func blocks_before_the_first_change_stay_as_they_are() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    var rows = QuoteColumns.sample(3000)
    try store.upsert([.fedEx: rows])
    rows[.close][2900] = 1
    let counts = try store.upsert([.fedEx: rows])
    #expect(counts.replaced == 1 && counts.unchanged == 2999)
    #expect(try content(of: store) == [.fedEx: rows.cellBits])
    #expect(store.snapshot.manifest.runs.map(\.rowCount) == [2048, 952])
    #expect(try store.snapshot.file(0).id == 1)
    // The same after a deletion, which cuts the run elsewhere.
    try store.delete([.fedEx], where: .dates(from: rows.days[2999]))
    #expect(try content(of: store) == [.fedEx: Array(rows.cellBits.dropLast())])
  }

  @Test func records_of_imports_go_with_their_ticker() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert([.fedEx: .sample(10), "BA": .sample(100)], source: "first")
    try store.delete(.fedEx)
    #expect(try store.importRecords().map(\.ticker) == ["BA"])
    try store.upsert([.fedEx: .sample(10)], source: "second")
    #expect(try store.importRecords(of: .fedEx).map(\.source) == ["second"])
    try store.compact()
    #expect(try store.importRecords(of: .fedEx).map(\.source) == ["second"])
    // Nor do they take room for ever.
    #expect(try store.snapshot.soundFiles().flatMap { try $0.importRecords() }.count == 2)
  }

  @Test func what_is_deleted_and_put_in_again_in_one_commit_begins_anew() throws {
    let disk = InMemoryFiles()
    try QuoteStore(at: "store", in: disk).upsert([.fedEx: .sample(10)], source: "first")
    let base = try #require(try Snapshot.newest(in: "store", disk))
    let transaction = Transaction(on: base, in: "store", disk)
    #expect(try transaction.delete(.fedEx) == 10)
    #expect(try transaction.upsert(.fedEx, .sample(3)) == UpsertCounts(inserted: 3))
    _ = try transaction.commit()
    let store = try QuoteStore(at: "store", in: disk)
    #expect(try store.importRecords().isEmpty)
    #expect(try content(of: store) == [.fedEx: QuoteColumns.sample(3).cellBits])
  }

  @Test func a_file_that_is_mostly_dead_vanishes() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["FDX": .sample(900), "A": .sample(100)])
    try store.keepRecentGenerations(0)
    let before = store.summary.byteCount
    try store.delete("FDX")
    #expect(store.summary.fileCount == 1)
    #expect(store.summary.rowCount == 100)
    #expect(store.summary.byteCount * 2 < before)
    #expect(disk["store/00000001.columns"] == nil)
  }

  @Test func a_file_that_is_mostly_alive_stays() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["FDX": .sample(900), "A": .sample(100)])
    try store.delete("A")
    #expect(disk["store/00000001.columns"] != nil)
    #expect(try content(of: store) == ["FDX": QuoteColumns.sample(900).cellBits])
  }

  @Test func compaction_leaves_one_file_of_well_filled_blocks() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["FDX": .sample(3000)])
    for part in 1...4 {
      try store.upsert(["FDX": .sample(700 / part, from: TradingDay(daysSince1970: 20_000 + part * 2000)!, salt: part)])
    }
    let before = try content(of: store)
    #expect(store.summary.fileCount > 1)
    try store.compact()
    #expect(store.summary.fileCount == 1)
    #expect(store.summary.blockCount <= 6)
    #expect(try content(of: store) == before)
  }

  /// An import longer than a file may be goes to several.
  @Test func a_file_has_no_more_blocks_than_the_limit() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    var rows: [TickerSymbol: QuoteColumns] = [:]
    let tickers = try tickers(TestSettings.isDebug ? 2100 : 5000)
    for (number, ticker) in tickers.enumerated() { rows[ticker] = .sample(1, salt: number) }
    try store.upsert(rows)
    #expect(try store.snapshot.soundFiles().allSatisfy { $0.blockCount <= Limits.blocksPerFile })
    #expect(store.summary.fileCount == (tickers.count + Limits.blocksPerFile - 1) / Limits.blocksPerFile)
    #expect(try store.allQuotes.count() == tickers.count)
    #expect(try content(of: store)[tickers[2099]] == QuoteColumns.sample(1, salt: 2099).cellBits)
  }

  @Test func fifty_thousand_tickers_are_no_problem() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    let tickers = try tickers(TestSettings.isDebug ? 500 : 50_000)
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for (number, ticker) in tickers.enumerated() { rows[ticker] = .sample(3, salt: number) }
    let start = ContinuousClock.now
    try store.upsert(rows)
    let imported = ContinuousClock.now
    var more: [TickerSymbol: QuoteColumns] = [:]
    for (number, ticker) in tickers.enumerated() { more[ticker] = .sample(1, from: "2011-01-03", salt: number) }
    #expect(try store.upsert(more) == UpsertCounts(inserted: tickers.count))
    let appended = ContinuousClock.now
    #expect(try store.allQuotes.dates(from: "2011-01-03").count() == tickers.count)
    #expect(try store.quotes(for: tickers[tickers.count - 1]).fetch().count == 4)
    #expect(try store.allQuotes.aggregate(.volume).count == tickers.count * 4)
    print(
      "\(tickers.count) tickers: import \(imported - start), append \(appended - imported), scans \(.now - appended)")
    if !TestSettings.isDebug { #expect(.now - start < .seconds(30)) }
  }
}
