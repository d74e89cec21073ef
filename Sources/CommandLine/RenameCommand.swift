import ArgumentParser
import Console
import Quoin

struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename",
    abstract: "Give a ticker another name.",
    discussion: """
      Its rows stay as they are, and the records of its imports follow. The new name must have no rows.

      Examples:
        quoin rename FB META
        quoin rename BRK_B BRK.B --store prices
      """)

  @Argument(help: ArgumentHelp("The ticker, as the store has it.", valueName: "old"))
  var old: String

  @Argument(help: ArgumentHelp("Its new name.", valueName: "new"))
  var new: String

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let (old, new) = (try TickerSymbol(old), try TickerSymbol(new))
    if old == new { throw UsageError("\(old) has that name already; give it another one") }
    let store = try store.open()
    try store.requireTickers([old])
    do { try store.rename(old, to: new, patience: writing.patience) } catch StoreError.tickerTaken {
      throw DataError(
        "'\(store.path)' has quotes of \(new) already; remove them with 'quoin delete \(new)' first, or take another name"
      )
    }
    try report("Renamed \(old) to \(new) in '\(store.path)': \(try store.quotes(for: new).count().of("row")).")
  }
}
