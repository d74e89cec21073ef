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
      already. After later days have come in, run it again with --replace.

      Without tickers, those that have no adjusted values are computed.

      Examples:
        quoin adjust
        quoin adjust ACME
        quoin adjust ACME --replace
      """)

  @Argument(help: ArgumentHelp("The tickers (default: all that have no adjusted values).", valueName: "ticker"))
  var tickers: [String] = []

  @Flag(help: "Replace the adjusted values that are there.")
  var replace = false

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let symbols = try tickers.map { try TickerSymbol($0) }
    let store = try store.open()
    try store.requireTickers(symbols)
    let asked = symbols.isEmpty ? store.tickers : Set(symbols).sorted()
    let adjusted = replace ? [] : try asked.filter(store.hasAdjustedValues)
    if let first = adjusted.first, !symbols.isEmpty {
      throw DataError(
        "'\(store.path)' has adjusted values of \(first) already; to compute them anew, run 'quoin adjust \(first) "
          + "--replace'")
    }
    let left = Set(adjusted)
    let wanted = asked.filter { !left.contains($0) }
    let progress = Progress("adjusting", in: .rows)
    let total = store.summary.rowCount
    let counts = try store.adjust(wanted, replacing: replace, patience: writing.patience) {
      progress.update($0, part: symbols.isEmpty && left.isEmpty ? Double($0) / Double(total) : nil)
    }
    progress.erase()
    try report(text(counts, wanted.count, left.count, store))
  }

  private func text(_ counts: UpsertCounts, _ count: Int, _ leftCount: Int, _ store: QuoteStore) -> String {
    if count == 0 {
      return
        "Nothing changed: all \(leftCount.of("ticker")) of '\(store.path)' have adjusted values already; --replace "
        + "computes them anew."
    }
    let rows = "\(counts.rowCount.of("row")) of \(count.of("ticker")) in '\(store.path)'"
    var text =
      counts.replaced == 0
      ? "Nothing changed: the \(rows) have these adjusted values already."
      : "Adjusted \(rows): \(counts.text)."
    if leftCount > 0 {
      text +=
        " \(leftCount.of("ticker")) \(leftCount == 1 ? "has" : "have") adjusted values already and "
        + "\(leftCount == 1 ? "stays as it is" : "stay as they are"); --replace computes them anew."
    }
    return text
  }
}

extension QuoteStore {
  fileprivate func hasAdjustedValues(_ ticker: TickerSymbol) throws -> Bool {
    let conditions = AttributeSet.adjusted.map { Predicate.not(.isMissing($0)) }
    return try !quotes(for: ticker).where(.any(conditions)).isEmpty()
  }
}
