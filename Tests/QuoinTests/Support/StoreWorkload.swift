import Testing

@testable import Quoin

/// Writes to a store that tests interrupt: each of them is one commit, and the last one is the most interesting.
struct StoreWorkload: Sendable, CustomTestStringConvertible {
  typealias Write = @Sendable (QuoteStore) throws -> Void

  let testDescription: String
  let writes: [Write]

  init(_ description: String, _ writes: Write...) {
    testDescription = description
    self.writes = writes
  }

  static let all: [StoreWorkload] = [
    StoreWorkload("first commit", put(["FDX": .sample(20), "A": .sample(3)])),
    StoreWorkload(
      "append", put(["FDX": .sample(60), "A": .sample(30)]),
      put(["FDX": .sample(3, from: "2011-01-03"), "NEW": .sample(2)])),
    StoreWorkload(
      "replace", put(["FDX": .sample(40)]), put(["FDX": .sample(5, from: "2011-01-03")]),
      put(["FDX": .sample(25, salt: 4)])),
    StoreWorkload(
      "two tickers at once", put(["FDX": .sample(30), "A": .sample(30, salt: 1)]),
      put(["FDX": .sample(30, salt: 2), "A": .sample(30, salt: 3)])),
    StoreWorkload("import a file", put(["FDX": .sample(10)]), { try importFile(into: $0) }),
    StoreWorkload("delete a ticker", put(["FDX": .sample(40), "A": .sample(40)]), { try $0.delete("FDX") }),
    StoreWorkload(
      "delete some rows", put(["FDX": .sample(40), "A": .sample(40)]),
      { try $0.delete(where: .range(.high, ...82)) }),
    StoreWorkload("delete everything", put(["FDX": .sample(40), "A": .sample(40)]), { try $0.deleteAll() }),
    StoreWorkload("begin again", put(["FDX": .sample(12)]), { try $0.deleteAll() }, put(["FDX": .sample(12, salt: 5)])),
    StoreWorkload(
      "compact", put(["FDX": .sample(32, from: "1970-01-01")]), put(["FDX": .sample(16, from: "1971-01-01")]),
      put(["FDX": .sample(8, from: "1972-01-01")]), { try $0.compact() }),
    StoreWorkload("pack in another way", put(["FDX": .sample(40)]), { try $0.setPacking(.small) }),
    StoreWorkload(
      "repack", put(["FDX": .sample(300)]), put(["FDX": .sample(20, salt: 2)]), { try $0.compact(packing: .small) }),
    StoreWorkload(
      "take over older files", put(["FDX": .sample(20, from: "1970-01-01"), "A": .sample(1)]),
      put(["FDX": .sample(5, from: "1971-01-01")]), put(["FDX": .sample(8, from: "1972-01-01")]),
      put(["FDX": .sample(45, from: "1973-01-01")])),
    StoreWorkload(
      "many tickers", put(["FDX": .sample(10)]),
      put([
        "T0": .sample(2), "T1": .sample(2, salt: 1), "T2": .sample(2, salt: 2), "T3": .sample(2, salt: 3),
        "T4": .sample(2, salt: 4), "T5": .sample(2, salt: 5), "T6": .sample(2, salt: 6), "T7": .sample(2, salt: 7),
      ])),
    StoreWorkload(
      "two files in a commit", put(["FDX": .sample(10)]),
      { store in
        try store.commit(patience: .zero, crew: .alone) { (transaction) throws(StoreError) in
          _ = try transaction.upsert("A", .sample(20))
          // As if a great many rows were waiting: then rows that come out of order have a file written first.
          try transaction.encodeTails()
          _ = try transaction.upsert("A", .sample(10, salt: 1))
        }
      }),
    StoreWorkload("keep a snapshot", put(["FDX": .sample(40)]), keepSnapshot),
    StoreWorkload(
      "replace what a snapshot keeps", put(["FDX": .sample(40), "A": .sample(3)]),
      keepSnapshot,
      put(["FDX": .sample(45, salt: 3), "A": .sample(3, salt: 1)])),
    StoreWorkload(
      "drop a snapshot", put(["FDX": .sample(40)]), keepSnapshot,
      put(["FDX": .sample(45, salt: 3)]), { try $0.dropSnapshot(named: "first") }),
    StoreWorkload(
      "keep the newest generations", put(["FDX": .sample(20)]), { try $0.keepRecentGenerations(2) },
      put(["FDX": .sample(20, salt: 1)]), put(["FDX": .sample(20, salt: 2)]), put(["FDX": .sample(21, salt: 3)])),
    StoreWorkload(
      "take a commit back", put(["FDX": .sample(40), "A": .sample(3)]), put(["FDX": .sample(45, salt: 3)]),
      undo(toRowCount: 43)),
    StoreWorkload("take the first commit back", put(["FDX": .sample(40), "A": .sample(3)]), undo(toRowCount: 0)),
    StoreWorkload(
      "restore a snapshot", put(["FDX": .sample(40), "A": .sample(3)]), keepSnapshot,
      put(["FDX": .sample(45, salt: 3)]), { try $0.delete("A") }, { try $0.restore(snapshotNamed: "first") }),
    StoreWorkload(
      "keep no generations", put(["FDX": .sample(40)]), { try $0.keepRecentGenerations(0) },
      put(["FDX": .sample(45, salt: 3)]), put(["FDX": .sample(3, salt: 4)])),
    StoreWorkload(
      "rename a ticker", put(["FDX": .sample(40), "A": .sample(3)]),
      { store in
        // Unless a writer that died has done so.
        do { try store.rename("FDX", to: "NEU") } catch StoreError.noQuotes { try store.write { _ in } }
      }),
    StoreWorkload(
      "merge another store", put(["FDX": .sample(40), "A": .sample(3)]),
      { store in
        let other = try QuoteStore(at: "other", in: InMemoryFiles())
        try put(["FDX": .sample(45, salt: 3), "NEW": .sample(2)])(other)
        try store.merge(other)
      }),
    StoreWorkload(
      "adjust", put(["FDX": .sample(60), "A": .sample(3)]),
      { try $0.adjust(["FDX"], replacing: true, trustingSplits: true) }),
    StoreWorkload(
      "several changes at once", put(["FDX": .sample(30), "A": .sample(30), "GONE": .sample(5)]), severalChanges),
  ]

