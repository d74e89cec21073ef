import Testing

@testable import Quoin

/// Several changes are one commit, or none.
@Suite struct TransactionTests {
  private struct Refusal: Error {}
  private let disk = InMemoryFiles()

  private func store(_ tickers: [TickerSymbol: QuoteColumns] = [.fedEx: .sample(40), "A": .sample(30)]) throws
    -> QuoteStore
  {
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(tickers)
    return store
  }

  /// All files but the lock, whose text is for people.
  private var files: [String: [UInt8]] { disk.content.filter { !$0.key.hasSuffix("LOCK") } }

  @Test func several_changes_are_one_commit() throws {
    let store = try store()
    let reader = try QuoteStore(at: "store", in: disk)
    let count = try store.write { transaction in
      try transaction.delete("A")
      let counts = try transaction.upsert(["NEW": .sample(3), .fedEx: .sample(41)], source: "test")
      #expect(counts == UpsertCounts(inserted: 4, unchanged: 40))
      #expect(try !reader.refresh() && store.tickers == ["A", .fedEx])
      return try transaction.update([.fedEx], where: .all([])) { $0.close = 1 }
    }
    #expect(count == 41 && store.generation == 2 && store.tickers == [.fedEx, "NEW"])
    #expect(try store.quotes(for: .fedEx).where(.close, in: 1...1).count() == 41)
    #expect(
      try store.importRecords().map { "\($0.ticker) \($0.rowCount) \($0.source)" } == [
        "FDX 40 Swift", "FDX 41 test", "NEW 3 test",
      ])
    #expect(try reader.refresh() && content(of: reader) == content(of: store))
    #expect(try store.verify().damages.isEmpty)
  }

  @Test func a_body_that_throws_leaves_nothing() throws {
    let store = try store()
    let before = files
    #expect(throws: Refusal.self) {
      try store.write { transaction in
        try transaction.delete("A")
        try transaction.upsert(["NEW": .sample(3000)])
        // This has a file written.
        try transaction.update(where: .all([])) { $0.close = 1 }
        #expect(files.count > before.count)
        try transaction.deleteAll()
        throw Refusal()
      }
    }
    #expect(files == before && store.generation == 1)
    try store.write { _ in }
    #expect(files == before && store.generation == 1)
  }

  @Test func a_body_that_throws_leaves_no_store_where_there_was_none() throws {
    let store = try QuoteStore(at: "store", in: disk)
    #expect(throws: Refusal.self) {
      try store.write { transaction in
        try transaction.upsert(["NEW": .sample(3)])
        #expect(try transaction.update(where: .all([])) { $0.close = 1 } == 3)
        throw Refusal()
      }
    }
    #expect(throws: StoreError.noStore(path: "store")) { try QuoteStore(at: "store", mustExist: true, in: disk) }
    #expect(try store.upsert([.fedEx: .sample(1)]) == UpsertCounts(inserted: 1))
  }

  @Test func a_transaction_sees_its_own_changes() throws {
    try store().write { transaction in
      #expect(transaction.tickers == ["A", .fedEx])
      try transaction.delete("A")
      #expect(try transaction.fetch("A").isEmpty && transaction.fetchColumns("NONE").isEmpty)
      try transaction.upsert([DailyQuoteSummary(ticker: "NEW", date: "2001-01-02", close: 7)])
      #expect(try transaction.fetch("NEW").map(\.close) == [7] && transaction.tickers == [.fedEx, "NEW"])
      #expect(try transaction.update(["NEW", "NEW", "A"], where: .range(.close, 7...)) { $0.close = 8 } == 1)
      #expect(try transaction.fetch("NEW").map(\.close) == [8])
      let days = try transaction.fetchColumns(.fedEx).days
      #expect(try transaction.fetch(.fedEx, dates: days[3]...days[5]).map(\.date) == Array(days[3...5]))
      #expect(try transaction.delete(.fedEx, dates: days[0]...days[37]) == 38)
      #expect(try transaction.fetchColumns(.fedEx).days == [days[38], days[39]])
      #expect(try transaction.delete(where: .all([])) == 3 && transaction.tickers.isEmpty)
    }
    #expect(try QuoteStore(at: "store", in: disk).allQuotes.count() == 0)
  }

  @Test func many_small_changes_are_one_record_of_an_import() throws {
    let store = try store([:])
    let rows = QuoteColumns.sample(500)
    try store.write { transaction in
      for row in 0..<500 { try transaction.upsert([rows.quote(at: row, of: .fedEx)], source: "row by row") }
    }
    #expect(try content(of: store) == [.fedEx: rows.cellBits] && store.generation == 1)
    let record = try #require(try store.importRecords().first)
    #expect(try store.importRecords().count == 1 && record.rowCount == 500)
    #expect(record.firstDay == rows.days.first && record.lastDay == rows.days.last)
    // The record of what is deleted again goes with it.
    try store.write { transaction in
      try transaction.upsert(.sample(3), of: "GONE", source: "first")
      try transaction.delete("GONE")
      try transaction.upsert(.sample(2), of: "GONE", source: "second")
    }
    #expect(try store.importRecords(of: "GONE").map { "\($0.rowCount) \($0.source)" } == ["2 second"])
  }

  @Test func a_write_to_the_same_store_inside_is_refused() throws {
    let store = try store()
    try store.write { transaction in
      let error = #expect(throws: StoreError.self) { try store.upsert(["B": .sample(1)], patience: .milliseconds(20)) }
      if case .locked("store", _) = error {} else { Issue.record("\(error as Any)") }
      try transaction.upsert(.sample(1), of: "B")
    }
    #expect(store.tickers == ["A", "B", .fedEx])
  }

  /// A change that has failed may be half done, so nothing of the transaction is kept, even if the body goes on.
  @Test func an_error_that_the_body_catches_ends_the_transaction_all_the_same() throws {
    let before = try content(of: store())
    let faults = FaultyFiles(disk)
    let store = try QuoteStore(at: "store", in: faults)
    faults.begin()
    try store.write { _ = $0.tickers }
    let count = faults.operations.count
    let error = #expect(throws: StoreError.self) {
      try store.write { try Self.goOn(after: faults, in: $0) }
    }
    #expect(count > 3 && error?.isFailedSync == false)
    #expect(try content(in: "store", disk) == before)
    #expect(try store.upsert(["NEW": .sample(1)]) == UpsertCounts(inserted: 1))
  }

  /// Lets a change fail, and goes on as if nothing had happened.
  private static func goOn(after faults: FaultyFiles, in transaction: borrowing StoreTransaction) throws {
    faults.begin(failing: [0..<1])
    var first: StoreError?
    do {
      try transaction.upsert(["NEW": .sample(3)])
      try transaction.update(where: .all([])) { $0.close = 1 }
    } catch { first = error }
    faults.end()
    let failure = try #require(first)
    do { try transaction.upsert(["OTHER": .sample(3)]) } catch { #expect(error == failure) }
    do { _ = try transaction.fetch(.fedEx) } catch { #expect(error == failure) }
    do { try transaction.delete("A") } catch { #expect(error == failure) }
  }

  @Test func an_update_changes_cells_and_nothing_else() throws {
    let store = try store()
    let rows = QuoteColumns.sample(40)
    let high = rows[.high][7]
    let expected = rows[.high].count { $0 >= high }
    let hits = try store.update([.fedEx], where: .range(.high, high...)) { quote in
      quote.close = nil
      quote.volume = 5
    }
    #expect(hits == expected && store.generation == 2)
    for quote in try store.quotes(for: .fedEx).fetch() {
      let isHit = try #require(quote.high) >= high
      #expect((quote.close == nil) == isHit && (quote.volume == 5) == isHit)
    }
    #expect(try store.quotes(for: "A").fetchColumns().columns.cellBits == QuoteColumns.sample(30).cellBits)
    // What an update leaves as it is, is no commit.
    #expect(try store.update(where: .all([])) { $0.exDividend = $0.exDividend } == 70 && store.generation == 2)
    #expect(try store.update([], where: .all([])) { $0.close = 1 } == 0 && store.generation == 2)
    #expect(try store.importRecords().count == 2)
  }

  @Test func an_update_cannot_change_the_ticker_or_the_day() throws {
    let store = try store()
    let day = try #require(QuoteColumns.sample(1).days.first)
    let (before, error) = (files, StoreError.keyChanged(ticker: "A", date: day))
    #expect(throws: error) {
      try store.update(where: .all([])) { $0 = DailyQuoteSummary(ticker: "B", date: $0.date) }
    }
    #expect(throws: error) {
      try store.update(where: .all([])) { $0 = DailyQuoteSummary(ticker: $0.ticker, date: .latest) }
    }
    #expect(files == before && store.generation == 1)
  }

  @Test func rows_batches_and_columns_are_stored_alike() throws {
    let columns = QuoteColumns.sample(10)
    let quotes = (0..<10).map { columns.quote(at: $0, of: .fedEx) }
    for number in 0..<4 {
      let store = try QuoteStore(at: "store\(number)", in: disk)
      let counts =
        switch number {
        case 0: try store.upsert(quotes)
        case 1: try store.upsert(quotes.lazy.reversed())
        case 2: try store.upsert(QuoteBatch(ticker: .fedEx, columns: columns))
        default: try store.upsert([.fedEx: columns])
        }
      #expect(try counts == UpsertCounts(inserted: 10) && content(of: store) == [.fedEx: columns.cellBits])
    }
  }
}
