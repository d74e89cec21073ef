import Synchronization
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// A copy that comes from elsewhere is of one generation, whatever is written there meanwhile, whatever gets lost on the way and
/// whenever it ends.
@Suite struct PullTests {
  private let files = InMemoryFiles()
  private let store: QuoteStore

  init() throws { store = try QuoteStore(at: "store", in: files) }

  // In functions of their own, because an async function would call the async forms.
  private func write(_ quotes: [TickerSymbol: QuoteColumns], to store: QuoteStore? = nil) throws {
    try (store ?? self.store).upsert(quotes)
  }
  private static func isSound(_ store: QuoteStore) throws -> Bool { try store.verify().damages.isEmpty }
  private static func snapshot(_ name: String, of store: QuoteStore) throws -> QuoteStore {
    try #require(try store.snapshot(named: name))
  }
  private static func open(_ path: String) throws -> QuoteStore { try QuoteStore(at: path) }
  private static func divide(_ store: QuoteStore, at path: String) throws { try store.divide(into: 3, at: path) }
  private func keep(_ name: String) throws { try store.keepSnapshot(named: name) }

  private static func columnFiles(in directory: String, _ files: any FileSystem) throws -> [String] {
    try files.names(in: directory).filter { $0.hasSuffix(".columns") }.sorted()
  }

  private func pull(
    _ source: some StoreSource, into directory: String = "copy", in disk: (any FileSystem)? = nil
  ) async throws -> BackupReport {
    try await QuoteStore.pull(from: source, into: directory, disk ?? files, patience: .zero) { _ in }
  }

