import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whatever operation of a write fails: the store is as it was, or as it was to become; the error says what failed; and
/// the next writer finds no rubbish.
@Suite struct FaultTests {
  struct Workload: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let prepare: @Sendable (QuoteStore) throws -> Void
    let write: @Sendable (QuoteStore) throws -> Void
  }

  static let workloads: [Workload] = [
    Workload(testDescription: "first commit") { _ in
    } write: {
      try $0.upsert(["FDX": .sample(20), "A": .sample(3)])
    },
    Workload(testDescription: "append") {
      try $0.upsert(["FDX": .sample(1100), "A": .sample(100)])
    } write: {
      try $0.upsert(["FDX": .sample(3, from: "2011-01-03"), "NEW": .sample(2)])
    },
    Workload(testDescription: "replace") {
      try $0.upsert(["FDX": .sample(100)])
      try $0.upsert(["FDX": .sample(5, from: "2011-01-03")])
    } write: {
      try $0.upsert(["FDX": .sample(50, salt: 4)])
    },
    Workload(testDescription: "delete a ticker") {
      try $0.upsert(["FDX": .sample(100), "A": .sample(100)])
    } write: {
      try $0.delete(["FDX"])
    },
    Workload(testDescription: "delete some rows") {
      try $0.upsert(["FDX": .sample(100), "A": .sample(100)])
    } write: {
      try $0.delete(nil, where: .range(.high, ...85))
    },
    Workload(testDescription: "delete everything") {
      try $0.upsert(["FDX": .sample(100), "A": .sample(100)])
    } write: {
      try $0.delete(nil)
    },
    Workload(testDescription: "compact") { store in
      for part in 0..<4 { try store.upsert(["FDX": .sample(80 >> part, from: TradingDay(daysSince1970: part * 300)!)]) }
    } write: {
      try $0.compact()
    },
    Workload(testDescription: "many tickers") {
      try $0.upsert(["FDX": .sample(10)])
    } write: {
      var rows: [TickerSymbol: QuoteColumns] = [:]
      for number in 0..<12 { rows[try TickerSymbol("T\(number)")] = .sample(2, salt: number) }
      try $0.upsert(rows)
    },
  ]

  @Test(arguments: workloads)
  func any_failing_operation_leaves_the_old_store_or_the_new(_ workload: Workload) throws {
    let disk = InMemoryFiles()
    try workload.prepare(QuoteStore(at: "store", in: disk))
    let old = try content(in: "store", disk)
    let (operations, new) = try soundRun(workload, disk)
    #expect(operations.count > 8)
    var kept = 0
    for code in TestSettings.isDebug ? [ENOSPC] : [ENOSPC, EIO, EMFILE] {
      for isLasting in [false, true] {
        for number in operations.indices {
          let failing = number..<(isLasting ? .max : number + 1)
          let copy = InMemoryFiles(copying: disk)
          let comment = "\(isLasting ? "all from" : "only") \(number), \(operations[number]): \(systemMessage(code))"
          let outcome = try run(workload, copy, failing: failing, code, comment)
          let found = try content(in: "store", copy)
          switch outcome {
          case .done: #expect(found == new, "\(comment)")
          case .nothingChanged: #expect(found == old, "\(comment)")
          case .unknown: #expect(found == old || found == new, "\(comment)")
          }
          if found == old { kept += 1 }
          try expectSoundAfterwards(copy, comment)
        }
      }
    }
    #expect(kept > operations.count)
  }

  private func soundRun(
    _ workload: Workload, _ disk: InMemoryFiles
  ) throws -> ([String], [TickerSymbol: [[UInt64]]]) {
    let faults = FaultyFiles(InMemoryFiles(copying: disk))
    let store = try QuoteStore(at: "store", in: faults)
    faults.begin()
    try workload.write(store)
    faults.end()
    return (faults.operations, try content(of: store))
  }

  private enum Outcome { case done, nothingChanged, unknown }

  private func run(
    _ workload: Workload, _ disk: InMemoryFiles, failing: Range<Int>, _ code: Int32, _ comment: String
  ) throws -> Outcome {
    let faults = FaultyFiles(disk)
    let store = try QuoteStore(at: "store", in: faults)
    let before = try content(of: store)
    faults.begin(failing: failing, code: code)
    defer { faults.end() }
    do {
      try workload.write(store)
      return .done
    } catch let error as StoreError {
      // The store object goes on showing what it showed.
      faults.end()
      #expect(try content(of: store) == before, "\(comment)")
      try expectStopped(store, after: error, comment)
      switch error {
      case .commitUnknown(let cause):
        #expect(cause.code == code && cause.operation == .sync, "\(comment)")
        return .unknown
      case .inputOutput(let cause):
        #expect(cause.code == code, "\(comment)")
        #expect(cause.path.hasPrefix("store"), "\(comment)")
        return .nothingChanged
      default:
        Issue.record("\(comment): \(error)")
        return .nothingChanged
      }
    }
  }

  /// After a failed sync nobody knows what the disk holds, and the object writes no more.
  private func expectStopped(_ store: QuoteStore, after error: StoreError, _ comment: String) throws {
    switch error {
    case .commitUnknown(let cause), .inputOutput(let cause):
      guard cause.operation == .sync else { return }
      #expect(throws: StoreError.writerStopped(path: "store"), "\(comment)") { try store.upsert(["ZZZ": .sample(1)]) }
    default: break
    }
  }

  /// The next writer writes, and after it there is nothing but what the manifest names.
  private func expectSoundAfterwards(_ disk: InMemoryFiles, _ comment: String) throws {
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["ZZZ": .sample(1)])
    let expected = Set(store.snapshot.manifest.files.map(\.name) + ["MANIFEST", "LOCK"])
    #expect(Set(try disk.names(in: "store")) == expected, "\(comment)")
    #expect(try store.verify().damages.isEmpty, "\(comment)")
    #expect(try content(in: "store", disk)["ZZZ"]?.count == 1, "\(comment)")
  }

  /// The protocol, step by step: a missing or misplaced sync would be seen here.
  @Test func a_commit_takes_these_steps() throws {
    let faults = FaultyFiles(InMemoryFiles())
    faults.begin()
    let store = try QuoteStore(at: "store", in: faults)
    try store.upsert(["FDX": .sample(1)])
    let first = faults.operations.filter { !$0.hasPrefix("write ") }
    #expect(
      first == [
        "map MANIFEST", "list store", "list store", "create directory store", "sync ..", "list store", "lock LOCK",
        "map MANIFEST", "list store", "list store",
        "create MANIFEST.tmp", "sync MANIFEST.tmp", "sync store", "rename MANIFEST", "sync store",
        "create 00000001.columns", "sync 00000001.columns", "map 00000001.columns",
        "create MANIFEST.tmp", "sync MANIFEST.tmp", "sync store", "rename MANIFEST", "sync store", "list store",
      ])
    faults.begin()
    try store.upsert(["FDX": .sample(1, salt: 1)])
    let second = faults.operations.filter { !$0.hasPrefix("write ") }
    #expect(
      second == [
        "list store", "list store", "lock LOCK", "map MANIFEST", "map 00000001.columns", "list store",
        "create 00000002.columns", "sync 00000002.columns", "map 00000002.columns",
        "create MANIFEST.tmp", "sync MANIFEST.tmp", "sync store", "rename MANIFEST", "sync store", "list store",
        "remove 00000001.columns",
      ])
  }

  /// A store that has lost its manifest has lost nothing else: it is neither empty nor to be written to.
  @Test func column_files_without_a_manifest_are_never_touched() throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["FDX": .sample(10)])
    disk["store/MANIFEST"] = nil
    // The lock file names its last holder, and since when.
    func files() -> [String: [UInt8]] { disk.content.filter { !$0.key.hasSuffix("LOCK") } }
    let before = files()
    let error = StoreError.damaged(
      path: "store/MANIFEST", offset: 0, reason: "it is missing, and there are column files that it has to name")
    #expect(throws: error) { try QuoteStore(at: "store", in: disk) }
    #expect(throws: error) { try store.refresh() }
    #expect(throws: error) { try store.upsert(["FDX": .sample(20)]) }
    #expect(throws: error) { try store.compact() }
    #expect(files() == before)
  }

  @Test func stray_files_are_removed_after_the_generation_is_durable() throws {
    let disk = InMemoryFiles()
    try QuoteStore(at: "store", in: disk).upsert(["FDX": .sample(1)])
    disk["store/00000077.columns"] = [1]
    disk["store/MANIFEST.tmp"] = [2]
    let faults = FaultyFiles(disk)
    faults.begin()
    try QuoteStore(at: "store", in: faults).upsert(["FDX": .sample(2)])
    let operations = faults.operations
    let sync = try #require(operations.firstIndex(of: "sync store"))
    for stray in ["remove 00000077.columns", "remove MANIFEST.tmp"] {
      #expect(try #require(operations.firstIndex(of: stray)) > sync)
    }
    #expect(Set(try disk.names(in: "store")) == ["LOCK", "MANIFEST", "00000002.columns"])
  }
}
