import Synchronization
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// A backup is of one generation, whatever is written meanwhile and whenever it ends; it takes the place of earlier ones alone.
@Suite struct BackupTests {
  private let files = InMemoryFiles()
  private let store: QuoteStore

  init() throws { store = try QuoteStore(at: "store", in: files) }

  /// All files of a directory, copied as `cp -r` does it.
  private func copy(_ directory: String, to other: String) throws {
    try files.createDirectory(other)
    for name in try files.names(in: directory) where name != StoreFiles.lock {
      files["\(other)/\(name)"] = files["\(directory)/\(name)"]
    }
  }

  @Test func a_backup_has_what_the_store_keeps() throws {
    try store.upsert(["FDX": .sample(40), "A": .sample(3)])
    let first = try content(of: store)
    try store.keepSnapshot(named: "first")
    try store.upsert(["FDX": .sample(45, salt: 3), "NEW": .sample(2)])
    let report = try store.backUp(to: "backup")
    let backup = try QuoteStore(at: "backup", mustExist: true, in: files)
    #expect(try content(of: backup) == content(of: store))
    #expect(backup.generation == store.generation && backup.snapshots == store.snapshots)
    #expect(try content(of: try #require(try backup.snapshot(named: "first"))) == first)
    #expect(try backup.verify().damages.isEmpty && backup.verify().strayFiles.isEmpty)
    #expect(report.generation == 3 && report.copiedFileCount == report.fileCount && report.fileCount > 1)
  }

  @Test func a_later_backup_copies_what_is_new_and_removes_what_is_gone() throws {
    try store.upsert(["FDX": .sample(2000)])
    try store.backUp(to: "backup")
    try store.upsert(["FDX": .sample(3, from: "2011-01-03")])
    let second = try store.backUp(to: "backup")
    #expect(second.copiedFileCount == 1 && second.copiedByteCount < second.byteCount / 4)
    #expect(try store.backUp(to: "backup").copiedFileCount == 0)
    try store.deleteAll()
    try store.compact()
    try store.keepRecentGenerations(0)
    try store.upsert(["A": .sample(1)])
    try store.backUp(to: "backup")
    let names = try Set(files.names(in: "backup")).subtracting([StoreFiles.lock])
    #expect(try names == Set(files.names(in: "store")).subtracting([StoreFiles.lock]))
    #expect(try content(in: "backup", files) == content(of: store))
  }

  @Test func a_copy_of_a_backup_goes_on_as_the_store_did() throws {
    try store.upsert(["FDX": .sample(40)])
    try store.backUp(to: "backup")
    try copy("backup", to: "restored")
    let restored = try QuoteStore(at: "restored", in: files)
    try restored.upsert(["A": .sample(3)])
    try restored.backUp(to: "backup")
    #expect(try content(in: "backup", files) == content(of: restored))
    // The lost store is found again, and it isn't what the backup has.
    try store.upsert(["B": .sample(3)])
    #expect(throws: StoreError.backupRefused(path: "backup", .hasOtherHistory)) { try store.backUp(to: "backup") }
    #expect(try content(in: "backup", files) == content(of: restored))
  }

  @Test func a_backup_takes_the_place_of_nothing_else() throws {
    try store.upsert(["FDX": .sample(40)])
    let other = try QuoteStore(at: "other", in: files)
    try other.upsert(["A": .sample(3)])
    #expect(throws: StoreError.backupRefused(path: "other", .isStore)) { try store.backUp(to: "other") }
    #expect(throws: StoreError.backupRefused(path: "store", .isStore)) { try store.backUp(to: "store") }
    try other.backUp(to: "backup")
    try store.compact()
    #expect(throws: StoreError.backupRefused(path: "backup", .hasOtherHistory)) { try store.backUp(to: "backup") }
    // A backup that somebody writes to is a store.
    try QuoteStore(at: "backup", in: files).keepSnapshot(named: "mine")
    #expect(throws: StoreError.backupRefused(path: "backup", .isStore)) { try other.backUp(to: "backup") }
    files["full/photo.jpg"] = [1]
    try files.createDirectory("full")
    #expect(throws: StoreError.notAStore(path: "full")) { try store.backUp(to: "full") }
    #expect(throws: StoreError.noStore(path: "none")) { try QuoteStore(at: "none", in: files).backUp(to: "new") }
    #expect(try content(of: QuoteStore(at: "other", in: files)) == content(of: other))
  }

