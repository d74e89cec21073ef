import ArgumentParser
import Quoin
import QuoteGenerator

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Make up quotes that look like Quandl's WIKI table, to try things out.",
    discussion: """
      The same numbers and seed give the same quotes everywhere. Splits, dividends and adjusted values are in them.

      Examples:
        quoin generate --tickers 100 --rows 250000
        quoin generate --tickers 3199 --rows 15400000 --store market
        quoin generate --ticker TEST --days 250
        quoin generate --csv --output wiki.csv
      """)

  @Option(help: ArgumentHelp("How many tickers (default: 10).", valueName: "n"))
  var tickers: Int?

  @Option(help: ArgumentHelp("How many rows in all (default: 1,000 a ticker).", valueName: "n"))
  var rows: Int?

  @Option(help: ArgumentHelp("A history of this ticker alone, ending today.", valueName: "symbol"))
  var ticker: String?

  @Option(help: ArgumentHelp("Of how many trading days (default: 250).", valueName: "n"))
  var days: Int?

  @Option(help: ArgumentHelp("What the quotes are derived from.", valueName: "s"))
  var seed: UInt64 = 1

  @Flag(help: "Write a WIKI bulk CSV instead of a store.")
  var csv = false

  @Option(help: ArgumentHelp("Where the CSV goes (default: standard output).", valueName: "file"), completion: .file())
  var output: String?

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if ticker != nil, tickers != nil || rows != nil {
      throw ValidationError("--ticker makes one ticker's history; leave out --tickers and --rows, or --ticker")
    }
    if ticker == nil, days != nil { throw ValidationError("--days needs the ticker: --ticker TEST --days 250") }
    if let days, days < 1 { throw ValidationError("--days \(days): write a number of days from 1 on") }
    if output != nil, !csv { throw ValidationError("--output is where --csv goes; add --csv, or name a --store") }
  }

  func run() throws {
    var source = try GeneratedQuotes(self)
    if csv { try writeCSV(&source) } else { try fillStore(&source) }
  }

  private func writeCSV(_ source: inout GeneratedQuotes) throws {
    let file = try Output(to: output)
    let formatter = QuoteFormatter(.csv) { try file.write($0) }
    while let (ticker, columns) = source.next() {
      try formatter.append(QuoteBatch(ticker: ticker, columns: columns))
    }
    try formatter.finish()
    try file.finish()
  }

  private func fillStore(_ source: inout GeneratedQuotes) throws {
    let store = try store.openOrCreate()
    let start = ContinuousClock.now
    let counts = try store.upsert(source: source.description, patience: writing.patience) { source.next() }
    source.progress.erase()
    let time = (ContinuousClock.now - start).asShortTime
    try report(
      "Generated \(source.rowCount.of("row")) of \(source.tickerCount.of("ticker")) in \(time): \(counts.text) in '\(store.path)'."
    )
  }
}

/// Made-up quotes, ticker by ticker.
struct GeneratedQuotes {
  /// The words for the record of the import.
  let description: String
  let tickerCount: Int
  let rowCount: Int
  let progress = Progress("generating", in: .rows)
  private let quotes: (Int) -> (TickerSymbol, QuoteColumns)
  private var index = 0
  private var rowsDone = 0

  init(_ command: GenerateCommand) throws {
    let seed = command.seed
    if let ticker = command.ticker {
      let symbol = try TickerSymbol(ticker)
      let history = QuoteGenerator.history(of: symbol, days: command.days ?? 250, endingOn: .today, seed: seed)
      (tickerCount, rowCount) = (1, history.rowCount)
      description = "quoin generate --ticker \(symbol) --days \(history.rowCount) --seed \(seed)"
      quotes = { _ in (symbol, history) }
    } else {
      tickerCount = command.tickers ?? 10
      rowCount = command.rows ?? tickerCount.multipliedReportingOverflow(by: 1000).partialValue
      let generator = try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: seed)
      description = "quoin generate --tickers \(tickerCount) --rows \(rowCount) --seed \(seed)"
      quotes = { (generator.tickers[$0], generator.quotes(at: $0)) }
    }
  }

  /// The next ticker's quotes; nil at the end.
  mutating func next() -> (TickerSymbol, QuoteColumns)? {
    progress.update(rowsDone, of: rowCount)
    guard index < tickerCount else { return nil }
    let (ticker, columns) = quotes(index)
    index += 1
    rowsDone += columns.rowCount
    return (ticker, columns)
  }
}

extension UpsertCounts {
  /// What the rows did to the store: `1,200 new, 3 replaced`.
  var text: String {
    if inserted + replaced == 0 { return "nothing changed" }
    let parts = [(inserted, "new"), (replaced, "replaced"), (unchanged, "there already")]
    return parts.filter { $0.0 > 0 }.map { "\($0.0.grouped) \($0.1)" }.joined(separator: ", ")
  }
}
