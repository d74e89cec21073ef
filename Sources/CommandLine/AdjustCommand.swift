import ArgumentParser
import Console
import Quoin

struct AdjustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "adjust",
    abstract: "Compute adjusted prices and volumes from dividends and splits.",
    discussion: """
      For sources that have none. Adjusted values are computed as Quandl's WIKI table has them: going back from the last day, \
      a split divides the prices of the days before it by its ratio and multiplies their volumes; a dividend multiplies their \
      prices by close / (close + dividend). A missing dividend counts as 0, a missing split ratio as 1.

      The prices must be those that were paid on each day. Those of Yahoo and Stooq are not: they are adjusted for splits \
      already. A ticker whose price doesn't move by its split is refused; 'quoin check --rule split' lists all of them, and \
      'quoin import FILE --splits-in-prices' stores such files rightly.

      Without tickers, those are computed that have no adjusted values, or had them computed here before later days, dividends \
      or splits came in. Values of another source are replaced with --replace only.

      Examples:
        quoin adjust
        quoin adjust ACME
        quoin adjust ACME --replace
      """)

  @Argument(
    help: ArgumentHelp(
      "The tickers (default: all without adjusted values, or with outdated ones).", valueName: "ticker"))
  var tickers: [String] = []

  @Flag(help: "Replace the adjusted values that are there, wherever they come from.")
  var replace = false

  @Flag(help: "Count a split although the price doesn't move by it.")
  var trustSplits = false

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let symbols = try TickerArguments.symbols(of: tickers)
    let store = try store.open()
    try store.requireTickers(symbols)
    let asked = symbols.isEmpty ? store.tickers : Set(symbols).sorted()
    let choice = try AdjustmentChoice(asked, in: store, replacing: replace)
    if !symbols.isEmpty { try choice.requireAll(store.path) }
    let progress = Progress("adjusting", in: .rows)
    let total = store.summary.rowCount
    let counts = try store.adjust(
      choice.wanted, replacing: replace, trustingSplits: trustSplits, patience: writing.patience
    ) {
      progress.update($0, part: choice.wanted.count == store.tickers.count ? Double($0) / Double(total) : nil)
    }
    progress.erase()
    try reportChange("the adjustment of '\(store.path)'") { try report(choice.text(counts, in: store.path)) }
  }
}
