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
  @OptionGroup var store: ReadingOptions

  func run() throws {
    let format = try output.outputFormat()
    var table = RecordTable(TickerSummary.headings)
    table.rows = try store.open().tickerSummaries().map(\.cells)
    try output.withOutput { try table.write(format, styled: output.isStyled, to: $0) }
  }
}
