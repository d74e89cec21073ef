import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A change of a sharded store that fails, or is killed, at any operation: the same call works afterwards and leaves nothing.
@Suite struct ShardChangeTests {
  private enum Change: String, CaseIterable, CustomTestStringConvertible {
    case divide, makeSharded, add, replace, replaceOrdinary, addOrdinary

    var testDescription: String { rawValue }
  }

  private let folder = TemporaryDirectory()
  private var market: String { folder.path + "/market" }
  private var whole: String { folder.path + "/whole" }
  private static let finished = ["one", "two", "inner/three"]

  /// What the change finds.
  private func prepare(_ change: Change) throws {
    TemporaryDirectory.empty(folder.path)
    func put(_ path: String, _ tickers: [TickerSymbol], salt: Int = 0) throws {
      try QuoteStore(at: path).upsert(
        Dictionary(uniqueKeysWithValues: tickers.map { ($0, QuoteColumns.sample(9, salt: salt)) }))
    }
    try put(whole, ["A", "B", "C", "D"])
    switch change {
    case .divide: return
    case .makeSharded: try SystemFiles().createDirectory(market)
    case .add, .replace:
      try QuoteStore(at: whole).divide(into: 3, at: market)
      // Before this change there was one, so that there are old shards to drop.
      try put(market + "/zero", ["A"], salt: 1)
      try QuoteStore.publish([market + "/zero"], in: market)
    case .addOrdinary, .replaceOrdinary: try put(market, ["A", "B", "Q"])
    }
    try SystemFiles().createDirectory(market + "/inner")
    try put(market + "/one", ["A", "X"], salt: 5)
    try put(market + "/two", ["Y"])
    try put(market + "/inner/three", ["D", "B"], salt: 6)
  }

  private func make(_ change: Change, _ files: any FileSystem) throws {
    if change == .divide { return try QuoteStore(at: whole, in: files).divide(into: 3, at: market) }
    try QuoteStore.publish(
      Self.finished.map { market + "/" + $0 }, in: market, replacing: change == .replace || change == .replaceOrdinary,
      patience: .zero, files)
  }

  /// The rows that readers see; nil without a store.
  private func seen() throws -> StoreContent? {
    guard let snapshot = try Snapshot.newest(in: market, SystemFiles()) else { return nil }
    return try content(of: QuoteStore(at: market, showing: snapshot, in: SystemFiles()))
  }

  /// What is in the directory, without the files of its stores.
  private func places() -> [String] {
    folder.names(in: market).filter { !StoreFiles.isOurs($0) && $0 != "SHARDS" }
  }

  @Test(arguments: Change.allCases) private func an_interrupted_change_is_made_by_the_same_call(_ change: Change) throws
  {
    let files = FaultyFiles(SystemFiles())
    try prepare(change)
    let old = try seen()
    files.begin()
    try make(change, files)
    let (operations, new) = (files.operations, try seen())
    #expect(new != nil && new != old && operations.count > 20)
    var (repeated, found) = (0, 0)
    // Each operation takes a while, so that only some are tried, others for each change.
    let isEach = TestSettings.variable("QUOIN_FAULTS") == "all" || TestSettings.isLong
    let step = isEach ? 1 : TestSettings.isDebug ? 5 : 3
    let numbers = Array(stride(from: change.rawValue.utf8.count % step, to: operations.count, by: step))
    for number in numbers {
      // Alone it is an error that is told; with all after it the process is dead, and can't take anything back.
      for isDead in [false, true] {
        let comment: Comment = "\(change), \(isDead ? "dead from" : "an error at") \(number): \(operations[number])"
        try prepare(change)
        let before = places()
        files.begin(failing: [isDead ? number..<Int.max : number..<(number + 1)])
        var error: (any Error)?
        do { try make(change, files) } catch let thrown { error = thrown }
        files.end()
        let after = try seen()
        #expect(after == old || after == new, comment)
        if !isDead, let error {
          let isUnknown = if case StoreError.commitUnknown = error { true } else { false }
          #expect(after == old || isUnknown, comment)
          // What failed to be removed may be left; nothing else is.
          if after == old { #expect(places() == before, "\(comment): \(places())") }
        }
        do {
          try make(change, SystemFiles())
          repeated += 1
        } catch StoreError.storeExists where change == .divide && after == new {
          found += 1
        } catch StoreError.noStore
          where after == new && places().allSatisfy({ $0.hasPrefix("shard-") || $0 == "inner" })
        {
          found += 1
        }
        #expect(try seen() == new, comment)
        #expect(places().allSatisfy { $0.hasPrefix("shard-") || $0 == "inner" }, "\(comment): \(places())")
        let list = try ShardList.read(in: market, SystemFiles())
        let shards = places().filter { $0.hasPrefix("shard-") }
        #expect(Set(shards) == Set((list?.names ?? []) + (list?.before ?? [])), comment)
        #expect(folder.names(in: market + "/inner").isEmpty, comment)
        #expect(try QuoteStore.verify(at: market).damages.isEmpty, comment)
      }
    }
    #expect(repeated + found == 2 * numbers.count && repeated > found)
    print(
      "promise 6: \(change): \(operations.count) operations failing or the last, \(repeated) calls repeated, \(found) found done"
    )
  }

  /// Somebody else's journal may name what it likes.
  @Test func a_foreign_journal_touches_nothing_outside() throws {
    try prepare(.divide)
    try QuoteStore(at: whole).divide(into: 2, at: market)
    let precious = folder.path + "/precious"
    try QuoteStore(at: precious).upsert(["P": .sample(3)])
    #expect(unsafe symlink(precious, market + "/shard-0007") == 0)
    let lines = [
      "quoin shard changes 1", "make ../precious", "make shard-0007", "drop shard-0007", "drop ..", "make .", "drop ",
      "move shard-0001 ../stolen", "move shard-0002 /tmp/stolen", "move shard-0007 shard-0008", "make", "nonsense",
    ]
    try SystemFiles().writeFile(market + "/SHARDS.changes", [Array(lines.map { $0 + "\n" }.joined().utf8)])
    try QuoteStore(at: market + "/new").upsert(["NEW": .sample(3)])
    try QuoteStore.publish([market + "/new"], in: market)
    #expect(try QuoteStore(at: precious).tickers == ["P"] && QuoteStore(at: market).tickers.count == 5)
    #expect(folder.names(in: folder.path) == ["market", "precious", "whole"])
  }
}
