import Testing

@testable import Quoin

@Suite struct DifferenceTests {
  /// Differences in words: days with `+` and `-`, cells with both values.
  private static func words(from old: QuoteStore, to new: QuoteStore) throws -> [String] {
    var words: [String] = []
    try new.forEachDifference(from: old) { difference in
      #expect(!difference.isEmpty && difference.before.rowCount == difference.after.rowCount)
      #expect(difference.before.days == difference.after.days)
      words += difference.added.days.map { "+\(difference.ticker) \($0)" }
      words += difference.removed.days.map { "-\(difference.ticker) \($0)" }
      var counts: [Attribute: Int] = [:]
      for row in 0..<difference.before.rowCount {
        for name in difference.changedAttributes(at: row) {
          let values = [difference.before, difference.after].map { $0.text(of: name, at: row) ?? "-" }
          words.append("\(difference.ticker) \(difference.before.days[row]) \(name.wikiName) \(values[0]) \(values[1])")
          counts[name, default: 0] += 1
        }
      }
      #expect(counts == difference.changedCellCounts)
      #expect(difference.changedAttributes(at: -1).isEmpty && difference.changedAttributes(at: 1 << 40).isEmpty)
    }
    return words
  }

  @Test func days_and_cells_that_differ_are_named_once() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(3), "B": .sample(40), "GONE": .sample(2)])
    try store.keepSnapshot(named: "before")
    let day = QuoteColumns.sample(40).days
    try store.write { transaction in
      try transaction.delete("GONE")
      try transaction.upsert(["NEW": .sample(1), "A": .sample(4)])
      try transaction.update(["B"], where: .dates(from: day[7], to: day[7])) {
        $0.close = 1.5
        $0.volume = nil
        $0.exDividend = -0.0
      }
      try transaction.delete(["B"], where: .dates(from: day[9], to: day[9]))
    }
    let before = try #require(try store.snapshot(named: "before"))
    let row = QuoteColumns.sample(40)
    let expected = [
      "+A \(QuoteColumns.sample(4).days[3])", "-B \(day[9])", "B \(day[7]) close \(row.doubles(.close)[7]) 1.5",
      "B \(day[7]) volume \(row.integers(.volume)[7]) -", "B \(day[7]) ex-dividend 0.0 -0.0",
      "-GONE 2001-01-01", "-GONE 2001-01-02", "+NEW 2001-01-01",
    ]
    #expect(try Self.words(from: before, to: store) == expected)
    #expect(try Self.words(from: store, to: store).isEmpty)
    #expect(try Self.words(from: store, to: before).count == expected.count)
  }

  @Test func two_stores_are_compared_whatever_their_files_are_called() throws {
    let (a, b) = (try QuoteStore(at: "a", in: InMemoryFiles()), try QuoteStore(at: "b", in: InMemoryFiles()))
    try a.upsert(["A": .sample(30), "B": .sample(2000)])
    try b.upsert(["B": .sample(2000)])
    try b.upsert(["A": .sample(30)])
    #expect(try Self.words(from: a, to: b).isEmpty)
    try b.update(["B"], where: .dates(from: "2001-01-02", to: "2001-01-02")) { $0.low = 4 }
    #expect(try Self.words(from: a, to: b).count == 1)
    let empty = try QuoteStore(at: "c", in: InMemoryFiles())
    #expect(try Self.words(from: empty, to: b).count == 2030)
    #expect(try Self.words(from: empty, to: empty).isEmpty)
  }

  @Test func snapshots_are_compared_without_reading_what_is_the_same() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["A": .sample(3000)])
    try store.keepSnapshot(named: "before")
    try store.upsert(["B": .sample(3)])
    // A block of A that is damaged isn't read.
    let name = try #require(store.snapshot.manifest.files.first?.name)
    let byteCount = try #require(files["store/" + name]?.count)
    files["store/" + name]?[byteCount - 100] ^= 1
    let reopened = try QuoteStore(at: "store", in: files)
    let before = try #require(try reopened.snapshot(named: "before"))
    #expect(throws: StoreError.self) { try reopened.quotes(for: "A").fetch() }
    #expect(try Self.words(from: before, to: reopened).count == 3)
  }

  @Test func an_error_of_the_body_ends_it() throws {
    struct Enough: Error {}
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(["A": .sample(3), "B": .sample(3)])
    let empty = try QuoteStore(at: "c", in: InMemoryFiles())
    var count = 0
    #expect(throws: Enough.self) {
      try store.forEachDifference(from: empty) { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
  }
}
