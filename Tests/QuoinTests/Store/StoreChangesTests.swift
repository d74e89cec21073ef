import Testing

@testable import Quoin

@Suite struct StoreChangesTests {
  /// The next changes of a sequence, as many as there are to come.
  private static func next(
    _ count: Int, of iterator: inout StoreChanges.AsyncIterator
  ) async throws -> [StoreChange] {
    var changes: [StoreChange] = []
    while changes.count < count, let change = try await iterator.next() { changes.append(change) }
    return changes
  }

  @Test(arguments: [true, false])
  func each_commit_names_the_tickers_and_days_that_it_changed(isOnDisk: Bool) async throws {
    let folder = TemporaryDirectory()
    let files: any FileSystem = isOnDisk ? SystemFiles() : InMemoryFiles()
    let path = isOnDisk ? folder.path + "/store" : "store"
    let store = try QuoteStore(at: path, in: files)
    var iterator = store.changes.makeAsyncIterator()
    let (fedEx, apple) = (QuoteColumns.sample(40), QuoteColumns.sample(30, salt: 1))
    let (first, last) = (fedEx.days[0], fedEx.days[39])
    try await store.upsert([.fedEx: fedEx, "AAPL": apple])
    try await store.upsert([.fedEx: fedEx.sliced(7..<9), "AAPL": QuoteColumns.sample(2, from: "2011-01-03")])
    var other = fedEx.sliced(20..<23)
    other[.high] = [1, 2, 3]
    try await store.upsert([.fedEx: other])
    try await store.keepSnapshot(named: "one")
    try await store.delete(
      [.fedEx], where: .date(Bounds(lower: .inclusive(fedEx.days[3]), upper: .inclusive(fedEx.days[5]))))
    try await store.compact()
    try await store.delete([.fedEx])
    let changes = try await Self.next(7, of: &iterator)
    #expect(changes.map(\.generation) == Array(1...7) && changes.allSatisfy { $0.firstGeneration == $0.generation })
    #expect(
      changes.map(\.tickers) == [["AAPL", .fedEx], ["AAPL"], [.fedEx], [], [.fedEx], [], [.fedEx]])
    #expect(
      changes[0].days(of: .fedEx) == first...last && changes[0].days(of: "AAPL") == apple.days[0]...apple.days[29])
    #expect(changes[1].days(of: .fedEx) == nil)
    #expect(changes[1].days(of: "AAPL")?.lowerBound == "2011-01-03")
    #expect(changes[2].days(of: .fedEx) == fedEx.days[20]...fedEx.days[22])
    #expect(changes[4].days(of: .fedEx) == fedEx.days[3]...fedEx.days[5])
    #expect(changes[6].days(of: .fedEx) == first...last)
  }

  @Test func rows_that_were_there_already_are_no_commit() async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try await store.upsert([.fedEx: .sample(40)])
    var iterator = store.changes.makeAsyncIterator()
    try await store.upsert([.fedEx: .sample(40)])
    try await store.upsert(["AAPL": .sample(1)])
    #expect(try await Self.next(1, of: &iterator).map(\.tickers) == [["AAPL"]])
  }

  /// The log has room for one such commit, so the earlier ones are one change together.
  @Test func a_program_that_fell_behind_gets_one_change_for_what_it_missed() async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try await store.upsert(["GONE": .sample(3)])
    var iterator = store.changes.makeAsyncIterator()
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for number in 0..<7000 { rows[try TickerSymbol("T\(number)")] = .sample(1) }
    try await store.delete(["GONE"])
    try await store.upsert(rows)
    try await store.upsert(rows.mapValues { _ in .sample(1, salt: 1) })
    let change = try #require(try await iterator.next())
    #expect(change.firstGeneration == 2 && change.generation == 4)
    #expect(Set(change.tickers) == Set(rows.keys).union(["GONE"]))
    #expect(change.days(of: "GONE") == QuoteColumns.sample(3).days[0]...QuoteColumns.sample(3).days[2])
  }

  @Test func a_cancelled_task_ends_the_sequence() async throws {
    let folder = TemporaryDirectory()
    let store = try await QuoteStore(at: folder.path + "/store")
    try await store.upsert([.fedEx: .sample(4)])
    let task = Task {
      var count = 0
      for try await _ in store.changes { count += 1 }
      return count
    }
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    #expect(try await task.value == 0)
  }

  @Test func a_store_that_is_gone_or_damaged_is_an_error() async throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try await store.upsert([.fedEx: .sample(4)])
    var iterator = store.changes.makeAsyncIterator()
    files["store/MANIFEST"]?[20] ^= 1
    await #expect(throws: StoreError.self) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
    iterator = store.changes.makeAsyncIterator()
    files["store/MANIFEST"] = nil
    await #expect(throws: StoreError.noStore(path: "store")) { try await iterator.next() }
  }
}
