import Synchronization
import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a store promises to those who use it, on the system's own files.
@Suite struct QuoteStoreTests {
  private let folder = TemporaryDirectory()
  private var path: String { folder.path + "/store" }

  @Test func the_question_of_the_documentation_is_answered() throws {
    let store = try QuoteStore(at: path)
    let days: [TradingDay] = ["2004-12-31", "2005-01-03", "2005-01-04", "2005-01-05", "2005-01-06"]
    let highs = [82.0, 82, 83, 80.5, 81]
    let lows = [72.0, 70, 72, 75.01, 75]
    var columns = QuoteColumns(days: days)
    columns[.high] = highs
    columns[.adjustedLow] = lows
    try store.upsert([.fedEx: columns, "BA": columns])
    let hits = try store.quotes(for: .fedEx).where(.high, above: 80, below: 83).where(.adjustedLow, in: 70...75)
      .dates(from: "2005-01-03").fetch()
    #expect(hits.map(\.date) == ["2005-01-03", "2005-01-06"])
    #expect(hits.map(\.ticker) == [.fedEx, .fedEx])
    #expect(hits.map(\.adjustedLow) == [70, 75])
    #expect(hits.map(\.volume) == [nil, nil])
  }

  @Test func where_there_is_no_store_there_are_no_quotes() throws {
    #expect(throws: StoreError.noStore(path: path)) { try QuoteStore(at: path, mustExist: true) }
    let store = try QuoteStore(at: path)
    #expect(try store.allQuotes.fetch().isEmpty)
    #expect(store.tickers.isEmpty && store.generation == 0 && store.summary.days == nil)
    #expect(try store.deleteAll() == 0)
    try store.compact()
    #expect(try store.upsert([DailyQuoteSummary]()) == UpsertCounts())
    #expect(store.generation == 0)
  }

  @Test func a_store_can_be_written_with_some_encodings_only() throws {
    try QuoteStore(at: path, encodings: EncodingChoice(encodings: [.plain], storages: [.raw]))
      .upsert([.fedEx: .sample(50)])
    let summaries = try QuoteStore(at: path).encodingSummaries()
    #expect(Set(summaries.map(\.encoding)) == ["plain"] && Set(summaries.map(\.storage)) == ["raw"])
    #expect(summaries.count == ColumnSection.count && summaries.allSatisfy { $0.rowCount == 50 })
  }

  @Test func an_identical_import_changes_nothing_and_says_so() throws {
    let store = try QuoteStore(at: path)
    #expect(try store.upsert([.fedEx: .sample(50)]) == UpsertCounts(inserted: 50))
    let names = folder.names(in: path)
    #expect(try store.upsert([.fedEx: .sample(50)]) == UpsertCounts(unchanged: 50))
    #expect(store.generation == 1)
    #expect(folder.names(in: path) == names)
    #expect(try store.importRecords().count == 1)
  }

  @Test func a_zero_with_another_sign_is_another_value_and_a_nan_is_not() throws {
    let store = try QuoteStore(at: path)
    var rows = QuoteColumns(days: ["2001-01-01", "2001-01-02"])
    (rows[.open], rows[.close]) = ([1, 1], [0, .nan])
    try store.upsert([.fedEx: rows])
    rows[.close] = [-0.0, -.nan]
    let counts = try store.upsert([.fedEx: rows])
    #expect(counts.replaced == 1 && counts.unchanged == 1 && counts.changedCells == [.close: 1])
    #expect(try store.quotes(for: .fedEx).fetchColumns().columns[.close][0].sign == .minus)
  }

  @Test func a_reader_sees_its_generation_until_it_asks_for_another() throws {
    let (writer, reader) = (try QuoteStore(at: path), try QuoteStore(at: path))
    try writer.keepRecentGenerations(0)
    try writer.upsert([.fedEx: .sample(1500)])
    #expect(try reader.allQuotes.count() == 0)
    #expect(try reader.refresh())
    let before = try content(of: reader)
    #expect(before == [.fedEx: QuoteColumns.sample(1500).cellBits])
    // Queries and cursors begun now go on, too, whatever happens to the files.
    let query = reader.allQuotes
    let cursor = query.cursor(rowsPerBatch: 100)
    #expect(try cursor.next()?.rowCount == 1024)
    try writer.upsert([.fedEx: .sample(1500, salt: 1)])
    try writer.compact()
    try writer.deleteAll()
    #expect(folder.names(in: path).filter { $0.hasSuffix(".columns") }.isEmpty)
    #expect(try content(of: reader) == before)
    #expect(try query.count() == 1500)
    #expect(try cursor.next()?.rowCount == 476)
    #expect(reader.generation == 2)
    #expect(try reader.refresh())
    #expect(try reader.allQuotes.count() == 0 && reader.generation == 5)
    #expect(try !reader.refresh())
    #expect(try query.count() == 1500)
  }

