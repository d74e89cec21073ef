import ArgumentParser
import Console
import Quoin

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give a ticker another name, or join two histories.",
    discussion: """
      Its rows stay as they are, and the records of its imports follow. If the new name has rows already, both become one \
      history; no day may be in both. With --from and --to only the rows of these days get the new name: when a symbol was used \
      again, the first company's.

      Examples:
        quoin rename FB META
        quoin rename BRK_B BRK.B --store prices
        quoin rename ACME ACME_OLD --to 2012-05-04
      """)

  @Argument(help: ArgumentHelp("The ticker, as the store has it.", valueName: "old"))
  var old: String

  @Argument(help: ArgumentHelp("Its new name.", valueName: "new"))
  var new: String

  @Option(help: ArgumentHelp("Only rows from this day on.", valueName: "yyyy-mm-dd"))
  var from: String?

  @Option(help: ArgumentHelp("Only rows up to and including this day.", valueName: "yyyy-mm-dd"))
  var to: String?

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let (old, new) = (try TickerSymbol(old), try TickerSymbol(new))
    if old == new { throw UsageError("\(old) has that name already; give it another one") }
    let store = try store.open()
    let (first, last) = try OptionNames.days(from: from, to: to, in: store)
    try store.requireTickers([old])
    let rowCountBefore = try rowCount(new, in: store)
    do { try store.rename(old, to: new, from: first, through: last, patience: writing.patience) } catch {
      guard case .dayTaken = error else { throw error }
      throw DataError("\(error); --from and --to rename some days, or take another name")
    }
    try reportChange("the renaming in '\(store.path)'") {
      try report(try outcome(old, new, in: store, rowCountBefore: rowCountBefore))
    }
  }

  private func outcome(
    _ old: TickerSymbol, _ new: TickerSymbol, in store: QuoteStore, rowCountBefore: Int
  ) throws -> String {
    let (left, joined) = (try rowCount(old, in: store), try rowCount(new, in: store))
    let moved = (joined - rowCountBefore).of("row")
    var text =
      left == 0
      ? "Renamed \(old) to \(new) in '\(store.path)': \(moved)"
      : "Renamed \(moved) of \(old) to \(new) in '\(store.path)'; \(old) has \(left.of("row")) left"
    if rowCountBefore > 0 { text += "; \(new) has \(joined.of("row")) now" }
    return text + "."
  }

  private func rowCount(_ ticker: TickerSymbol, in store: QuoteStore) throws -> Int {
    try store.quotes(for: ticker).count()
  }
}
