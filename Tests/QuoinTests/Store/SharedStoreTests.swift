import Synchronization
import Testing

@testable import Quoin
@testable import QuoteGenerator

/// One `QuoteStore` in many tasks at once, and several on one disk. `make sanitize` runs this under thread sanitizer too.
@Suite struct SharedStoreTests {
  private static let tickers: [TickerSymbol] = ["A", "B", "C"]
  private static let rowCount = 1500

  /// Rows whose every cell is `number`.
  private static func rows(_ number: Int) -> QuoteColumns {
    QuoteColumns(days: QuoteColumns.sample(rowCount).days) { _, _ in Double(number) }
  }

  private enum Kind: CaseIterable {
    case writer, otherWriter, importer, compactor, fetcher, aggregator, batcher, refresher, verifier
  }

  @Test func tasks_that_share_a_store_each_see_one_generation() async throws {
    let disk = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: disk)
    try await store.upsert(Dictionary(uniqueKeysWithValues: Self.tickers.map { ($0, Self.rows(0)) }))
    let writes = TestSettings.count("QUOIN_SHARED_WRITES", debug: 4, release: 40)
    let folder = TemporaryDirectory()
    let file = folder.path + "/file"
    try Self.writeText(to: file)
    let (readCount, writerCount) = (Counter(0), Counter(4))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for kind in Kind.allCases {
        group.addTask {
          switch kind {
          case .writer, .otherWriter, .importer, .compactor:
            defer { writerCount.add(-1) }
            for write in 1...writes {
              try Self.write(kind, write, store, disk, file)
              // There are fewer threads than tasks: readers have their turn.
              let before = readCount.value
              while readCount.value == before, !Task.isCancelled { await Task.yield() }
            }
          default:
            var generation = store.generation
            while writerCount.value > 0 {
              try Self.read(kind, store, disk)
              let next = store.generation
              #expect(next >= generation, "\(kind): generation \(next) after \(generation)")
              generation = next
              readCount.add(1)
              await Task.yield()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let count = readCount.value
    #expect(store.generation > UInt64(2 * writes))
    #expect(try await store.verify().damages.isEmpty)
    print("shared store: \(4 * writes) writes, \(count) reads, each of one generation")
  }

  private static func write(
    _ kind: Kind, _ number: Int, _ store: QuoteStore, _ disk: InMemoryFiles, _ file: String
  ) throws {
    let patience = Duration.seconds(600)
    switch kind {
    case .writer:
      let columns = Dictionary(uniqueKeysWithValues: tickers.map { ($0, rows(number * 2)) })
      try store.upsert(columns, patience: patience)
    case .otherWriter:
      let columns = Dictionary(uniqueKeysWithValues: tickers.map { ($0, rows(number * 2 + 1)) })
      try QuoteStore(at: "store", in: disk).upsert(columns, patience: patience)
    case .importer: try store.importFiles([file], options: ImportOptions(threads: 3), patience: patience)
    default: try store.compact(patience: patience)
    }
  }

  private static func read(_ kind: Kind, _ store: QuoteStore, _ disk: InMemoryFiles) throws {
    switch kind {
    case .fetcher: try check(store.quotes(for: tickers).threads(3).where(.high, above: -1).fetchColumns())
    case .aggregator:
      let table = try store.quotes(for: tickers).threads(3).aggregate([.count, .min(.low), .max(.adjustedVolume)])
      #expect(table.doubles(.min(.low)) == table.doubles(.max(.adjustedVolume)))
      #expect(table.integers(.count) == [Int128(rowCount * tickers.count)])
    case .batcher:
      // A query keeps its generation while it is iterated.
      var numbers: Set<Double> = []
      try store.quotes(for: tickers).forEachBatch(rowsPerBatch: 700) { batch in
        try numbers.formUnion(batch.columns[#require(TypedAttribute<Double>.all.randomElement())])
      }
      #expect(numbers.count == 1)
    case .refresher:
      try store.refresh()
      try check(QuoteStore(at: "store", in: disk).quotes(for: tickers).fetchColumns())
    default: #expect(try store.verify().damages.isEmpty)
    }
  }

  /// Every cell of every row is the same number.
  private static func check(_ batch: QuoteBatch) throws {
    let number = try #require(batch.columns[.open].first)
    #expect(batch.rowCount == rowCount * tickers.count)
    for attribute in TypedAttribute<Double>.all { #expect(batch.columns[attribute].allSatisfy { $0 == number }) }
    for attribute in TypedAttribute<Int64>.all { #expect(batch.columns[attribute].allSatisfy { $0 == Int64(number) }) }
  }

  /// Rows of other tickers, as a WIKI bulk file.
  private static func writeText(to path: String) throws {
    var text: [UInt8] = []
    let formatter = QuoteFormatter(.csv) { bytes in unsafe bytes.withUnsafeBytes { unsafe text += $0 } }
    for ticker in ["X", "Y"] as [TickerSymbol] {
      try formatter.append(QuoteBatch(ticker: ticker, columns: .sample(2000)))
    }
    try formatter.finish()
    try SystemFiles().writeFile(path, [text])
  }
}

/// A count that tasks share.
private final class Counter: Sendable {
  private let count: Atomic<Int>

  init(_ count: Int) { self.count = Atomic(count) }

  var value: Int { count.load(ordering: .sequentiallyConsistent) }

  func add(_ difference: Int) { count.add(difference, ordering: .sequentiallyConsistent) }
}
