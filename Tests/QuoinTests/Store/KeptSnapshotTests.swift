import Foundation
import Synchronization
import Testing

@testable import Quoin

@Suite struct KeptSnapshotTests {
  @Test func a_snapshot_shows_what_was_there_whatever_is_written_later() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["FDX": .sample(40), "A": .sample(3)])
    let before = try content(of: store)
    try store.keepSnapshot(named: "first")
    try store.upsert(["FDX": .sample(40, salt: 3), "NEW": .sample(9)])
    let between = try content(of: store)
    try store.keepSnapshot(named: "second")
    try store.delete(["FDX", "A"])
    try store.compact()
    let reopened = try QuoteStore(at: "store", in: files)
    #expect(
      reopened.snapshots.map { "\($0.name ?? "-") \($0.generation)" } == ["first 1", "second 3", "- 5"])
    #expect(try content(of: try #require(try reopened.snapshot(named: "first"))) == before)
    #expect(try content(of: try #require(try reopened.snapshot(named: "second"))) == between)
    #expect(try reopened.snapshot(named: "third") == nil)
    #expect(try reopened.verify().damages.isEmpty)
    #expect(try reopened.verify().strayFiles.isEmpty)
  }

  @Test func a_snapshot_that_somebody_else_has_dropped_is_none() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["FDX": .sample(40)])
    try store.keepSnapshot(named: "first")
    let reader = try QuoteStore(at: "store", in: files)
    try store.dropSnapshot(named: "first")
    for salt in 1...3 { try store.upsert(["FDX": .sample(40, salt: salt)]) }
    #expect(reader.snapshots.contains { $0.name == "first" }, "the reader hasn't seen the commits")
    #expect(try reader.snapshot(named: "first") == nil)
    #expect(try reader.snapshot(ofGeneration: 1) == nil)
  }

  @Test func a_reader_at_a_snapshot_sees_the_same_rows_while_a_thousand_commits_pass() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/store"
    let store = try QuoteStore(at: path)
    try store.upsert(["FDX": .sample(40), "A": .sample(3)])
    try store.keepSnapshot(named: "first")
    let before = try content(of: store)
    let opened = try #require(try store.snapshot(named: "first"))
    let outcome = Outcome()
    Thread.detachNewThread {
      let result = Result {
        for index in 0..<1000 {
          switch index % 4 {
          case 0: try store.upsert(["FDX": .sample(45, salt: index)])
          case 1: try store.upsert(["A": .sample(5, salt: index)])
          case 2: try store.delete("A")
          default: try store.undo()
          }
        }
      }
      outcome.result.withLock { $0 = result }
    }
    var (readCount, generation) = (0, 0)
    while generation < 1002, outcome.result.withLock({ $0 == nil }) {
      #expect(try content(of: opened) == before)
      let reader = try QuoteStore(at: path)
      generation = Int(reader.generation)
      #expect(try content(of: try #require(try reader.snapshot(named: "first"))) == before)
      readCount += 1
    }
    while outcome.result.withLock({ $0 == nil }) { usleep(1000) }
    try outcome.result.withLock { try $0?.get() }
    #expect(store.generation == 1002)
    #expect(try store.verify().damages.isEmpty && store.verify().strayFiles.isEmpty)
    print("\(readCount) readings of a snapshot while 1000 commits passed")
  }

  @Test func the_files_of_a_dropped_snapshot_are_removed() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["FDX": .sample(40)])
    try store.keepRecentGenerations(0)
    try store.keepSnapshot(named: "first")
    try store.upsert(["FDX": .sample(45, salt: 3)])
    #expect(store.snapshots.map(\.heldFileCount) == [1])
    let kept = try files.names(in: "store")
    #expect(kept.contains("2.manifest") && kept.contains("00000001.columns"))
    #expect(try store.dropSnapshot(named: "first"))
    #expect(try Set(files.names(in: "store")) == ["LOCK", "MANIFEST", "00000002.columns"])
    let generation = store.generation
    #expect(try store.dropSnapshot(named: "first") == false)
    #expect(store.generation == generation)
  }

  @Test func only_so_many_of_the_newest_generations_are_kept() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    var contents: [UInt64: StoreContent] = [:]
    try store.upsert(["FDX": .sample(20)])
    try store.keepRecentGenerations(2)
    for salt in 1...5 {
      contents[store.generation] = try content(of: store)
      try store.upsert(["FDX": .sample(20 + salt, salt: salt)])
    }
    #expect(store.generation == 7)
    #expect(try Set(files.names(in: "store").filter(StoreFiles.isKeptManifest)) == ["5.manifest", "6.manifest"])
    for number in [5, 6] as [UInt64] {
      #expect(try content(of: try #require(try store.snapshot(ofGeneration: number))) == contents[number])
    }
    #expect(try store.snapshot(ofGeneration: 4) == nil)
    try store.keepRecentGenerations(0)
    try store.upsert(["FDX": .sample(1)])
    #expect(try !files.names(in: "store").contains(where: StoreFiles.isKeptManifest))
  }

  @Test func a_snapshot_is_neither_written_to_nor_refreshed() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["FDX": .sample(40)])
    try store.keepSnapshot(named: "first")
    try store.upsert(["A": .sample(40)])
    let snapshot = try #require(try store.snapshot(named: "first"))
    #expect(throws: StoreError.readOnly(path: "store")) { try snapshot.upsert(["A": .sample(1)]) }
    #expect(throws: StoreError.readOnly(path: "store")) { try snapshot.compact() }
    #expect(try snapshot.refresh() == false)
    #expect(snapshot.tickers == ["FDX"] && snapshot.generation == 1)
  }

  @Test func a_name_that_is_taken_or_none_is_refused() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    #expect(throws: StoreError.self) { try store.keepSnapshot(named: "early") }
    try store.upsert(["FDX": .sample(40)])
    try store.keepSnapshot(named: "first")
    let generation = store.generation
    for name in ["first", "", "1", "-x", ".", "..", "a/b", "a b", "ä", String(repeating: "a", count: 65), "a\0"] {
      #expect(throws: StoreError.self, "\(name)") { try store.keepSnapshot(named: name) }
    }
    #expect(store.generation == generation)
    try store.keepSnapshot(named: String(repeating: "a", count: 64))
  }

  @Test func a_damaged_snapshot_is_reported_and_harms_nothing_else() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["FDX": .sample(40)])
    try store.keepSnapshot(named: "first")
    try store.upsert(["FDX": .sample(45, salt: 3)])
    for damage in ["1.manifest", "00000001.columns"] {
      for isLost in [true, false] {
        let disk = InMemoryFiles(copying: files)
        if isLost { disk["store/" + damage] = nil } else { disk["store/" + damage]?[60] ^= 4 }
        let damaged = try QuoteStore(at: "store", in: disk)
        #expect(try content(of: damaged) == content(of: store))
        let damages = try damaged.verify().damages
        #expect(damages.contains { $0.path == "store/" + damage }, "\(damages)")
        #expect(throws: StoreError.self) { try damaged.snapshot(named: "first")?.allQuotes.fetch() }
        // A writer goes on, and keeps what is left.
        try damaged.upsert(["A": .sample(1)])
        #expect(try disk.names(in: "store").contains("00000001.columns") || damage == "00000001.columns")
      }
    }
  }

  @Test func a_repair_says_that_it_leaves_snapshots_behind() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["FDX": .sample(40)])
    try store.keepSnapshot(named: "first")
    try store.upsert(["FDX": .sample(45, salt: 3)])
    let report = try QuoteStore.repair("store", into: "new", in: files)
    #expect(report.losses.map(\.part) == [.snapshot("first")])
    #expect(try content(in: "new", files) == content(of: store))
  }
}

/// What came of a thread's work.
private final class Outcome: Sendable {
  let result = Mutex<Result<Void, any Error>?>(nil)
}