  /// Between the look for its manifest and the look for what else is there.
  @Test func a_store_that_is_made_while_it_is_opened_is_not_taken_for_a_damaged_one() throws {
    let disk = BusyDisk(beforeListing: { disk in
      _ = try? QuoteStore(at: "store", in: disk).upsert([.fedEx: .sample(1)])
    })
    let store = try QuoteStore(at: "store", in: disk)
    #expect(store.generation == 1 && store.tickers == [.fedEx])
  }

  /// Between the look at its manifest and at the files that this names.
  @Test func a_store_whose_files_are_replaced_while_it_is_opened_shows_the_new_ones() throws {
    let compacting = Mutex<QuoteStore?>(nil)
    let disk = BusyDisk(afterMapping: { path in
      guard path.hasSuffix(StoreFiles.manifest), let store = compacting.withLock({ $0.take() }) else { return }
      try? store.compact()
    })
    let other = try QuoteStore(at: "store", in: disk.disk)
    try other.keepRecentGenerations(0)
    try other.upsert([.fedEx: .sample(2)])
    compacting.withLock { $0 = other }
    let store = try QuoteStore(at: "store", in: disk)
    #expect(store.generation == 3)
    #expect(try store.allQuotes.fetch().count == 2)
  }

  /// Between its look at the manifest and the end.
  @Test func a_refresh_that_a_write_overtakes_does_not_go_back() throws {
    let overtaking = Mutex<QuoteStore?>(nil)
    let disk = BusyDisk(afterMapping: { path in
      guard path.hasSuffix(StoreFiles.manifest), let store = overtaking.withLock({ $0.take() }) else { return }
      _ = try? store.upsert([.fedEx: .sample(3)])
    })
    let other = try QuoteStore(at: "store", in: disk.disk)
    try other.upsert([.fedEx: .sample(1)])
    let store = try QuoteStore(at: "store", in: disk)
    try other.upsert([.fedEx: .sample(2)])
    overtaking.withLock { $0 = store }
    #expect(try !store.refresh())
    #expect(store.generation == 3)
    #expect(try store.allQuotes.count() == 3)
  }

  @Test func a_newer_generation_has_the_files_that_were_open() throws {
    let disk = InMemoryFiles()
    let (store, writer) = (try QuoteStore(at: "store", in: disk), try QuoteStore(at: "store", in: disk))
    try writer.upsert(["A": .sample(2000)])
    #expect(try store.refresh())
    let open = try store.snapshot.file(0)
    try writer.upsert(["B": .sample(1)])
    #expect(try store.refresh())
    #expect(try store.snapshot.files.count == 2 && store.snapshot.file(0) === open)
    try store.upsert(["C": .sample(1)])
    try store.keepSnapshot(named: "c")
    #expect(try store.snapshot.file(0) === open)
    #expect(try store.snapshot(named: "c")?.snapshot.file(0) === open)
  }

