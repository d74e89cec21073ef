import Quoin
import QuoteGenerator

/// Times the reference queries on a generated table and prints a line of CSV for each: the number of rows found, and the
/// median, least and most milliseconds of the runs. A case whose runs disagree about the rows ends the program.
///
/// `quoin-bench DIR [ROWS [RUNS]]`: the store's directory, which is filled when it is empty; 15,400,000 rows and 9 runs
/// when nothing else is said.
@main
struct Benchmark {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first else { return print("usage: quoin-bench DIR [ROWS [RUNS]]") }
    let rowCount = arguments.dropFirst().first.flatMap { Int($0) } ?? 15_400_000
    let runCount = max(1, arguments.dropFirst(2).first.flatMap { Int($0) } ?? 9)
    let store = try QuoteStore(at: path)
    if store.generation == 0 { try fill(store, rowCount) }
    print("query,question,rows_found,median_ms,min_ms,max_ms")
    for benchmark in Case.all { try time(benchmark, store, runCount) }
  }

  private static func fill(_ store: QuoteStore, _ rowCount: Int) throws {
    let generator = try QuoteGenerator(tickerCount: min(3199, rowCount), rowCount: rowCount, seed: 1)
    var indices = generator.tickers.indices[...]
    try store.upsert(source: "quoin-bench") {
      indices.popFirst().map { (generator.tickers[$0], generator.quotes(at: $0)) }
    }
  }

  private static func time(_ benchmark: Case, _ store: QuoteStore, _ runCount: Int) throws {
    // The first run checks the blocks' checksums and fills the caches; it is not counted.
    let found = try benchmark.run(store)
    var times: [Double] = []
    for _ in 0..<runCount {
      let start = ContinuousClock.now
      let again = try benchmark.run(store)
      times.append((ContinuousClock.now - start) / .milliseconds(1))
      precondition(again == found, "\(benchmark.name) found \(found) rows, then \(again)")
    }
    times.sort()
    let cells = [times[times.count / 2], times[0], times[times.count - 1]].map { ($0 * 1000).rounded() / 1000 }
    print("\(benchmark.name),\"\(benchmark.question)\",\(found),\(cells[0]),\(cells[1]),\(cells[2])")
  }
}