  @Test func only_what_is_new_comes() async throws {
    try write(["A": .sample(3000), "B": .sample(2000)])
    try keep("first")
    let first = try await pull(FileSource(files))
    #expect(
      first.copiedFileCount == 1 && first.copiedByteCount == first.byteCount && first.generation == store.generation)
    #expect(try content(in: "copy", files) == content(of: store))
    #expect(try await pull(FileSource(files)).copiedFileCount == 0)
    try write(["C": .sample(5)])
    let source = FileSource(files)
    let second = try await pull(source)
    #expect(second.copiedFileCount == 1 && second.fileCount == 2)
    #expect(source.asked.withLock { $0 }.count { $0.hasSuffix(".columns") } == 1)
    #expect(source.asked.withLock { $0 }.count { $0 == "MANIFEST" } == 1)
    let copy = try QuoteStore(at: "copy", in: files)
    #expect(try content(of: copy) == content(of: store) && Self.isSound(copy))
    #expect(try content(of: Self.snapshot("first", of: copy)).keys.sorted() == ["A", "B"])
  }

  /// Somebody commits between the questions of a pull, connections break, and of three pulls two end somewhere.
  @Test func pulls_under_writers_that_end_anywhere_are_of_one_generation() async throws {
    var dice = TestSettings.dice("PullTests")
    let market = WrittenStore(store, dice)
    try market.commit()
    let faults = FaultyFiles(files)
    var (rounds, ended, least) = (0, 0, UInt64(0))
    for round in 0..<TestSettings.count(debug: 400, release: 2000) {
      rounds += 1
      let end = dice.chance(0.7) ? dice.below(40) : Int.max
      faults.begin(failing: [end..<Int.max])
      let source = FileSource(files, seed: UInt64(round), breaks: dice.chance(0.4) ? 0.1 : 0) {
        if market.dice.withLock({ $0.chance(0.2) }) { try? market.commit() }
      }
      do {
        least = try await pull(source, in: faults).generation
      } catch { ended += 1 }
      faults.end()
      // A pull that ended before the first one was done.
      if least == 0, files["copy/MANIFEST"] == nil { continue }
      let copy = try QuoteStore(at: "copy", in: files)
      try #require(copy.generation >= least)
      try #require(try content(of: copy) == market.rows(ofGeneration: copy.generation))
      try #require(try Self.isSound(copy))
      least = max(least, copy.generation)
    }
    print(
      "promise 28: \(rounds) pulls under a writer of \(market.generation) commits, \(ended) of them ended, 0 damaged, 0 mixed, 0 lost"
    )
    // Pulls take turns, so these numbers are others each time: about half of the rounds, and a commit every other round.
    #expect(ended > rounds / 5 && ended < rounds * 4 / 5, "\(ended) of \(rounds)")
    #expect(market.generation > rounds / 8, "\(market.generation) commits")
    // Nothing is left over.
    _ = try await pull(FileSource(files))
    #expect(try files.names(in: "copy").allSatisfy { !$0.hasSuffix("arriving") && !$0.hasSuffix(".tmp") })
  }

  /// A bit that flips on the way, a file that is cut and one that goes on are noticed, and the copy of before stays.
  @Test func what_comes_damaged_is_refused() async throws {
    var dice = TestSettings.dice("damaged on the way")
    try write(["A": .sample(40)])
    _ = try await pull(FileSource(files))
    let before = try content(of: store)
    try write(["B": .sample(900)])
    let name = try #require(Self.columnFiles(in: "store", files).last)
    let whole = try #require(files["store/\(name)"])
    for round in 0..<200 {
      var bytes = whole
      switch round % 3 {
      case 0: bytes[dice.below(bytes.count)] ^= 1 << UInt8(dice.below(8))
      case 1: bytes.removeLast(1 + dice.below(bytes.count - 1))
      default: bytes.append(0)
      }
      files["store/\(name)"] = bytes
      do {
        _ = try await pull(FileSource(files))
        Issue.record("round \(round): \(bytes.count) of \(whole.count) bytes have come")
        break
      } catch StoreError.damaged(let path, _, _) { #expect(path == "origin/\(name)") }
      #expect(try content(in: "copy", files) == before)
    }
    files["store/\(name)"] = whole
    _ = try await pull(FileSource(files))
    #expect(try content(in: "copy", files) == content(of: store))
  }

  @Test func only_an_earlier_copy_is_replaced() async throws {
    try write(["A": .sample(40)])
    for name in ["own", "other"] {
      let other = try QuoteStore(at: name, in: files)
      try write(["A": .sample(41)], to: other)
    }
    await #expect(throws: StoreError.backupRefused(path: "own", .isStore)) {
      _ = try await pull(FileSource(files), into: "own")
    }
    _ = try await pull(FileSource(files))
    await #expect(throws: StoreError.backupRefused(path: "copy", .hasOtherHistory)) {
      _ = try await pull(FileSource(files, directory: "other"))
    }
    try write(["Z": .sample(1)], to: QuoteStore(at: "copy", in: files))
    await #expect(throws: StoreError.backupRefused(path: "copy", .isStore)) { _ = try await pull(FileSource(files)) }
  }

  @Test func where_no_store_is_the_address_is_told() async throws {
    await #expect(throws: StoreError.noStore(path: "origin/")) {
      _ = try await pull(FileSource(files, directory: "nothing"))
    }
    #expect((try? files.names(in: "copy")) == nil)
    try files.createDirectory("web")
    files["web/MANIFEST"] = Array("<html>".utf8)
    await #expect { _ = try await pull(FileSource(files, directory: "web")) } throws: { error in
      if case StoreError.damaged("origin/MANIFEST", _, _) = error { true } else { false }
    }
    try write(["A": .sample(40)])
    files["store/\(try #require(Self.columnFiles(in: "store", files).first))"] = nil
    await #expect(
      throws: StoreError.damaged(path: "origin/MANIFEST", offset: 0, reason: "a file that it names is missing")
    ) { _ = try await pull(FileSource(files)) }
  }

  @Test func the_shards_of_a_store_come_with_their_list() async throws {
    let (folder, system) = (TemporaryDirectory(), SystemFiles())
    let path = folder.path
    let store = try Self.open(path + "/store")
    try write(["A": .sample(40), "B": .sample(41), "C": .sample(42)], to: store)
    try Self.divide(store, at: path + "/sharded")
    let source = FileSource(system, directory: path + "/sharded")
    let first = try await pull(source, into: path + "/copy", in: system)
    #expect(try first.copiedFileCount == 3 && content(in: path + "/copy", system) == content(of: store))
    try write(["B": .sample(50, salt: 1)], to: Self.open(path + "/sharded/shard-0002"))
    #expect(try await pull(source, into: path + "/copy", in: system).copiedFileCount == 1)
    #expect(try content(in: path + "/copy", system) == content(in: path + "/sharded", system))
  }

  @Test func only_files_of_a_store_are_given_away() throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/store"
    let store = try QuoteStore(at: path)
    try write(["A": .sample(40)], to: store)
    let name = try #require(Self.columnFiles(in: path, SystemFiles()).first)
    let file = try #require(try QuoteStore.file(name, in: path))
    #expect(file.byteCount > 4 && file.read(0..<4).count == 4)
    #expect(try QuoteStore.file("MANIFEST", in: path) != nil)
    for name in [
      "LOCK", "..", "../store/MANIFEST", "/MANIFEST", "MANIFEST/", "", "x/y/MANIFEST", "7.columns", "./MANIFEST",
      "SHARDS",
    ] {
      #expect(try QuoteStore.file(name, in: path) == nil, "\(name)")
    }
    #expect(try QuoteStore.file("MANIFEST/MANIFEST", in: path) == nil)
    // A store that lies in another one's directory is no part of it.
    try write(["A": .sample(40)], to: QuoteStore(at: path + "/inner"))
    #expect(try QuoteStore.file("inner/MANIFEST", in: path) == nil)
    try Self.divide(store, at: folder.path + "/sharded")
    #expect(try QuoteStore.file("shard-0001/MANIFEST", in: folder.path + "/sharded") != nil)
    #expect(try QuoteStore.file("SHARDS", in: folder.path + "/sharded") != nil)
  }
}

