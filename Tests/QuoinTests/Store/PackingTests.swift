import Testing

@testable import Quoin
@testable import QuoteGenerator

/// How a store packs its blocks is kept with it, and changes no answer.
@Suite struct PackingTests {
  private static let rows: [TickerSymbol: QuoteColumns] = {
    let market = try? QuoteGenerator(tickerCount: 3, rowCount: 5000, seed: 7)
    guard let market else { return [:] }
    return Dictionary(uniqueKeysWithValues: market.tickers.indices.map { (market.tickers[$0], market.quotes(at: $0)) })
  }()

  /// How the blocks of a store's prices are stored.
  private func storages(_ store: QuoteStore) throws -> Set<String> {
    Set(try store.encodingSummaries().filter { ["open", "close"].contains($0.column) }.map(\.storage))
  }

  private func store(_ packing: BlockPacking, in files: InMemoryFiles = InMemoryFiles()) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: files)
    try store.write { transaction in
      try transaction.setPacking(packing)
      try transaction.upsert(Self.rows)
    }
    return store
  }

  @Test func the_answers_are_the_same_and_the_bytes_are_not() throws {
    let stores = try BlockPacking.allCases.map { try store($0) }
    let contents = try stores.map { try content(of: $0) }
    #expect(contents.allSatisfy { $0 == contents[0] } && contents[0].count == 3)
    let conditions: [Predicate] = [
      .range(.close, 20...30), .all([.range(.high, ...40), .range(.volume, 100_000...)]),
      .range(.adjustedClose, 10...20), .dates(from: "2010-01-04", to: "2010-03-01"), .range(.exDividend, 0.01...),
    ]
    for condition in conditions {
      let answers = try stores.map { try $0.allQuotes.where(condition).fetchColumns().columns.cellBits }
      #expect(answers.allSatisfy { $0 == answers[0] }, "\(condition)")
    }
    for (name, grouping) in Grouping.named {
      let tables = try stores.map {
        let table = try $0.allQuotes.where(.range(.close, 5...))
          .aggregate([.mean(.close), .sum(.volume), .max(.high), .min(.adjustedLow), .first(.open)], by: grouping)
        return "\(table)"
      }
      #expect(tables.allSatisfy { $0 == tables[0] }, "\(name)")
    }
    let sizes = stores.map(\.summary.byteCount)
    #expect(sizes[2] * 10 < sizes[1] * 8 && sizes[1] <= sizes[0], "\(sizes)")
    #expect(try storages(stores[0]) == ["raw"])
    #expect(try storages(stores[1]).isDisjoint(with: ["bits", "differenceBits"]))
    #expect(try storages(stores[2]).contains("differenceBits"))
    for store in stores { #expect(try store.verify().damages.isEmpty) }
  }

  @Test func the_setting_is_kept_and_followed_by_later_writers() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    #expect(store.packing == .balanced)
    try store.setPacking(.small)
    #expect(store.packing == .small && store.generation == 1)
    let other = try QuoteStore(at: "store", in: files)
    #expect(other.packing == .small)
    try other.upsert(Self.rows)
    #expect(try storages(other).contains("differenceBits"))
    try other.setPacking(.small)
    #expect(other.generation == 2, "nothing has changed")
    try other.undo()
    #expect(try QuoteStore(at: "store", in: files).packing == .small, "not a change of rows")
    try other.restore(generation: 2)
    try other.setPacking(.balanced)
    #expect(other.snapshot.manifest.settings["packing"] == nil)
  }

  @Test func blocks_that_are_there_stay_until_a_compaction() throws {
    let files = InMemoryFiles()
    let store = try store(.balanced, in: files)
    let rows = try content(of: store)
    let (balanced, ticker) = (store.summary.byteCount, try #require(store.tickers.first))
    try store.setPacking(.small)
    #expect(store.summary.byteCount == balanced)
    let last = try #require(try store.quotes(for: ticker).fetch().last)
    let next = DailyQuoteSummary(ticker: ticker, date: try #require(last.date.advanced(by: 1)), close: 1)
    try store.upsert([next])
    #expect(try !storages(store).contains("differenceBits"))
    try store.compact()
    #expect(try storages(store).contains("differenceBits") && store.summary.byteCount < balanced)
    try store.delete(ticker, dates: next.date...next.date)
    #expect(try content(of: store) == rows)
    for packing in [.fast, .small, .balanced] as [BlockPacking] {
      try store.compact(packing: packing)
      #expect(store.packing == packing)
      #expect(try content(of: store) == rows && content(in: "store", files) == rows)
    }
    #expect(try storages(store).isDisjoint(with: ["bits", "differenceBits"]))
    #expect(try store.verify().damages.isEmpty)
  }

  /// Byte for byte what it was before there was a choice: the bytes of the settings are none.
  @Test func a_store_of_balanced_blocks_is_as_if_there_were_no_choice() throws {
    let (chosen, plain) = (InMemoryFiles(), InMemoryFiles())
    for (files, choice) in [(chosen, nil), (plain, EncodingChoice())] as [(InMemoryFiles, EncodingChoice?)] {
      let store = try QuoteStore(at: "store", in: files, encodings: choice)
      try store.write { transaction in
        for (ticker, rows) in Self.rows.sorted(by: { $0.key < $1.key }) {
          _ = try transaction.transaction.upsert(ticker, rows)
        }
      }
    }
    #expect(chosen.content.filter { !$0.key.hasSuffix("LOCK") } == plain.content.filter { !$0.key.hasSuffix("LOCK") })
  }

  @Test func a_setting_that_this_version_does_not_know_is_handed_on() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.commit(patience: .zero) { (transaction) throws(StoreError) in
      var manifest = transaction.base.manifest
      (manifest.generation, manifest.settings) = (1, ["packing": Array("tiny".utf8)])
      try transaction.publish(manifest)
    }
    try store.refresh()
    #expect(store.packing == .balanced)
    try store.upsert(Self.rows)
    #expect(store.snapshot.manifest.settings["packing"] == Array("tiny".utf8))
    try store.setPacking(.fast)
    #expect(store.snapshot.manifest.settings["packing"] == Array("fast".utf8))
  }

  @Test func a_transaction_packs_the_blocks_after_the_change() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let tickers = Self.rows.keys.sorted()
    try store.commit(patience: .zero) { (transaction) throws(StoreError) in
      _ = try transaction.upsert(tickers[0], Self.rows[tickers[0]] ?? QuoteColumns())
      try transaction.encodeTails()
      try transaction.setPacking(.small)
      _ = try transaction.upsert(tickers[1], Self.rows[tickers[1]] ?? QuoteColumns())
    }
    #expect(store.generation == 1 && store.packing == .small && store.summary.fileCount == 2)
    #expect(try storages(store).isSuperset(of: ["raw", "differenceBits"]))
  }

  @Test func an_import_and_a_text_set_the_packing_in_their_commit() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let text = "ticker,date,close\nFDX,2001-01-01,7\n"
    try store.upsert(parsing: text.utf8, options: ImportOptions(packing: .small))
    #expect(store.generation == 1 && store.packing == .small)
    let directory = TemporaryDirectory()
    try SystemFiles().writeFile(directory.path + "/quotes.csv", [Array(text.utf8)])
    try store.importFiles([directory.path + "/quotes.csv"], options: ImportOptions(packing: .fast))
    #expect(store.generation == 2 && store.packing == .fast, "of equal rows only the setting is new")
    #expect(throws: ImportError.self) {
      try store.upsert(parsing: "nothing".utf8, options: ImportOptions(packing: .small))
    }
    #expect(store.packing == .fast)
  }

  @Test func a_task_sets_the_packing_without_blocking_a_thread() async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try await store.setPacking(.small)
    #expect(store.packing == .small && store.generation == 1)
    try await store.upsert(Self.rows)
    try await store.compact(packing: .fast)
    #expect(store.packing == .fast && store.generation == 3)
    #expect(try storages(store) == ["raw"])
  }

  /// Whatever operation fails, a store says how its blocks are packed: of those of a compaction, all or none are.
  @Test func a_compaction_that_fails_changes_neither_blocks_nor_setting() throws {
    var number = 0
    var outcomes: Set<Bool> = []
    while true {
      let disk = InMemoryFiles()
      _ = try store(.balanced, in: disk)
      let faults = FaultyFiles(disk)
      let store = try QuoteStore(at: "store", in: faults)
      faults.begin(failing: [number..<Int.max])
      let failed = (try? store.compact(packing: .small)) == nil
      let count = faults.operations.count
      faults.end()
      let reopened = try QuoteStore(at: "store", in: disk)
      let isSmall = try storages(reopened).contains("differenceBits")
      #expect(isSmall == (reopened.packing == .small), "operation \(number)")
      outcomes.insert(isSmall)
      if !failed && count <= number { break }
      number += 1
    }
    #expect(outcomes == [true, false] && number > 8)
  }
}
