import Testing

@testable import Quoin
@testable import QuoteGenerator

/// The async forms of everything that reads.
@Suite struct AsyncReadTests {
  /// What the verbs of a query answer.
  private struct Answers: Equatable {
    var quotes: [DailyQuoteSummary] = []
    var columns: [DailyQuoteSummary] = []
    var one: DailyQuoteSummary?
    var latest: [DailyQuoteSummary] = []
    var count = 0
    var isEmpty = false
    var sums: [String?] = []
    var volume = 0.0
    var low: Double?
    var reportedCount = 0
    var batchSizes: [Int] = []

    init() {}

    init(blocking query: QuoteQuery) throws {
      (quotes, columns, one) = (try query.fetch(), try query.fetchColumns().quotes, try query.fetchOne())
      (latest, count, isEmpty) = (try query.latest().quotes, try query.count(), try query.isEmpty())
      let table = try query.aggregate([.sum(.volume), .max(.high)], by: .ticker)
      sums = (0..<table.rowCount).flatMap { row in table.columns.map { $0.text(at: row) } }
      (volume, low) = (try query.aggregate(.volume).sum, try query.aggregate(.low).minimum)
      reportedCount = try query.explain().rowCount
      try query.forEachBatch(rowsPerBatch: 700) { batchSizes.append($0.rowCount) }
    }

    init(async query: QuoteQuery) async throws {
      quotes = try await query.fetch()
      columns = try await query.fetchColumns().quotes
      one = try await query.fetchOne()
      latest = try await query.latest().quotes
      count = try await query.count()
      isEmpty = try await query.isEmpty()
      let table = try await query.aggregate([.sum(.volume), .max(.high)], by: .ticker)
      sums = (0..<table.rowCount).flatMap { row in table.columns.map { $0.text(at: row) } }
      volume = try await query.aggregate(.volume).sum
      low = try await query.aggregate(.low).minimum
      reportedCount = try await query.explain().rowCount
      for try await batch in query.batches(rowsPerBatch: 700) { batchSizes.append(batch.rowCount) }
    }
  }

  private static func store() throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(3000), "B": .sample(900, salt: 1), "C": .sample(10)])
    return store
  }

  @Test func async_forms_answer_as_the_blocking_ones_do() async throws {
    let store = try Self.store()
    for query in [
      store.allQuotes, store.allQuotes.where(.high, above: 82).ordered(.descending), store.quotes(for: "B", "A"),
      store.quotes(for: "UNKNOWN"), store.allQuotes.offset(by: 2000).limited(to: 1500),
    ] {
      #expect(try await Answers(async: query) == Answers(blocking: query))
    }
  }

  @Test func a_store_is_opened_checked_and_described_without_blocking() async throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/store"
    await #expect(throws: StoreError.noStore(path: path)) { try await QuoteStore(at: path, mustExist: true) }
    let (writer, reader) = (try await QuoteStore(at: path), try await QuoteStore(at: path))
    try await writer.upsert(["A": .sample(3000)])
    #expect(try await reader.refresh() && reader.generation == 1)
    #expect(try await reader.verify().damages.isEmpty)
    #expect(try await QuoteStore.verify(at: path).blockCount == 3 * ColumnSection.count)
    #expect(try await reader.tickerSummaries().map(\.rowCount) == [3000])
    #expect(try await reader.importRecords(of: "A").map(\.source) == ["Swift"])
    #expect(try await reader.encodingSummaries().reduce(0) { $0 + $1.blockCount } == 3 * ColumnSection.count)
  }

  @Test func a_cancelled_task_is_told_so_by_every_form() async throws {
    let (folder, store) = (TemporaryDirectory(), try Self.store())
    let query = store.allQuotes
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await query.fetch() },
      { _ = try await query.fetchColumns() },
      { _ = try await query.fetchOne() },
      { _ = try await query.latest() },
      { _ = try await query.count() },
      { _ = try await query.isEmpty() },
      { _ = try await query.aggregate([.count]) },
      { _ = try await query.aggregate(.volume) },
      { _ = try await query.explain() },
      { for try await _ in query.batches() {} },
      { _ = try await QuoteStore(at: folder.path + "/store") },
      { _ = try await store.refresh() },
      { _ = try await store.verify() },
      { _ = try await QuoteStore.verify(at: folder.path) },
      { _ = try await store.tickerSummaries() },
      { _ = try await store.importRecords() },
      { _ = try await store.encodingSummaries() },
    ]
    for (index, call) in calls.enumerated() {
      let task = Task {
        // Until it is cancelled.
        try? await Task.sleep(for: .seconds(1000))
        try await call()
      }
      task.cancel()
      await #expect(throws: StoreError.cancelled, "call \(index)") { try await task.value }
    }
  }

  @Test func what_is_under_way_stops_before_the_next_blocks() throws {
    let (store, cancellation) = (try Self.store(), Cancellation())
    let query = store.allQuotes.where(.high, above: 81).threads(1).stopped(by: cancellation)
    let cursor = query.cursor(rowsPerBatch: 1)
    #expect(try cursor.next()?.rowCount != nil)
    let plan = try query.plan()
    cancellation.cancel()
    #expect(throws: StoreError.cancelled) { try cursor.next() }
    #expect(throws: StoreError.cancelled) { try query.count() }
    var meter = GroupMeter(plan, nil, ReadAhead(plan, plan.candidates, []))
    var table = GroupTable(AggregateRequest([.sum(.low)], by: nil), hasFractions: false)
    #expect(throws: StoreError.cancelled) { try meter.add(plan.candidates[...], to: &table) }
    #expect(throws: StoreError.cancelled) { try store.encodingSummaries(stoppedBy: cancellation) }
    #expect(throws: StoreError.cancelled) {
      try QuoteStore.verify("store", in: store.fileSystem, stoppedBy: cancellation)
    }
  }

  @Test func a_batch_is_read_when_it_is_asked_for() async throws {
    let disk = InMemoryFiles()
    try commit(["A": .sample(5000)], to: "store", in: disk)
    for part in try StoreParts(disk).parts {
      if case .block(3, _, _) = part.kind { disk[part.path]?[part.range.lowerBound] ^= 1 }
    }
    let store = try QuoteStore(at: "store", in: disk)
    var iterator = store.allQuotes.batches(rowsPerBatch: 1).makeAsyncIterator()
    for _ in 0..<3 { #expect(try await iterator.next()?.rowCount == 1024) }
    await #expect(throws: StoreError.self) { try await iterator.next() }
    #expect(try await iterator.next()?.rowCount == nil)
  }
}