/// The files of a store on some disk, which may be changed before each of them is read, and whose connection may break.
private final class FileSource: StoreSource {
  struct Broken: Error {}

  let asked = Mutex<[String]>([])
  private let disk: any FileSystem
  private let directory: String
  private let breaks: Double
  private let errand: @Sendable () -> Void
  private let dice: Mutex<SeededRandom>

  init(
    _ disk: any FileSystem, directory: String = "store", seed: UInt64 = 0, breaks: Double = 0,
    _ errand: @escaping @Sendable () -> Void = {}
  ) {
    (self.disk, self.directory, self.breaks, self.errand) = (disk, directory, breaks, errand)
    dice = Mutex(SeededRandom(seed: TestSettings.seed, stream: seed))
  }

  func address(of name: String) -> String { "origin/\(name)" }

  private func read(_ name: String) throws -> [UInt8]? {
    asked.withLock { $0.append(name) }
    errand()
    if dice.withLock({ $0.chance(breaks) }) { throw Broken() }
    do throws(FileSystemError) {
      let file = try disk.map("\(directory)/\(name)")
      defer { withExtendedLifetime(file) {} }
      return file.view.array
    } catch {
      if error.isNoSuchFile { return nil }
      throw error
    }
  }

  func bytes(of name: String, byteCountMax: Int) async throws -> [UInt8]? { try read(name) }

  func bring(
    _ name: String, to file: ArrivingFile, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool {
    guard let bytes = try read(name) else { return false }
    let half = bytes.count / 2
    try file.write(Array(bytes[..<half]))
    // As after a connection that broke.
    if dice.withLock({ $0.chance(breaks) }) {
      try file.restart()
      try file.write(Array(bytes[..<half]))
    }
    if dice.withLock({ $0.chance(breaks) }) { throw Broken() }
    try file.write(Array(bytes[half...]))
    progress(bytes.count)
    return true
  }
}

extension ArrivingFile {
  fileprivate func write(_ bytes: [UInt8]) throws(StoreError) {
    try bytes.withRawSpan { (bytes) throws(StoreError) in try write(bytes) }
  }
}
