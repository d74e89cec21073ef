import Testing

@testable import Quoin

/// The async forms write as the others do, wait without a thread, and can be cancelled.
@Suite struct AsyncWriteTests {
  private let folder = TemporaryDirectory()
  private var path: String { folder.path + "/store" }

  private func store() throws -> QuoteStore { try QuoteStore(at: path) }

  /// The tickers of the newest generation.
  private func tickers(of store: QuoteStore) throws -> [TickerSymbol] {
    try store.refresh()
    return store.tickers
  }

  @Test func every_verb_has_an_async_form() async throws {
    let store = try store()
    #expect(try await store.upsert([.fedEx: .sample(40)]) == UpsertCounts(inserted: 40))
    #expect(try await store.upsert([DailyQuoteSummary(ticker: "A", date: "2001-01-02", close: 1)]).inserted == 1)
    #expect(try await store.upsert(QuoteBatch(ticker: "B", columns: .sample(5))).inserted == 5)
    let text = "date,close\n2005-10-14,1\n"
    #expect(try await store.upsert(parsing: text.utf8, options: ImportOptions(ticker: "C")).counts.inserted == 1)
    #expect(try await store.upsert(parsing: ParsedTextTests.document).counts.inserted == 2)
    #expect(try await store.update(where: .range(.close, 1...1)) { $0.close = 2 } == 2)
    #expect(try await store.update(["A"], where: .all([])) { $0.close = 3 } == 1)
    #expect(try await store.write { try $0.fetch("A").map(\.close) } == [3])
    #expect(try await store.delete("A") == 1)
    #expect(try await store.delete(["B", "C"]) == 6)
    #expect(try await store.delete(["FDX"], where: .range(.high, ...0.0)) == 0)
    #expect(try await store.delete(where: .any([])) == 0)
    #expect(try await store.delete("FDX", dates: .earliest ... .latest) == 42)
    let file = try folder.write(text.utf8, as: "FDX.csv")
    #expect(try await store.importFiles([file]).counts.inserted == 1)
    try await store.compact()
    #expect(try await QuoteStore.repair(path, into: folder.path + "/other").rowCount == 1)
    try await store.rename("FDX", to: "F")
    #expect(try await store.merge(QuoteStore(at: folder.path + "/other")).inserted == 1)
    #expect(try await store.adjust(["F"]).replaced == 1)
    #expect(try await store.delete("F") == 1)
    #expect(try await store.deleteAll() == 1)
  }

  @Test func a_task_that_is_cancelled_while_it_waits_changes_nothing() async throws {
    let store = try store()
    let lock = try WriterLock(path, SystemFiles(), patience: .zero)
    let task = Task { try await store.upsert(["NEW": .sample(1)], patience: .seconds(600)) }
    try await Task.sleep(for: .milliseconds(30))
    task.cancel()
    await #expect(throws: StoreError.cancelled) { try await task.value }
    withExtendedLifetime(lock) {}
    #expect(try tickers(of: store).isEmpty)
  }

  @Test(arguments: [true, false]) func a_task_that_is_cancelled_before_its_commit_changes_nothing(
    _ changesMore: Bool
  ) async throws {
    let store = try store()
    try await store.upsert([.fedEx: .sample(3)])
    let (hasBegun, isCancelled) = (Shared(false), Shared(false))
    let task = Task {
      try await store.write { transaction in
        try transaction.upsert(["NEW": .sample(1)])
        hasBegun.value = true
        while !isCancelled.value {}
        if changesMore { try transaction.upsert(["LATER": .sample(1)]) }
      }
    }
    while !hasBegun.value { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    isCancelled.value = true
    await #expect(throws: StoreError.cancelled) { try await task.value }
    #expect(try tickers(of: store) == [.fedEx])
    #expect(folder.names(in: path).count { $0.hasSuffix(".columns") } == 1)
  }
}
