import Testing

@testable import Quoin
@testable import QuoteGenerator
@testable import quoin_crowd

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One writer and eight readers, each a process, of which any is killed, stopped and continued at any moment.
@Suite struct SnapshotTests {
  @Test func a_reader_sees_one_generation_whatever_happens_to_the_writer_and_to_other_readers() throws {
    // In memory, where commits follow each other faster and meet more readers.
    let memory = "/dev/shm"
    let workspace = try Workspace(in: unsafe access(memory, W_OK) == 0 ? memory : "/tmp")
    var dice = TestSettings.dice("snapshots")
    let wanted = TestSettings.count("QUOIN_SNAPSHOTS", debug: 1_000, release: 20_000)
    let scoreboard = Scoreboard(workspace.path + "/scoreboard")
    // The writer has number 0, as on the scoreboard.
    func start(_ number: Int) throws -> ChildProcess {
      let arguments = number == 0 ? ["write"] : ["read"]
      return try ChildProcess(
        Workspace.built("quoin-crowd"),
        arguments + [workspace.store, workspace.path + "/scoreboard"] + (number == 0 ? [] : ["\(number)"]),
        environment: ["SWIFT_BACKTRACE=enable=no"])
    }
    func readCount() -> UInt64 { (1...8).reduce(0) { $0 + scoreboard[$1] } }
    var children = try (0...8).map(start)
    var (killCount, stopCount) = (0, 0)
    // A process that found something wrong has ended by itself; one that met a page that isn't there, by SIGBUS.
    var endings: [Int32: Int] = [:]
    func end(_ child: ChildProcess) {
      child.send(signal: SIGKILL)
      let result = child.finish()
      endings[result.status, default: 0] += 1
      #expect(result.status == 128 + SIGKILL && result.err.isEmpty, "\(result)")
    }
    let deadline = ContinuousClock.now + .seconds(600 + wanted / 100)
    while readCount() < wanted || killCount < 9 || scoreboard[0] < 40 {
      if ContinuousClock.now > deadline {
        Issue.record("only \(readCount()) reads of \(scoreboard[0]) generations in time")
        break
      }
      usleep(UInt32(dice.below(10_000)))
      let number = dice.below(9)
      switch dice.below(10) {
      case 0:
        end(children[number])
        children[number] = try start(number)
        killCount += 1
      case 1, 2, 3:
        children[number].send(signal: SIGSTOP)
        stopCount += 1
      default: children[number].send(signal: SIGCONT)
      }
      if children.contains(where: \.hasEnded) { break }
    }
    for child in children { end(child) }
    try expectSoundEnd(workspace, scoreboard[0])
    print(
      "promise 7: \(readCount()) reads of \(scoreboard[0]) generations by 8 processes, \(endings[3, default: 0]) mixed, "
        + "\(endings[128 + SIGBUS, default: 0]) SIGBUS; \(killCount) kills, \(stopCount) stops")
  }

  /// What was acknowledged is there, and the next writer leaves no file that the manifest doesn't name.
  private func expectSoundEnd(_ workspace: Workspace, _ acknowledged: UInt64) throws {
    let store = try QuoteStore(at: workspace.store)
    #expect(store.generation == acknowledged || store.generation == acknowledged + 1)
    try Chronicle.commit(store.generation + 1, to: store)
    let batch = try store.allQuotes.fetchColumns()
    let content = Chronicle.content(at: store.generation)
    #expect(batch.tickers.elementsEqual(content.tickers) && batch.columns.days == content.days)
    #expect(batch.columns[.adjustedVolume] == content.marks.map { Double($0) })
    let names = store.snapshot.manifest.fileNames.union([StoreFiles.manifest, StoreFiles.lock])
    #expect(try Set(SystemFiles().names(in: workspace.store)) == names)
    #expect(try store.verify().damages.isEmpty)
  }

  /// Removed files have no names any more, but take room as long as somebody reads them: not longer.
  @Test(.enabled(if: SmallDisk.isAvailable))
  func the_room_of_removed_files_is_free_again_when_their_last_reader_is_gone() throws {
    let disk = try SmallDisk(byteCount: 64 << 20)
    let store = disk.path + "/store"
    #expect(try disk.workspace.run("generate --tickers 20 --rows 200000 --store \(store)").status == 0)
    let full = try disk.usedByteCount()
    let readers = try (0..<3).map { _ in
      try ChildProcess(Workspace.built("quoin-crowd"), ["contend"], environment: [])
    }
    for reader in readers {
      reader.write("read \(store)\n")
      #expect(reader.line() == "200000 rows")
    }
    #expect(try disk.workspace.run("snapshot recent 0 --store \(store)").status == 0)
    #expect(try disk.workspace.run("delete --all --yes --store \(store)").status == 0)
    #expect(try SystemFiles().names(in: store).allSatisfy { !$0.hasSuffix(".columns") || $0 == "00000002.columns" })
    readers[0].send(signal: SIGSTOP)
    for reader in readers {
      #expect(try disk.usedByteCount() > full * 9 / 10)
      reader.send(signal: SIGKILL)
      #expect(reader.finish().status == 128 + SIGKILL)
    }
    let start = ContinuousClock.now
    while try disk.usedByteCount() > full / 10, ContinuousClock.now < start + .seconds(60) { usleep(1_000) }
    let time = ContinuousClock.now - start
    #expect(time < .seconds(60), "the room isn't free")
    print("removed files: \(full) bytes were free \(time) after the last reader's end")
  }
}
