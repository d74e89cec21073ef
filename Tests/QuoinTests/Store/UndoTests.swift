import Testing

@testable import Quoin

@Suite struct UndoTests {
  private typealias Write = @Sendable (QuoteStore) throws -> Void

  private static let fedEx: Write = { try $0.upsert(["FDX": .sample(40), "A": .sample(3)]) }

  /// What is taken back, each after the same first commit.
  private static let writes: [(String, Write)] = [
    ("append", { try $0.upsert(["FDX": .sample(3, from: "2011-01-03")]) }),
    ("replace", { try $0.upsert(["FDX": .sample(45, salt: 3)]) }),
    ("another ticker", { try $0.upsert(["NEW": .sample(9)]) }),
    ("delete rows", { try $0.delete(where: .range(.high, ...82)) }),
    ("delete a ticker", { try $0.delete("FDX") }),
    ("delete everything", { try $0.deleteAll() }),
    ("update", { try $0.update(where: .range(.high, 81.0...)) { $0.close = nil } }),
    ("compact", { try $0.compact() }),
    (
      "several",
      { store in
        try store.write { transaction in
          try transaction.delete("A")
          try transaction.upsert(["A": .sample(2, salt: 9), "FDX": .sample(10, salt: 1)])
        }
      }
    ),
    ("rename", { try $0.rename("FDX", to: "FEDEX") }),
    ("adjust", { try $0.adjust(["FDX", "A"], replacing: true) }),
    ("another packing", { try $0.compact(packing: .small) }),
    (
      "merge",
      { store in
        let other = try QuoteStore(at: "other", in: InMemoryFiles())
        try other.upsert(["FDX": .sample(50, salt: 5), "KO": .sample(4)])
        try store.merge(other, mode: .replace)
      }
    ),
    ("import", { _ = try $0.upsert(parsing: "ticker,date,close\nFDX,2001-01-01,7\nKO,2001-01-01,8\n".utf8) }),
  ]

  @Test(arguments: writes.indices)
  func any_write_is_taken_back_and_the_undo_too(_ index: Int) throws {
    let (name, write) = Self.writes[index]
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try Self.fedEx(store)
    let (before, records) = (try content(of: store), try store.importRecords())
    try write(store)
    let (after, laterRecords) = (try content(of: store), try store.importRecords())
    for round in 0..<2 {
      try store.undo()
      #expect(try content(of: store) == before, "\(name), round \(round)")
      #expect(try store.importRecords() == records, "\(name)")
      #expect(try content(in: "store", files) == before, "\(name)")
      try store.undo()
      #expect(try content(of: store) == after, "\(name), round \(round)")
      #expect(try store.importRecords() == laterRecords, "\(name)")
    }
    #expect(store.generation == 6)
    #expect(try store.verify().damages.isEmpty && store.verify().strayFiles.isEmpty, "\(name)")
    // And life goes on.
    try store.undo()
    try write(store)
    #expect(try content(of: store) == after, "\(name)")
  }

