import ArgumentParser
import Console
import Quoin

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Remove tickers, days, the rows that meet a condition, or everything.",
    discussion: """
      Examples:
        quoin delete FDX
        quoin delete FDX --from 2005-01-01 --to 2005-01-31
        quoin delete --where 'close is missing'
        quoin delete --all --yes

      Rows are removed immediately; only --all asks first. To see them, run 'quoin scan' with the same arguments. To have \
      them back, run 'quoin undo'.
      """)

  @OptionGroup var selection: RowSelection

  @Flag(help: "Remove everything.")
  var all = false

  @Flag(help: "Remove everything without a question.")
  var yes = false

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let rows = try selection.question()
    let predicate = rows.predicate
    let isSelective = predicate != nil || !selection.tickers.tickers.isEmpty
    if all, isSelective { throw UsageError("--all removes everything; leave out the tickers and conditions, or --all") }
    if !all, !isSelective {
      throw UsageError("say what to delete: tickers, --where, --from, --to, or --all for everything")
    }
    if yes, !all { throw UsageError("--yes belongs to --all; nothing else asks") }
    let store = try store.open()
    try store.requireTickers(rows.tickers ?? [])
    if all, !yes { try confirm(store) }
    let count = try delete(from: store, rows.tickers, predicate)
    try reportChange("the deletion from '\(store.path)'") {
      try report("Removed \(count.of("row")); \(store.summary.rowCount.grouped) left in '\(store.path)'.")
    }
    rows.showRemarks(on: store)
  }

  /// Asks on a terminal whether to remove everything.
  private func confirm(_ store: QuoteStore) throws {
    let rows = "\(store.summary.rowCount.of("row")) of \(store.tickers.count.of("ticker")) in '\(store.path)'"
    guard Terminal.canAsk else { throw UsageError("--all removes \(rows); add --yes if that is meant") }
    guard Terminal.ask("Remove all \(rows)?") else { throw UsageError("nothing was removed") }
  }

  private func delete(from store: QuoteStore, _ tickers: [TickerSymbol]?, _ predicate: Predicate?) throws -> Int {
    switch (tickers, predicate) {
    case (nil, nil): try store.deleteAll(patience: writing.patience)
    case (nil, let predicate?): try store.delete(where: predicate, patience: writing.patience)
    case (let tickers?, nil): try store.delete(tickers, patience: writing.patience)
    case (let tickers?, let predicate?): try store.delete(tickers, where: predicate, patience: writing.patience)
    }
  }
}
