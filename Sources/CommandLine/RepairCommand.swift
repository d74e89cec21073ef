import ArgumentParser
import Console
import Quoin

struct RepairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Save the undamaged part of a store into a new store, and list what is lost.",
    discussion: """
      The damaged store is only read. For a damaged block, the cells of its rows are missing from one column of the new
      store; for a damaged block of days, the rows are lost. Without an intact MANIFEST, the newest rows of all column files
      are saved: deleted rows may come back, and tickers that were renamed have their old names.

      The list names what is lost: 'rows', the column of the lost cells, 'imports' for the records of imports, or
      'manifest'.

      Exit status: 0 everything was saved; 1 something is lost; 2 there is no new store; 3 there is one, and what is lost
      could not be listed.

      Examples:
        quoin repair --into saved-store
        quoin repair --store old-store --into saved-store --format json --output lost.json
      """)

  @Option(help: ArgumentHelp("The directory of the new store.", valueName: "dir"), completion: .directory)
  var into: String

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    StoreOptions.warn(of: into)
    let format = try output.outputFormat()
    let progress = Progress("saving", in: .rows)
    let result = try QuoteStore.repair(store.path, into: into) { progress.update($0) }
    progress.erase()
    let table = RecordTable(result.losses)
    try reportChange("the repair into '\(into)'") {
      try output.withOutput { try table.write(format, styled: output.isStyled, to: $0) }
    }
    guard result.rowCount > 0 || result.losses.isEmpty else {
      throw DataError("nothing of '\(store.path)' could be saved")
    }
    StandardStreams.complain(
      "saved \(result.rowCount.of("row")) of \(result.tickerCount.of("ticker")) from '\(store.path)' into '\(into)'; "
        + (result.losses.isEmpty ? "nothing is lost" : "what is lost is listed"))
    if !result.losses.isEmpty { throw ExitCode.losses }
  }
}

extension RecordTable {
  /// A row for each loss.
  init(_ losses: [RepairLoss]) {
    self.init([
      .text("ticker"), .text("first_day"), .text("last_day"), .number("rows"), .text("lost"), .text("file"),
      .number("offset"), .text("reason"),
    ])
    rows = losses.map { loss in
      [
        loss.ticker.map { "\($0)" }, loss.days.map { "\($0.lowerBound)" }, loss.days.map { "\($0.upperBound)" },
        loss.rowCount.map { "\($0)" }, "\(loss.part)", loss.path, "\(loss.offset)", loss.reason,
      ]
    }
  }
}
