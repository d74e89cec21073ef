import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whatever operation of a write fails: the store is as it was, or as it was to become, even if the power fails then; the
/// error says what failed; nothing stays open; and the next writer finds no rubbish.
@Suite struct FaultTests {
  /// What fails: an operation alone, or with all after it, or with another one.
  private struct Fault {
    let operations: [Range<Int>]
    let code: Int32
    /// How much of its bytes a write that fails has written.
    var share = 0.5
  }

  /// What was found, over all faults.
  private struct Tally {
    var points = 0
    var refused = 0
    var unknown = 0
    /// Stores that held something else than was said.
    var falseCommits = 0
    var handlesLeft = 0
    /// The same after a power failure.
    var crashes: CrashCheck

    init(_ crashes: CrashCheck) { self.crashes = crashes }

    func report(_ what: String) {
      print(
        "promise 6: \(what): \(points) points, \(refused) refused, of them \(unknown) unknown, \(falseCommits) false "
          + "commits, \(handlesLeft) handles left; \(crashes.states.count) states after a power failure, "
          + "\(crashes.faults.count) wrong")
      for (_, reason) in crashes.faults.prefix(5) { Issue.record("\(reason)") }
    }
  }

  @Test func any_failing_operation_leaves_the_old_store_or_the_new() throws {
    let codes = TestSettings.isDebug ? [ENOSPC] : [ENOSPC, EIO, EMFILE, EINTR]
    var tally = Tally(CrashCheck(TestSettings.dice("FaultTests")))
    for workload in StoreWorkload.all {
      guard let write = workload.writes.last else { continue }
      let before = try Recording(of: workload.writes.dropLast())
      tally.crashes.admit(before.steps)
      let disk = before.disk
      let (operations, old, new) = try soundRun(write, disk)
      #expect(operations.count > 8)
      var faults: [Fault] = []
      for code in codes {
        for number in operations.indices {
          faults.append(Fault(operations: [number..<(number + 1)], code: code))
          faults.append(Fault(operations: [number..<Int.max], code: code))
          guard operations[number].hasPrefix("write") else { continue }
          for share in TestSettings.isDebug ? [0.001, 0.999] : [0, 0.001, 0.999, 1] {
            faults.append(Fault(operations: [number..<(number + 1)], code: code, share: share))
          }
        }
      }
      for fault in faults {
        let (number, isAlone) = (fault.operations[0].lowerBound, fault.operations[0].count == 1)
        let comment =
          "\(workload.testDescription): \(isAlone ? "only" : "all from") \(number), \(operations[number]): "
          + "\(systemMessage(fault.code)), \(fault.share) written"
        let error = try outcome(of: write, on: disk, fault, (old: [old], new), &tally, comment)
        // An operation that isn't needed may fail, and nobody hears of it; else it is named as the one that failed.
        if let error, isAlone { #expect(error.cause?.step == operations[number], "\(comment): \(error)") }
      }
    }
    tally.report("\(StoreWorkload.all.count) workloads, one operation failing, or all from one on")
    #expect(tally.points >= (TestSettings.isDebug ? 500 : 2000))
    #expect(tally.unknown > 0 && tally.refused < tally.points)
  }

  /// A writer has died before its last sync, and of the next one, which has to know, any two operations fail.
  @Test func two_failing_operations_after_a_death_lose_nothing() throws {
    let names = ["replace", "first commit", "take over older files"].prefix(TestSettings.isDebug ? 1 : 3)
    let workloads = StoreWorkload.all.filter { names.contains($0.testDescription) }
    #expect(workloads.count == names.count)
    var tally = Tally(CrashCheck(TestSettings.dice("FaultTests")))
    for workload in workloads {
      let whole = try Recording(of: workload.writes).steps
      tally.crashes.admit(whole)
      let rename = try #require(whole.lastIndex { if case .rename = $0 { true } else { false } })
      var disk = UnsyncedDisk()
      for step in whole[...rename] { disk.apply(step) }
      let before = try Recording(of: workload.writes.dropLast()).disk.current
      let earlier = try content(in: "store", InMemoryFiles(before))
      let (operations, old, new) = try soundRun(CrashCheck.addRow, disk)
      #expect(old != earlier)
      for first in operations.indices {
        for second in operations.indices[(first + 1)...] {
          let fault = Fault(operations: [first..<(first + 1), second..<(second + 1)], code: EIO)
          let comment = "\(workload.testDescription): \(first), \(operations[first]) and \(second)"
          _ = try outcome(of: CrashCheck.addRow, on: disk, fault, (old: [earlier, old], new), &tally, comment)
        }
      }
    }
    tally.report("\(workloads.count) workloads, a writer dead before its last sync, two operations of the next failing")
    #expect(tally.points > 100)
  }

  /// Writes while something fails, and checks what is left; then the power fails, and that is checked too. Returns the
  /// error of the write.
  ///
  /// - Parameter contents: what the store may hold if the write failed, and what it holds if it didn't.
  private func outcome(
    of write: StoreWorkload.Write, on disk: UnsyncedDisk, _ fault: Fault,
    _ contents: (old: [StoreContent], new: StoreContent), _ tally: inout Tally, _ comment: String
  ) throws -> StoreError? {
    let recorder = RecordingFiles(on: disk)
    let error = try failure(of: write, recorder, fault, &tally, comment)
    let promised =
      error == nil ? [contents.new] : error?.isCommitUnknown == true ? contents.old + [contents.new] : contents.old
    let isTrue = promised.contains(try content(in: "store", recorder))
    #expect(isTrue, "\(comment)")
    var after = disk
    for step in recorder.takeSteps() { after.apply(step) }
    tally.crashes.check([.promise(promised)], on: after, limit: 20, comment)
    try expectSoundAfterwards(recorder, comment)
    tally.points += 1
    if !isTrue { tally.falseCommits += 1 }
    if error != nil { tally.refused += 1 }
    if error?.isCommitUnknown == true { tally.unknown += 1 }
    return error
  }

  private func soundRun(
    _ write: StoreWorkload.Write, _ disk: UnsyncedDisk
  ) throws -> (operations: [String], old: StoreContent, new: StoreContent) {
    let faults = FaultyFiles(RecordingFiles(on: disk))
    let store = try QuoteStore(at: "store", in: faults)
    let old = try content(of: store)
    faults.begin()
    try write(store)
    faults.end()
    return (faults.operations, old, try content(of: store))
  }

  /// What a write says when some of its operations fail; nil when it did its work none the less.
  private func failure(
    of write: StoreWorkload.Write, _ disk: any FileSystem, _ fault: Fault, _ tally: inout Tally, _ comment: String
  ) throws -> StoreError? {
    let faults = FaultyFiles(disk)
    let store = try QuoteStore(at: "store", in: faults)
    let before = try content(of: store)
    faults.begin(failing: fault.operations, code: fault.code, share: fault.share)
    defer {
      faults.end()
      #expect(faults.handleCount == 0, "\(comment)")
      tally.handlesLeft += faults.handleCount
    }
    do {
      try write(store)
      return nil
    } catch let error as StoreError {
      faults.end()
      // After a failed sync there is no other try: it would lie.
      let operations = faults.operations
      let isFailed = { (number: Int) in fault.operations.contains { $0.contains(number) } }
      if let number = operations.indices.first(where: { isFailed($0) && operations[$0].hasPrefix("sync ") }) {
        #expect(error.cause?.step == operations[number], "\(comment)")
        let later = operations[(number + 1)...]
        #expect(later.allSatisfy { $0.hasPrefix("list ") || $0.hasPrefix("remove ") }, "\(comment): \(later)")
      }
      // The store object goes on showing what it showed.
      #expect(try content(of: store) == before, "\(comment)")
      let cause = try #require(error.cause, "\(comment): \(error)")
      #expect(cause.code == fault.code && cause.path.hasPrefix("store"), "\(comment): \(error)")
      #expect(error.description.contains("'\(cause.path)': \(systemMessage(fault.code))"), "\(comment): \(error)")
      #expect(!error.isCommitUnknown || cause.operation == .sync, "\(comment): \(error)")
      try expectStopped(store, after: error, comment)
      return error
    }
  }

  /// After a failed sync nobody knows what the disk holds, and the object writes no more.
  private func expectStopped(_ store: QuoteStore, after error: StoreError, _ comment: String) throws {
    guard error.cause?.operation == .sync else { return }
    #expect(throws: StoreError.writerStopped(path: "store"), "\(comment)") { try store.upsert(["ZZZ": .sample(1)]) }
  }

  /// The next writer writes, and after it there is nothing but what the manifest names.
  private func expectSoundAfterwards(_ disk: any FileSystem, _ comment: String) throws {
    let store = try QuoteStore(at: "store", in: disk)
    try store.upsert(["ZZZ": .sample(1)])
    let expected = store.snapshot.manifest.fileNames.union(["MANIFEST", "LOCK"])
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
        "map MANIFEST", "list store", "map SHARDS", "list store", "create directory store", "sync ..", "list store",
        "lock LOCK", "map MANIFEST", "list store", "map SHARDS", "list store",
        "create MANIFEST.tmp", "sync MANIFEST.tmp", "sync store", "rename MANIFEST", "sync store",
        "create 00000001.columns", "sync 00000001.columns", "map 00000001.columns",
        "create MANIFEST.tmp", "sync MANIFEST.tmp", "sync store", "rename MANIFEST", "sync store", "list store",
      ])
    faults.begin()
    try store.upsert(["FDX": .sample(1, salt: 1)])
    let second = faults.operations.filter { !$0.hasPrefix("write ") }
    #expect(
      second == [
        "list store", "list store", "lock LOCK", "map MANIFEST", "list store",
        "create 00000002.columns", "sync 00000002.columns", "map 00000002.columns", "create 1.manifest",
        "sync 1.manifest", "create MANIFEST.tmp", "sync MANIFEST.tmp", "sync store", "rename MANIFEST", "sync store",
        "list store",
      ])
    faults.begin()
    try store.upsert(["FDX": .sample(1, salt: 2)])
    #expect(faults.operations.suffix(4).prefix(2) == ["sync store", "list store"])
    #expect(Set(faults.operations.suffix(2)) == ["remove 00000001.columns", "remove 1.manifest"])
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
    #expect(
      try Set(disk.names(in: "store")) == ["LOCK", "MANIFEST", "00000001.columns", "1.manifest", "00000002.columns"])
  }
}

extension StoreError {
  fileprivate var cause: FileSystemError? {
    switch self {
    case .inputOutput(let error), .commitUnknown(let error): error
    default: nil
    }
  }

  fileprivate var isCommitUnknown: Bool {
    if case .commitUnknown = self { true } else { false }
  }
}