  @Test func the_first_commit_is_taken_back() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    #expect(throws: StoreError.nothingToUndo(path: "store")) { try store.undo() }
    try Self.fedEx(store)
    try store.keepSnapshot(named: "first")
    let rows = try content(of: store)
    try store.undo()
    #expect(store.tickers.isEmpty && store.generation == 3)
    #expect(try QuoteStore(at: "store", mustExist: true, in: files).tickers.isEmpty)
    try store.undo()
    #expect(try content(of: store) == rows)
    try store.dropSnapshot(named: "first")
    try store.undo()
    try Self.fedEx(store)
    #expect(try content(of: store) == rows)
  }

  @Test(arguments: [1, 2, 3, 10])
  func of_several_kept_generations_the_newest_is_brought_back(_ keptCount: Int) throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.keepRecentGenerations(keptCount)
    var before = try content(of: store)
    for salt in 1...5 {
      before = try content(of: store)
      try store.upsert(["FDX": .sample(20 + salt, salt: salt), TickerSymbol("T\(salt)"): .sample(salt)])
    }
    let after = try content(of: store)
    try store.undo()
    #expect(try content(of: store) == before)
    try store.undo()
    #expect(try content(of: store) == after)
  }

  @Test func without_the_generation_before_there_is_nothing_to_take_back() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try Self.fedEx(store)
    try store.keepRecentGenerations(0)
    #expect(store.recentGenerationCount == 0)
    try store.upsert(["NEW": .sample(9)])
    #expect(throws: StoreError.nothingToUndo(path: "store")) { try store.undo() }
    try store.keepRecentGenerations(3)
    // What it was before the setting is gone.
    #expect(throws: StoreError.nothingToUndo(path: "store")) { try store.undo() }
    try store.upsert(["NEW": .sample(10)])
    try store.undo()
    #expect(try store.quotes(for: "NEW").count() == 9)
    try store.keepRecentGenerations(.max)
    #expect(store.recentGenerationCount == 1_000_000)
    try store.keepRecentGenerations(-5)
    #expect(store.recentGenerationCount == 0)
  }

  @Test func a_snapshot_or_a_kept_generation_is_restored() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try Self.fedEx(store)
    try store.keepRecentGenerations(10)
    let first = try content(of: store)
    try store.keepSnapshot(named: "first")
    var contents: [UInt64: StoreContent] = [:]
    for salt in 1...4 {
      try store.upsert(["FDX": .sample(20 + salt, salt: salt), TickerSymbol("T\(salt)"): .sample(salt)])
      contents[store.generation] = try content(of: store)
    }
    let newest = try content(of: store)
    for (generation, rows) in contents.sorted(by: { $0.key < $1.key }) where generation < 7 {
      try store.restore(generation: generation)
      #expect(try content(of: store) == rows && content(in: "store", files) == rows)
    }
    try store.restore(snapshotNamed: "first")
    #expect(try content(of: store) == first)
    let generation = store.generation
    try store.restore(snapshotNamed: "first")
    #expect(store.generation == generation, "it is as it was, so nothing is committed")
    try store.restore(generation: 7)
    #expect(try content(of: store) == newest)
    #expect(throws: StoreError.noSnapshot(path: "store", name: "second")) {
      try store.restore(snapshotNamed: "second")
    }
    #expect(throws: StoreError.noSnapshot(path: "store", name: "1000")) { try store.restore(generation: 1000) }
    #expect(try store.verify().damages.isEmpty)
  }

  @Test func an_undo_is_seen_by_those_who_follow() async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try await store.upsert(["FDX": .sample(40), "A": .sample(3)])
    try await store.upsert(["FDX": .sample(3, from: "2011-01-03")])
    var iterator = store.changes.makeAsyncIterator()
    try await store.undo()
    let change = try #require(try await iterator.next())
    #expect(change.tickers == ["FDX"] && change.days(of: "FDX")?.upperBound == "2011-01-05")
    try await store.keepSnapshot(named: "first")
    try await store.delete("FDX")
    try await store.restore(snapshotNamed: "first")
    #expect(try await store.snapshot(ofGeneration: store.generation)?.tickers == ["A", "FDX"])
    try await store.keepRecentGenerations(4)
    try await store.restore(generation: 5)
    #expect(store.recentGenerationCount == 4 && store.tickers == ["A"])
  }

  @Test func a_damaged_store_can_go_back_to_a_sound_generation() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try Self.fedEx(store)
    try store.keepSnapshot(named: "first")
    let before = try content(of: store)
    try store.upsert(["FDX": .sample(45, salt: 3), "A": .sample(4, salt: 3)])
    let newest = try #require(store.snapshot.manifest.files.last?.name)
    for goBack in [{ try $0.undo() }, { try $0.restore(snapshotNamed: "first") }] as [Write] {
      let disk = InMemoryFiles(copying: files)
      disk["store/" + newest]?[9] ^= 1
      let damaged = try QuoteStore(at: "store", in: disk)
      #expect(throws: StoreError.self) { try damaged.upsert(["A": .sample(1)]) }
      try goBack(damaged)
      #expect(try content(of: damaged) == before && content(in: "store", disk) == before)
      try damaged.upsert(["A": .sample(1)])
    }
  }

  @Test func to_a_damaged_generation_nothing_goes_back() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try Self.fedEx(store)
    try store.upsert(["FDX": .sample(45, salt: 3), "A": .sample(4, salt: 3)])
    for name in ["1.manifest", "00000001.columns"] {
      for isLost in [true, false] {
        let disk = InMemoryFiles(copying: files)
        if isLost { disk["store/" + name] = nil } else { disk["store/" + name]?[9] ^= 4 }
        let damaged = try QuoteStore(at: "store", in: disk)
        #expect(throws: StoreError.self, "\(name)") { try damaged.undo() }
        #expect(throws: StoreError.self, "\(name)") { try damaged.restore(generation: 1) }
        #expect(try content(in: "store", disk) == content(of: store))
      }
    }
  }

  @Test func a_view_of_a_snapshot_takes_nothing_back() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try Self.fedEx(store)
    try store.keepSnapshot(named: "first")
    let view = try #require(try store.snapshot(named: "first"))
    #expect(throws: StoreError.readOnly(path: "store")) { try view.undo() }
    #expect(throws: StoreError.readOnly(path: "store")) { try view.restore(snapshotNamed: "first") }
    let newest = try #require(try store.snapshot(ofGeneration: store.generation))
    #expect(throws: StoreError.readOnly(path: "store")) { try newest.undo() }
    #expect(try store.snapshot(ofGeneration: 77) == nil)
  }
}