  /// Keeps a snapshot, unless a writer that died has done so.
  private static let keepSnapshot: Write = { store in
    do { try store.keepSnapshot(named: "first") } catch StoreError.snapshotRefused(_, .nameTaken) {}
  }

  /// Takes the last commit back, unless a writer that died has done so: a second undo would bring it back. Then a write that
  /// changes nothing makes sure of what that writer did.
  private static func undo(toRowCount rowCount: Int) -> Write {
    { store in
      try store.refresh()
      if store.summary.rowCount != rowCount { try store.undo() } else { try store.write { _ in } }
    }
  }

  /// Puts rows in, with a record of the import that doesn't tell the time: equal writes make equal bytes.
  static func put(_ tickers: [TickerSymbol: QuoteColumns]) -> Write {
    { store in
      try store.commit(patience: .zero, crew: .alone) { (transaction) throws(StoreError) in
        for (ticker, rows) in tickers.sorted(by: { $0.key < $1.key }) {
          _ = try transaction.upsert(ticker, rows.completed)
          transaction.note(
            ImportRecord(
              ticker: ticker, firstDay: rows.days[0], lastDay: rows.days[rows.rowCount - 1], rowCount: rows.rowCount,
              source: "test", importedAt: CommitTime(secondsSince1970: 1_500_000_000),
              generation: transaction.generation
            ))
        }
      }
    }
  }

  /// Deletes, stores and updates in one transaction. The update looks at what has been stored, so a file is written for it.
  private static let severalChanges: Write = { store in
    try store.write { transaction in
      try transaction.delete("GONE")
      try transaction.upsert(["FDX": .sample(10, from: "2011-01-03"), "NEW": .sample(5)])
      try transaction.update(where: .range(.high, 81.0...)) { $0.close = 1 }
      try transaction.delete(["A"], where: .range(.high, ...82))
      try transaction.upsert([DailyQuoteSummary(ticker: "GONE", date: "2017-01-03", close: 2)])
    }
  }

  /// Imports forty lines of CSV.
  private static func importFile(into store: QuoteStore) throws {
    var text = "ticker,date,open,close,volume\n"
    for day in 10..<30 { text += "KO,2017-03-\(day),41.5,42.\(day),1000\nFDX,2017-03-\(day),190,191.\(day),\(day)\n" }
    let directory = TemporaryDirectory()
    let path = directory.path + "/quotes.csv"
    try SystemFiles().writeFile(path, [Array(text.utf8)])
    do { try store.importFiles([path]) } catch {
      if case .store(let cause) = error { throw cause }
      throw error
    }
  }
}
