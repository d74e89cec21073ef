import ArgumentParser
import Console
import Quoin

struct TickersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tickers",
    abstract: "List the tickers, each with its rows, first and last day, and bytes.",
    discussion: """
      Examples:
        quoin tickers
        quoin tickers --format json --store prices
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let format = try output.outputFormat()
    var table = RecordTable([
      .text("ticker"), .number("rows"), .text("first_day"), .text("last_day"), .number("bytes"),
    ])
    table.rows = try store.open().tickerSummaries().map {
      ["\($0.ticker)", "\($0.rowCount)", "\($0.firstDay)", "\($0.lastDay)", "\($0.byteCount)"]
    }
    try output.withOutput { try table.write(format, styled: output.isStyled, to: $0) }
  }
}
