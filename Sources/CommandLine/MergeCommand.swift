import ArgumentParser
import Console
import Quoin

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Take the rows of another store over.",
    discussion: """
      The other store is only read. Its values replace those of the same ticker and day here, and the records of its imports \
      come along. A column that is missing in all its rows of a ticker keeps its values here. To see beforehand what differs, \
      run 'quoin diff'; to take the merge back, 'quoin undo'.

      Examples:
        quoin merge laptop-store
        quoin merge laptop-store FDX KO --keep
        quoin merge stooq-store --replace --store prices
      """)

  @Argument(help: ArgumentHelp("The directory of the other store.", valueName: "other-store"), completion: .directory)
  var other: String

  @Argument(help: ArgumentHelp("Tickers of the other store (default: all).", valueName: "ticker"))
  var tickers: [String] = []

  @OptionGroup var rows: ModeOptions
  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let symbols = try TickerArguments.symbols(of: tickers)
    StoreOptions.warn(of: other)
    let source = try source()
    try source.requireTickers(symbols)
    let store = try store.openOrCreate()
    if System.realPath(other) == System.realPath(store.path) { throw StoreError.sameStore(path: other) }
    let name = "\(store.generation == 0 ? "the new store " : "")'\(store.path)'"
    let progress = Progress("merging", in: .rows)
    let wanted = symbols.isEmpty ? nil : symbols
    let total = try wanted.map { try source.tickerSummaries(of: $0).reduce(0) { $0 + $1.rowCount } }
    let counts = try store.merge(
      source, tickers: wanted, mode: rows.mode, patience: writing.patience
    ) { progress.update($0, of: total ?? source.summary.rowCount) }
    progress.erase()
    let what = "\(counts.rowCount.of("row")) of \((wanted.map { Set($0) } ?? Set(source.tickers)).count.of("ticker"))"
    try reportChange("the merge into '\(store.path)'") {
      try report(
        counts.inserted + counts.replaced + counts.kept == 0
          ? "Nothing changed: '\(store.path)' has the \(what) from '\(other)' already."
          : "Merged \(what) from '\(other)' into \(name): \(counts.text).")
    }
  }

  private func source() throws -> QuoteStore {
    do { return try QuoteStore(at: other, mustExist: true) } catch StoreError.noStore {
      throw DataError("there is no store at '\(other)', whose quotes are to be merged")
    }
  }
}
