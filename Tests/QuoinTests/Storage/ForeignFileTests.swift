import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A store from somebody else, in which something that is no file has the name of one: nothing waits, nothing is followed, and
/// nothing outside the store is written.
@Suite struct ForeignFileTests {
  private let folder = TemporaryDirectory()
  private var store: String { folder.path + "/store" }
  private var market: String { folder.path + "/market" }
  private var users: String { folder.path + "/users" }
  private static let text = Array(repeating: UInt8(ascii: "u"), count: 2000)

  /// Two commits, of which the first is kept, and a sharded store of the same rows.
  private func makeStores() throws {
    let own = try QuoteStore(at: store)
    try own.upsert(["FDX": .sample(40), "A": .sample(3)])
    try own.upsert(["FDX": .sample(45, salt: 3)])
    try own.divide(into: 2, at: market)
    try SystemFiles().writeFile(users, [Self.text])
  }

  private static let places = [
    "store/MANIFEST", "store/00000002.columns", "store/00000001.columns", "store/1.manifest", "store/LOCK",
    "store/MANIFEST.tmp", "store/00000003.columns", "store/2.manifest", "market/SHARDS", "market/shard-0001",
    "market/shard-0001/MANIFEST", "market/shard-0002/LOCK", "market/SHARDS.tmp", "market/LOCK", "market/shard-0003",
  ]

  @Test(arguments: places, ForeignFile.allCases)
  func nothing_waits_or_writes_elsewhere(_ place: String, _ kind: ForeignFile) throws {
    try makeStores()
    if place == "market/shard-0001", kind == .hardLinkOfTheFile { return }
    guard try kind.put(at: folder.path + "/" + place, users) else { return }
    let before = folder.names(in: folder.path)
    let path = place.hasPrefix("store") ? store : market
    var refusals: [String] = []
    func attempt(_ body: () throws -> Void) {
      do { try body() } catch { refusals.append("\(error)") }
    }
    attempt { _ = try QuoteStore(at: path, mustExist: true).allQuotes.fetch() }
    attempt { _ = try QuoteStore.stamp(of: path) }
    attempt { _ = try QuoteStore.verify(at: path) }
    attempt { _ = try QuoteStore.repair(path, into: folder.path + "/repaired") }
    let written =
      place.hasPrefix("store") ? store : market + (place.hasSuffix("2/LOCK") ? "/shard-0002" : "/shard-0001")
    attempt { try QuoteStore(at: written).undo() }
    attempt { try QuoteStore(at: written).upsert(["Z": .sample(3)]) }
    attempt { try QuoteStore(at: written).keepSnapshot(named: "now") }
    attempt { try QuoteStore(at: written).restore(generation: 1) }
    attempt { try QuoteStore(at: written).compact() }
    attempt { try QuoteStore(at: store).divide(into: 2, at: folder.path + "/divided") }
    attempt { try QuoteStore(at: market + "/new").upsert(["NEW": .sample(3)]) }
    attempt { try QuoteStore.publish([market + "/new"], in: market) }
    attempt { _ = try QuoteStore(at: path, mustExist: true).tickers }
    for refusal in refusals { #expect(!refusal.contains("such device") && !refusal.contains("Too many levels")) }
    let mapping = try SystemFiles().map(users)
    withExtendedLifetime(mapping) { #expect(mapping.view.array == Self.text) }
    #expect(Set(folder.names(in: folder.path)).subtracting(before).isSubset(of: ["repaired", "divided"]))
  }

  @Test func what_is_there_is_said() throws {
    try makeStores()
    #expect(try ForeignFile.pipe.put(at: store + "/MANIFEST", users))
    let reason = "it is a named pipe and no file; remove it"
    let damage = StoreError.damaged(path: store + "/MANIFEST", offset: 0, reason: reason)
    #expect(throws: damage) { try QuoteStore(at: store) }
    #expect(throws: damage) { try QuoteStore.stamp(of: store) }
    // A manifest that is no file is a lost one.
    #expect(try QuoteStore.repair(store, into: folder.path + "/repaired").rowCount == 48)
    #expect(try ForeignFile.link.put(at: market + "/shard-0001/LOCK", users + "2"))
    let lock = #expect(throws: StoreError.self) { try QuoteStore(at: market + "/shard-0001").delete("A") }
    #expect(
      lock?.description == "cannot lock '\(market)/shard-0001/LOCK': it is a symbolic link, which no store follows; "
        + "put the file itself in its place")
  }

  @Test func a_lock_with_a_second_name_is_refused() throws {
    try makeStores()
    #expect(try ForeignFile.hardLink.put(at: store + "/LOCK", users))
    let refusal = #expect(throws: StoreError.self) { try QuoteStore(at: store).delete("A") }
    #expect(
      refusal?.description
        == "cannot lock '\(store)/LOCK': it is a file with a second name (a hard link), and a writer "
        + "would write into both; remove this name")
    try SystemFiles().remove(store + "/LOCK")
    #expect(try QuoteStore(at: store).delete("A") == 3)
  }

  @Test func a_column_file_that_is_none_costs_its_own_rows_alone() throws {
    let own = try QuoteStore(at: store)
    try own.upsert(["FDX": .sample(400)])
    try own.upsert(["A": .sample(3)])
    #expect(try ForeignFile.socket.put(at: store + "/00000002.columns", users))
    let damaged = try QuoteStore(at: store)
    #expect(try damaged.quotes(for: "FDX").count() == 400)
    #expect(throws: StoreError.self) { try damaged.quotes(for: "A").fetch() }
    #expect(try QuoteStore.verify(at: store).damages.count == 1)
  }

  /// The list of a foreign store could name any directory of the user's through a link, and the next list would empty it.
  @Test func a_shard_that_is_a_link_is_not_followed() throws {
    try makeStores()
    #expect(try ForeignFile.directory.put(at: market + "/shard-0001", users))
    try SystemFiles().removeDirectory(market + "/shard-0001")
    #expect(unsafe symlink(store, market + "/shard-0001") == 0)
    let damage = StoreError.damaged(
      path: market + "/shard-0001", offset: 0,
      reason: "it is a symbolic link, which no store follows; put the file itself in its place")
    #expect(throws: damage) { try QuoteStore(at: market) }
    try QuoteStore(at: market + "/new").upsert(["NEW": .sample(3)])
    #expect(throws: damage) { try QuoteStore.publish([market + "/new"], in: market, replacing: true) }
    #expect(try QuoteStore(at: store).tickers == ["A", "FDX"])
  }

  /// As if it were of many terabytes; such a file takes no room in an archive.
  @Test func a_file_with_a_hole_takes_no_memory() throws {
    try makeStores()
    let before = TestSettings.peakVirtualByteCount
    for place in ["store/MANIFEST", "store/1.manifest", "market/SHARDS", "store/LOCK"] {
      #expect(unsafe truncate(folder.path + "/" + place, 1 << 42) == 0)
    }
    #expect(throws: StoreError.self) { try QuoteStore(at: store) }
    #expect(throws: StoreError.self) { try QuoteStore(at: market) }
    #expect(throws: StoreError.self) { try QuoteStore.stamp(of: market) }
    _ = try? QuoteStore.verify(at: store)
    #expect(TestSettings.peakVirtualByteCount - before < (1 << 42) + (1 << 32))
  }
}
