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
    StoreWorkload("first commit", { try $0.upsert(["FDX": .sample(20), "A": .sample(3)]) }),
    StoreWorkload(
      "append", { try $0.upsert(["FDX": .sample(150), "A": .sample(100)]) },
      { try $0.upsert(["FDX": .sample(3, from: "2011-01-03"), "NEW": .sample(2)]) }),
    StoreWorkload(
      "replace", { try $0.upsert(["FDX": .sample(100)]) }, { try $0.upsert(["FDX": .sample(5, from: "2011-01-03")]) },
      { try $0.upsert(["FDX": .sample(50, salt: 4)]) }),
    StoreWorkload(
      "two tickers at once", { try $0.upsert(["FDX": .sample(30), "A": .sample(30, salt: 1)]) },
      { try $0.upsert(["FDX": .sample(30, salt: 2), "A": .sample(30, salt: 3)]) }),
    StoreWorkload("import a file", { try $0.upsert(["FDX": .sample(10)]) }, { try importFile(into: $0) }),
    StoreWorkload(
      "delete a ticker", { try $0.upsert(["FDX": .sample(100), "A": .sample(100)]) }, { try $0.delete(["FDX"]) }),
    StoreWorkload(
      "delete some rows", { try $0.upsert(["FDX": .sample(100), "A": .sample(100)]) },
      { try $0.delete(nil, where: .range(.high, ...85)) }),
    StoreWorkload(
      "delete everything", { try $0.upsert(["FDX": .sample(100), "A": .sample(100)]) }, { try $0.delete(nil) }),
    StoreWorkload(
      "begin again", { try $0.upsert(["FDX": .sample(12)]) }, { try $0.delete(nil) },
      { try $0.upsert(["FDX": .sample(12, salt: 5)]) }),
    StoreWorkload(
      "compact", { try $0.upsert(["FDX": .sample(80, from: "1970-01-01")]) },
      { try $0.upsert(["FDX": .sample(40, from: "1971-01-01")]) },
      { try $0.upsert(["FDX": .sample(20, from: "1972-01-01")]) }, { try $0.compact() }),
    StoreWorkload(
      "take over older files", { try $0.upsert(["FDX": .sample(40, from: "1970-01-01"), "A": .sample(1)]) },
      { try $0.upsert(["FDX": .sample(10, from: "1971-01-01")]) },
      { try $0.upsert(["FDX": .sample(15, from: "1972-01-01")]) },
      { try $0.upsert(["FDX": .sample(90, from: "1973-01-01")]) }),
    StoreWorkload(
      "many tickers", { try $0.upsert(["FDX": .sample(10)]) },
      { store in
        var rows: [TickerSymbol: QuoteColumns] = [:]
        for number in 0..<12 { rows[try TickerSymbol("T\(number)")] = .sample(2, salt: number) }
        try store.upsert(rows)
      }),
    StoreWorkload(
      "two files in a commit", { try $0.upsert(["FDX": .sample(10)]) },
      { store in
        try store.write(patience: .zero) { transaction in
          _ = try transaction.upsert("A", .sample(20))
          // As if a great many rows were waiting: then rows that come out of order have a file written first.
          try transaction.encodeTails()
          _ = try transaction.upsert("A", .sample(10, salt: 1))
          return ((), WriteRequest())
        }
      }),
  ]

  /// Imports forty lines of CSV.
  private static func importFile(into store: QuoteStore) throws {
    var text = "ticker,date,open,close,volume\n"
    for day in 10..<30 { text += "KO,2017-03-\(day),41.5,42.\(day),1000\nFDX,2017-03-\(day),190,191.\(day),\(day)\n" }
    let directory = TemporaryDirectory()
    let path = directory.path + "/quotes.csv"
    try SystemFiles().writeFile(path, [Array(text.utf8)])
    try store.importFiles([path])
  }
}
