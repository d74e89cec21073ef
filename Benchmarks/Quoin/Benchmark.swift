import Quoin
import QuoteGenerator

/// Times Quoin and prints a JSON object a line: engine, query, threads, answer, milliseconds of the runs, peak memory.
///
///     quoin-bench queries STORE THREADS [Q2 Q6 ...]    the reference queries
///     quoin-bench rough STORE ROWS                     makes a table of another character
///     quoin-bench append STORE THREADS FILE ...        import a file, then ask Q2, for each file
///     quoin-bench naive STORE                          arrays of structs and a loop
///     quoin-bench packings DIRECTORY ROWS              two tables, packed in all ways
///     quoin-bench cases DIRECTORY FILE                 kernels, encodings; import of the file, commit, open
///     quoin-bench smoke DIRECTORY FILE                 all of it on a small table, one run each
@main
struct Benchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let mode = arguments.first, let path = arguments.dropFirst().first else { return print(usage) }
    let rest = Array(arguments.dropFirst(2))
    let threads = rest.first.flatMap { Int($0) } ?? 1
    switch mode {
    case "queries":
      let store = try QuoteStore(at: path, mustExist: true)
      let queries = ReferenceQueries(store: store, threads: threads)
      try queries.run(Set(rest.dropFirst()))
      try queries.runComputed(Set(rest.dropFirst()))
    case "rough": try RoughMarket(rowCount: rest.first.flatMap { Int($0) } ?? 15_400_000).fill(QuoteStore(at: path))
    case "append": try AppendedDays(path, threads: threads).run(Array(rest.dropFirst()))
    case "naive": try NaiveMarket(QuoteStore(at: path, mustExist: true)).run()
    case "packings": try PackingCases(path: path, rowCount: rest.first.flatMap { Int($0) } ?? 15_400_000).run()
    case "cases": try runCases(in: path, csv: rest.first ?? "")
    case "smoke": try smoke(in: path, csv: rest.first ?? "")
    default: print(usage)
    }
  }

  private static let usage = "usage: quoin-bench queries|rough|append|naive|packings|cases|smoke DIRECTORY ..."

  private static func runCases(
    in path: String, csv: String, _ stopwatch: Stopwatch = Stopwatch(), blocksPerTicker: Int = 16
  ) throws {
    try EncodingCases(in: path, tickerCount: 64, blocksPerTicker: blocksPerTicker, stopwatch: stopwatch).run()
    try StoreCases(path: path, csv: csv, stopwatch: stopwatch).run()
  }

  /// Everything once, small; the naive market's answers have to be Quoin's.
  private static func smoke(in path: String, csv: String) throws {
    let once = { Stopwatch(warmupCount: 0, runCount: 1, pause: .zero) }
    let (store, rough) = (try QuoteStore(at: "\(path)/market"), try QuoteStore(at: "\(path)/rough"))
    try store.generate(tickerCount: 100, rowCount: 100_000)
    try RoughMarket(rowCount: 100_000).fill(rough)
    for store in [rough, store] {
      let queries = ReferenceQueries(store: store, threads: 2, stopwatch: once())
      try queries.run()
      try queries.runComputed()
    }
    let stopwatch = once()
    try ReferenceQueries(store: store, threads: 1, stopwatch: stopwatch).run()
    try NaiveMarket(store, stopwatch).run()
    try runCases(in: path, csv: csv, stopwatch, blocksPerTicker: 1)
    try PackingCases(path: path, rowCount: 20_000, stopwatch: once).run()
  }
}

extension QuoteStore {
  /// Fills the store with made-up quotes.
  func generate(tickerCount: Int, rowCount: Int) throws {
    let generator = try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: 1)
    try write { transaction in
      for index in generator.tickers.indices {
        try transaction.upsert(generator.quotes(at: index), of: generator.tickers[index], source: "quoin-bench")
      }
    }
  }
}