  @Test func another_stores_file_is_not_taken_for_the_one_that_is_open() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["A": QuoteColumns(days: ["2020-01-01"]) { _, _ in 1 }])
    for name in try disk.names(in: "store") { try disk.remove("store/" + name) }
    let other = try QuoteStore(at: "store", in: disk)
    try other.upsert(["A": QuoteColumns(days: ["2020-01-01"]) { _, _ in 2 }])
    try other.upsert(["B": .sample(2000)])
    #expect(try store.refresh())
    #expect(try store.quotes(for: "A").fetch().map(\.close) == [2])
  }

  @Test func a_second_writer_is_refused_with_the_holders_name() throws {
    let store = try QuoteStore(at: path)
    let lock = try WriterLock(path, SystemFiles(), patience: .zero)
    let error = #expect(throws: StoreError.self) { try store.upsert([.fedEx: .sample(1)]) }
    if case .locked(let place, let holder?) = error {
      #expect(place == path)
      #expect(holder.process == getpid() && holder.description.hasPrefix("process \(getpid()) (\(holder.program)) on "))
      #expect(error?.description == "another writer holds '\(path)': \(holder); try again when it is done")
    } else {
      Issue.record("\(error as Any)")
    }
    #expect(StoreError.locked(path: "s", holder: nil).description.contains("holds 's': unknown"))
    withExtendedLifetime(lock) {}
  }

  @Test func a_second_writer_waits_if_asked() throws {
    let (first, second) = (try QuoteStore(at: path), try QuoteStore(at: path))
    try first.write { transaction in
      #expect(throws: StoreError.self) { try second.upsert(["BA": .sample(1)], patience: .milliseconds(30)) }
      try transaction.upsert(.sample(1), of: .fedEx)
    }
    #expect(try second.upsert(["BA": .sample(1)], patience: .seconds(5)) == UpsertCounts(inserted: 1))
    #expect(second.tickers == ["BA", .fedEx])
  }

  @Test func threads_that_write_at_once_take_turns() async throws {
    let path = path
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<4 {
        group.addTask {
          let store = try await QuoteStore(at: path)
          for day in 0..<3 {
            let ticker = try TickerSymbol("T\(number)")
            try await store.upsert(
              [ticker: .sample(1, from: TradingDay(daysSince1970: day)!)], patience: .seconds(60))
          }
        }
      }
      try await group.waitForAll()
    }
    let store = try await QuoteStore(at: path)
    #expect(store.generation == 12 && store.summary.rowCount == 12 && store.tickers.count == 4)
    #expect(try await store.verify().damages.isEmpty)
  }

  @Test func a_directory_with_other_files_is_refused_and_left_alone() throws {
    try SystemFiles().createDirectory(path)
    try SystemFiles().writeFile(path + "/thesis.tex", [[1]])
    let store = try QuoteStore(at: path)
    #expect(throws: StoreError.notAStore(path: path)) { try store.upsert([.fedEx: .sample(1)]) }
    #expect(folder.names(in: path) == ["thesis.tex"])
  }

  @Test func a_first_write_that_fails_or_has_nothing_leaves_nothing() throws {
    struct Refused: Error {}
    let store = try QuoteStore(at: path)
    #expect(throws: Refused.self) { try store.write { _ in throw Refused() } }
    #expect(throws: Refused.self) {
      try store.write { transaction in
        // So many that they are in a file already.
        try transaction.upsert(.sample(70_000), of: .fedEx)
        try transaction.update([.fedEx], where: .isMissing(.close)) { _ in }
        throw Refused()
      }
    }
    try store.upsert([:] as [TickerSymbol: QuoteColumns])
    #expect(throws: FileSystemError.self) { try SystemFiles().names(in: path) }
    // A directory that was there stays.
    try SystemFiles().createDirectory(path)
    #expect(throws: Refused.self) { try store.write { _ in throw Refused() } }
    #expect(folder.names(in: path) == ["LOCK"])
  }

  @Test func who_waits_for_a_first_write_that_fails_writes_in_its_place() async throws {
    struct Refused: Error {}
    for round in 0..<20 {
      let path = path + "\(round)"
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            let store = try await QuoteStore(at: path)
            do {
              try await store.write(patience: .seconds(60)) { transaction in
                try transaction.upsert(.sample(1), of: TickerSymbol("T\(number)"))
                if number < 6 { throw Refused() }
              }
            } catch is Refused {}
          }
        }
        try await group.waitForAll()
      }
      #expect(try await QuoteStore(at: path).tickers == ["T6", "T7"])
    }
  }

  @Test func a_file_in_the_place_of_a_store_is_refused() throws {
    try SystemFiles().writeFile(path, [[1]])
    #expect(throws: StoreError.self) { try QuoteStore(at: path) }
  }

  @Test func what_a_dead_writer_left_is_removed_by_the_next() throws {
    let store = try QuoteStore(at: path)
    try store.upsert([.fedEx: .sample(1)])
    for name in ["00000002.columns", "00000099.columns", "MANIFEST.tmp"] {
      try SystemFiles().writeFile(path + "/" + name, [[1]])
    }
    try store.upsert(["BA": .sample(1)])
    let names = store.snapshot.manifest.fileNames.union(["LOCK", "MANIFEST"])
    #expect(folder.names(in: path) == names.sorted())
    #expect(try QuoteStore(at: path).allQuotes.count() == 2)
  }

  #if os(Linux)
    @Test func files_take_no_descriptors() throws {
      let store = try QuoteStore(at: path)
      for day in 0..<6 {
        try store.upsert([.fedEx: .sample(600 >> day, from: TradingDay(daysSince1970: day * 1000)!)])
      }
      #expect(store.summary.fileCount > 3)
      // Other tests open files meanwhile, so this process's count is of little use; each of these would add one a file.
      let stores = try (0..<100).map { _ in try QuoteStore(at: path) }
      for store in stores { #expect(try store.allQuotes.count() > 600) }
      let links = try SystemFiles().names(in: "/proc/self/fd").count
      #expect(links < 100 * store.summary.fileCount)
    }
  #endif

  @Test func rows_in_any_order_and_of_any_attributes_are_taken() throws {
    let store = try QuoteStore(at: path)
    var columns = QuoteColumns(days: ["2001-01-03", "2001-01-01", "2001-01-03"], attributes: [.close])
    columns[.close] = [1, 2, 3]
    #expect(try store.upsert([.fedEx: columns]) == UpsertCounts(inserted: 2))
    let back = try store.quotes(for: .fedEx).fetch()
    #expect(back.map(\.date) == ["2001-01-01", "2001-01-03"])
    #expect(back.map(\.close) == [2, 3] && back.map(\.open) == [nil, nil])
  }

  @Test func batches_of_no_rows_hold_one() throws {
    let store = try QuoteStore(at: path)
    try store.upsert([.fedEx: .sample(3)])
    for size in [0, -1, Int.min, 1, .max] {
      var rowCount = 0
      try store.allQuotes.forEachBatch(rowsPerBatch: size) { rowCount += $0.rowCount }
      #expect(rowCount == 3)
    }
  }

  @Test func limits_and_offsets_below_nothing_are_nothing() throws {
    let store = try QuoteStore(at: path)
    try store.upsert([.fedEx: .sample(3)])
    for (limit, count) in [(-1, 0), (Int.min, 0), (0, 0), (2, 2), (.max, 3)] {
      #expect(try store.allQuotes.limited(to: limit).count() == count)
      #expect(try store.allQuotes.offset(by: limit).count() == 3 - count)
      #expect(try store.allQuotes.limited(to: limit).latest().rowCount == min(count, 1))
    }
  }

  @Test func a_chain_of_conditions_is_no_deep_one() throws {
    let store = try QuoteStore(at: path)
    try store.upsert([.fedEx: .sample(30)])
    let days = try store.allQuotes.fetch().map(\.date)
    let isDay = days.map { Predicate.dates(from: $0, to: $0) }
    let many = Array(repeating: isDay, count: TestSettings.isDebug ? 30 : 100).joined()
    #expect(try store.allQuotes.where(many.reduce(.isMissing(.open)) { $0 || $1 }).count() == 30)
    #expect(try store.allQuotes.where(many.reversed().reduce(.isMissing(.open)) { $1 || $0 }).count() == 30)
    #expect(try many.reduce(store.allQuotes) { $0.where(!$1) }.count() == 0)
    #expect(try isDay.dropLast().reduce(store.allQuotes) { $0.where(!$1) }.fetch().map(\.date) == days.suffix(1))
  }

  @Test func conditions_deeper_than_the_limit_are_refused_in_words() throws {
    let store = try QuoteStore(at: path)
    try store.upsert([.fedEx: .sample(3)])
    let part = Predicate.range(.close, 0...)
    let deep = { (levels: Int) in (0..<levels).reduce(part) { predicate, _ in .any([predicate, part]) } }
    #expect(try store.allQuotes.where(deep(Limits.predicateLevels)).count() == 3)
    let error = #expect(throws: StoreError.self) {
      try store.allQuotes.where(deep(Limits.predicateLevels + 1)).count()
    }
    let words =
      "an expression or a condition may have 400 operations inside each other, as a + b + c has two, and this one has more; "
      + "ask in several parts"
    #expect(error?.description == words)
    #expect(throws: StoreError.self) { try store.delete(where: deep(5000)) }
    #expect(try store.allQuotes.count() == 3)
  }

  @Test func explain_counts_blocks_and_rows() throws {
    let store = try QuoteStore(at: path)
    try store.upsert([.fedEx: .sample(3000), "BA": .sample(10)])
    let report = try store.quotes(for: .fedEx).dates(to: "2001-01-05").explain()
    #expect(report.tickerCount == 1 && report.blockCount == 3 && report.prunedBlockCount == 2)
    #expect(report.filteredBlockCount == 1 && report.wholeBlockCount == 0 && report.rowCount == 5)
    #expect(report.readByteCount > 0 && report.readByteCount < store.summary.byteCount)
    let whole = try store.allQuotes.where(.range(.high, 0.0...1000)).explain()
    #expect(whole.wholeBlockCount == 4 && whole.filteredBlockCount == 0 && whole.rowCount == 3010)
  }
}

/// A disk on which others do something before a directory is listed, or after a file was mapped.
private struct BusyDisk: FileSystem {
  let disk = InMemoryFiles()
  var beforeListing: @Sendable (InMemoryFiles) -> Void = { _ in }
  var afterMapping: @Sendable (String) -> Void = { _ in }

  func names(in directory: String) throws(FileSystemError) -> [String] {
    beforeListing(disk)
    return try disk.names(in: directory)
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    let file = try disk.map(path)
    afterMapping(path)
    return file
  }

  func createDirectory(_ path: String) throws(FileSystemError) { try disk.createDirectory(path) }
  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile { try disk.createFile(path) }
  func rename(_ path: String, to newPath: String) throws(FileSystemError) { try disk.rename(path, to: newPath) }
  func remove(_ path: String) throws(FileSystemError) { try disk.remove(path) }
  func syncDirectory(_ path: String) throws(FileSystemError) { try disk.syncDirectory(path) }
  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    try disk.lock(path, holder: holder)
  }
}
