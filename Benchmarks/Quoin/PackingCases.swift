import Quoin
import QuoteGenerator

/// What the ways to pack blocks cost and save: the same two tables packed fast, balanced and small, and with LZ4 wherever it saves
/// a byte; how long that took, how each column is stored then, and how long questions take. All ways have the same answers.
struct PackingCases {
  let path: String
  let rowCount: Int
  var stopwatch: () -> Stopwatch = { Stopwatch() }

  private var ways: [(name: String, choice: EncodingChoice)] {
    var everywhere = EncodingChoice(largestCompressedShare: 1)
    everywhere.largestCompressedScaledShare = 1
    return BlockPacking.allCases.map { ($0.rawValue, EncodingChoice($0)) } + [("LZ4", everywhere)]
  }

  func run() throws {
    for table in MadeTable.allCases {
      let stores = try ways.map {
        (suffix: "\(table.suffix), \($0.name)", store: try filled(table, $0.name, $0.choice))
      }
      // One for all ways: it compares their answers.
      let stopwatch = stopwatch()
      // A neighbor on the machine seldom disturbs a way in both rounds.
      for _ in 0..<2 {
        for (suffix, store) in stores {
          try ReferenceQueries(store: store, threads: 1, stopwatch: stopwatch, suffix: suffix).run(table.queries)
        }
      }
    }
  }

  /// The table in a store, packed in one way; reports how long that took and how the columns are stored.
  private func filled(_ table: MadeTable, _ way: String, _ choice: EncodingChoice) throws -> QuoteStore {
    let suffix = "\(table.suffix), \(way)"
    let store = try QuoteStore(at: "\(path)/packed\(suffix)", encodings: choice)
    let start = ContinuousClock.now
    if store.generation == 0 { try table.fill(store, rowCount: rowCount) }
    report("write\(suffix)", [], times: [(ContinuousClock.now - start) / .milliseconds(1)])
    report("size\(suffix)", [store.summary.rowCount, store.summary.byteCount])
    for part in try store.encodingSummaries() {
      let name = "\(part.column) \(part.encoding) \(part.storage)\(suffix)"
      report(name, [part.blockCount, part.rowCount, part.byteCount])
    }
    return store
  }

  private func report(_ query: String, _ numbers: [Int], times: [Double] = []) {
    var answer = Answer(count: numbers.first ?? 0)
    for number in numbers.dropFirst() { answer.append(Int128(number)) }
    Record(engine: "quoin", query: query, answer: answer, times: times).print()
  }
}

/// The tables that are packed.
private enum MadeTable: CaseIterable {
  /// Of WIKI's shape: twelve columns, prices as they were traded, adjusted ones beside them.
  case wiki
  /// Of the shape of Stooq's files: five columns, and only adjusted prices.
  case stooq

  var suffix: String { self == .wiki ? "" : " of five columns" }

  /// The reference queries that ask for columns that the table has; all if it is empty.
  var queries: Set<String> { self == .wiki ? [] : ["Q3", "Q4", "Q5", "Q7", "Q10", "Q11", "Q12"] }

  private var rowsPerTicker: Int { self == .wiki ? 4814 : 2080 }

  func fill(_ store: QuoteStore, rowCount: Int) throws {
    let generator = try QuoteGenerator(
      tickerCount: max(1, rowCount / rowsPerTicker), rowCount: rowCount, seed: 1)
    try store.write { transaction in
      for index in generator.tickers.indices {
        let quotes = generator.quotes(at: index)
        try transaction.upsert(
          self == .wiki ? quotes : quotes.asStooq, of: generator.tickers[index], source: "quoin-bench")
      }
    }
  }
}

extension QuoteColumns {
  /// The adjusted quotes alone, as Stooq has them: prices of five significant digits, but at least 2 and at most 6 decimals, and
  /// volumes of any number of shares. Made-up prices move less than real ones do, so they are raised to the power 1.5.
  fileprivate var asStooq: QuoteColumns {
    var columns = QuoteColumns(days: days)
    let prices: [(TypedAttribute<Double>, TypedAttribute<Double>)] = [
      (.open, .adjustedOpen), (.high, .adjustedHigh), (.low, .adjustedLow), (.close, .adjustedClose),
    ]
    for (to, from) in prices { columns[to] = self[from].map { Self.fiveDigits($0 * $0.squareRoot() / 6) } }
    columns[.volume] = self[.adjustedVolume].enumerated().map { row, volume in
      volume.isMissing ? .missing : Int64(volume / 4) + Int64(row &* 7919 % 100)
    }
    return columns
  }

  private static func fiveDigits(_ price: Double) -> Double {
    if price.isMissing { return price }
    let power = price >= 100 ? 1e2 : price >= 10 ? 1e3 : price >= 1 ? 1e4 : price >= 0.1 ? 1e5 : 1e6
    return max((price * power).rounded(), 1) / power
  }
}
