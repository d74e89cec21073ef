import ArgumentParser
import Console
import Quoin
import QuoteGenerator

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Generate quotes that look like Quandl's WIKI table, for trying things out.",
    discussion: """
      Quotes of a ticker that the store has imported stay as they are, unless --force says otherwise.

      The same counts and seed give the same quotes on every machine. They include splits, dividends and adjusted values.

      Examples:
        quoin generate --tickers 100 --rows 250000
        quoin generate --tickers 3199 --rows 15400000 --store market
        quoin generate --ticker TEST --days 250
        quoin generate --csv --output wiki.csv
      """)

  @Option(help: ArgumentHelp("The number of tickers (default: 10).", valueName: "n"))
  var tickers: Int?

  @Option(help: ArgumentHelp("The number of rows in all (default: 1,000 per ticker).", valueName: "n"))
  var rows: Int?

  @Option(help: ArgumentHelp("Generate only this ticker, with a history that ends today.", valueName: "symbol"))
  var ticker: String?

  @Option(help: ArgumentHelp("The length of that history in trading days (default: 250).", valueName: "n"))
  var days: Int?

  @Option(help: ArgumentHelp("The seed of the random numbers.", valueName: "s"))
  var seed: UInt64 = 1

  @Flag(help: "Write a WIKI bulk CSV instead of a store.")
  var csv = false

  @Option(
    help: ArgumentHelp("Write the CSV to this file (default: standard output).", valueName: "file"), completion: .file()
  )
  var output: String?

  @Flag(help: "Write over imported quotes of the same tickers.")
  var force = false

  @OptionGroup var pack: PackingOptions
  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if force, csv { throw ValidationError("--force is for a store; leave it out, or --csv") }
    if ticker != nil, tickers != nil || rows != nil {
      throw ValidationError("--ticker makes one ticker's history; leave out --tickers and --rows, or --ticker")
    }
    if ticker == nil, days != nil { throw ValidationError("--days needs the ticker: --ticker TEST --days 250") }
    if let days, days < 1 { throw ValidationError("--days \(days): must be at least 1") }
    if pack.pack != nil, csv { throw ValidationError("--pack is about a store; leave out --csv or --pack") }
    if output != nil, !csv { throw ValidationError("--output needs --csv; to fill a store, use --store") }
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

  /// Throws if the store has quotes of these tickers that this command hasn't made.
  private func checkWhetherMadeUp(_ tickers: [TickerSymbol], in store: QuoteStore) throws {
    let stored = Set(tickers).intersection(store.tickers)
    if stored.isEmpty { return }
    let records = try store.importRecords().filter { stored.contains($0.ticker) }
    let imported = Set(records.filter { !$0.source.hasPrefix("quoin generate ") }.map(\.ticker))
      .union(stored.subtracting(records.map(\.ticker))).sorted()
    if imported.isEmpty { return }
    let names =
      imported.prefix(3).map { "\($0)" } + (imported.count > 3 ? ["\((imported.count - 3).grouped) more"] : [])
    throw UsageError(
      "'\(store.path)' has imported quotes of \(names.joined(separator: ", ")), which made-up ones would change; "
        + "name another store, or write over them with --force")
  }

  private func fillStore(_ source: inout GeneratedQuotes) throws {
    let packing = try pack.packing()
    let store = try store.openOrCreate()
    if !force { try checkWhetherMadeUp(source.tickers, in: store) }
    let (before, rowCount) = (store.packing, store.summary.rowCount)
    let start = ContinuousClock.now
    let counts = try store.write(patience: writing.patience) { transaction in
      if let packing { try transaction.setPacking(packing) }
      var counts = UpsertCounts()
      while let (ticker, columns) = source.next() {
        counts += try transaction.upsert(columns, of: ticker, source: source.description)
      }
      return counts
    }
    source.progress.erase()
    let time = (ContinuousClock.now - start).asShortTime
    try reportChange("the generation in '\(store.path)'") {
      try report(
        "Generated \(source.rowCount.of("row")) of \(source.tickerCount.of("ticker")) in \(time): \(counts.text) in '\(store.path)'."
      )
      try store.reportPacking(before: before, rowCount: rowCount)
    }
  }
}