  @Test func damage_is_neither_copied_nor_kept() throws {
    try store.upsert(["FDX": .sample(40)])
    try store.backUp(to: "backup")
    let name = "00000001.columns"
    let whole = try #require(files["store/\(name)"])
    files["backup/\(name)"] = Array(whole.dropLast(9))
    #expect(try store.backUp(to: "backup").copiedFileCount == 1)
    #expect(files["backup/\(name)"] == whole)
    var damaged = whole
    damaged[damaged.count - 9] ^= 1
    files["store/\(name)"] = damaged
    #expect {
      try store.backUp(to: "another")
    } throws: { error in
      if case StoreError.damaged(let path, _, _) = error { path == "store/\(name)" } else { false }
    }
    #expect(try QuoteStore(at: "another", in: files).generation == 0)
  }

  @Test func the_shards_of_a_store_are_copied_with_their_list() throws {
    let (folder, files) = (TemporaryDirectory(), SystemFiles())
    let path = folder.path
    let store = try QuoteStore(at: path + "/store")
    try store.upsert(["A": .sample(40), "B": .sample(41), "C": .sample(42)])
    try store.divide(into: 3, at: path + "/sharded")
    let (sharded, backup) = (try QuoteStore(at: path + "/sharded"), path + "/backup")
    let first = try sharded.backUp(to: backup)
    #expect(try content(in: backup, files) == content(of: store) && first.copiedFileCount == 3)
    try QuoteStore(at: path + "/sharded/shard-0002").upsert(["B": .sample(50, salt: 1)])
    #expect(try sharded.backUp(to: backup).copiedFileCount == 1)
    #expect(try content(in: backup, files) == content(in: path + "/sharded", files))
    #expect(throws: StoreError.backupRefused(path: backup, .hasOtherHistory)) { try store.backUp(to: backup) }
    try store.backUp(to: path + "/plain")
    #expect(throws: StoreError.backupRefused(path: path + "/plain", .isStore)) {
      try sharded.backUp(to: path + "/plain")
    }
  }

  /// The power fails after any step of a first backup and of a second one.
  @Test func a_power_failure_leaves_the_backup_of_before_or_the_new_one() throws {
    var dice = TestSettings.dice("BackupTests")
    let limit = TestSettings.count("QUOIN_CRASH_STATES", debug: 20, release: 2000)
    let disk = UnsyncedDisk()
    var (images, contents) = ([StoreImage](), [StoreContent()])
    for salt in 0..<2 {
      try store.upsert(["FDX": .sample(40, salt: salt), "A": .sample(3)])
      images.append(try StoreImage(of: "store", files))
      contents.append(try content(of: store))
    }
    func backUp(_ image: StoreImage, in files: any FileSystem) throws {
      var report = BackupReport()
      try image.copy(to: "backup", files, patience: .zero, &report) { _ in }
    }
    var (current, states) = (disk, 0)
    for (number, image) in images.enumerated() {
      let recorder = RecordingFiles(on: current)
      try backUp(image, in: recorder)
      let steps = recorder.takeSteps()
      for (place, step) in steps.enumerated() {
        current.apply(step)
        current.forEachState(limit: limit, &dice) { state in
          do {
            let files = InMemoryFiles(state)
            let found = try content(in: "backup", files)
            #expect(found == contents[number + 1] || found == contents[number], "after \(step.name) of \(number)")
            if place == steps.count - 1 { #expect(found == contents[number + 1]) }
            // The next backup goes on.
            try backUp(image, in: files)
            #expect(try content(in: "backup", files) == contents[number + 1])
            #expect(try QuoteStore.verify("backup", in: files).damages.isEmpty)
          } catch { Issue.record("after \(step.name) of \(number): \(error)") }
          states += 1
          return true
        }
      }
    }
    print("promise 27: \(states) states after a power failure in a backup, 0 torn, 0 lost")
    #expect(states > 100)
  }

  /// Somebody commits between the operations of a backup, and of three backups two end somewhere, as a killed process does.
  @Test func backups_under_writers_that_end_anywhere_are_of_one_generation() throws {
    var dice = TestSettings.dice("BackupTests")
    let busy = FaultyFiles(files)
    let faults = FaultyFiles(busy)
    let shown = try QuoteStore(at: "store", in: faults)
    let market = WrittenStore(store, dice)
    try market.commit()
    var (rounds, ended, least) = (0, 0, UInt64(0))
    for _ in 0..<TestSettings.count(debug: 400, release: 800) {
      rounds += 1
      let end = dice.chance(0.66) ? dice.below(60) : Int.max
      faults.begin(failing: [end..<Int.max])
      busy.begin { if market.dice.withLock({ $0.chance(0.1) }) { try? market.commit() } }
      do {
        least = try shown.backUp(to: "backup").generation
      } catch { ended += 1 }
      faults.end()
      busy.end()
      if least == 0, (try? files.names(in: "backup")) == nil { continue }
      let backup = try QuoteStore(at: "backup", in: files)
      try #require(backup.generation >= least)
      try #require(try content(of: backup) == market.rows(ofGeneration: backup.generation))
      try #require(try backup.verify().damages.isEmpty)
      least = max(least, backup.generation)
    }
    print("promise 27: \(rounds) backups under a writer, \(ended) of them ended, 0 damaged, 0 mixed, 0 lost")
    #expect(ended > rounds / 4 && ended < rounds && market.generation > 500)
  }

  /// Somebody commits between any two operations of a verification, which lets go of generations that it wants to read.
  @Test func a_verification_under_a_writer_finds_no_damage() throws {
    let market = WrittenStore(store, TestSettings.dice("verification"))
    for _ in 0..<4 { try market.commit() }
    let busy = FaultyFiles(files)
    let shown = try QuoteStore(at: "store", in: busy)
    for place in 0..<40 {
      let count = Mutex(0)
      busy.begin {
        let number = count.withLock { count in
          count += 1
          return count
        }
        if number == place || number == place + 3 { try? market.commit() }
      }
      let report = try shown.verify()
      busy.end()
      #expect(report.damages.isEmpty, "a commit before operation \(place): \(report.damages)")
    }
  }

  /// What `cp -r` and others make of a store that is written to: they list a directory, then copy file after file. A copy that has
  /// nothing newer and only lacks a file is a damaged store like others: who asks for the rows in that file is told so.
  @Test func a_foreign_copy_of_two_generations_is_refused() throws {
    var dice = TestSettings.dice("BackupTests")
    let market = WrittenStore(store, dice)
    for _ in 0..<5 { try market.commit() }
    let rounds = TestSettings.count(debug: 1000, release: 2500)
    var (whole, refused, lacking) = (0, 0, 0)
    for round in 0..<rounds {
      try files.createDirectory("copy\(round)")
      var names = try files.names(in: "store").filter { $0 != StoreFiles.lock }.sorted()
      for place in names.indices { names.swapAt(place, dice.below(place + 1)) }
      let chance = dice.element(of: [0.02, 0.1, 0.3])
      for name in names {
        if dice.chance(chance) { try market.commit() }
        // What is gone meanwhile isn't copied; the program says so and goes on.
        files["copy\(round)/\(name)"] = files["store/\(name)"]
      }
      do {
        let copy = try QuoteStore(at: "copy\(round)", mustExist: true, in: files)
        try #require(try content(of: copy) == market.rows(ofGeneration: copy.generation))
        whole += 1
      } catch StoreError.twoGenerations {
        refused += 1
      } catch StoreError.damaged(_, offset: 0, reason: "it is missing, and the manifest names it") { lacking += 1 }
      for name in try files.names(in: "copy\(round)") { try files.remove("copy\(round)/\(name)") }
    }
    print(
      "promise 27: \(rounds) copies by others under a writer: \(whole) whole, \(refused) refused, \(lacking) lack a "
        + "file and say so, 0 with rows of two generations")
    #expect(whole > rounds / 10 && refused > 5 * lacking)
  }
}
