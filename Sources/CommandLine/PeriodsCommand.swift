import ArgumentParser
import Console
import Quoin

struct PeriodsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "periods",
    abstract: "List the imports: the ticker, its days, their origin and the time.",
    discussion: """
      Examples:
        quoin periods
        quoin periods FDX --format json
      """)

  @Argument(help: "List only the imports of this ticker.")
  var ticker: String?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: ReadingOptions

  func run() throws {
    let format = try output.outputFormat()
    let symbol = try ticker.map { try TickerSymbol($0) }
    let store = try store.open()
    if let symbol { try store.requireTickers([symbol]) }
    let table = RecordTable(try symbol.map { try store.importRecords(of: $0) } ?? store.importRecords())
    try output.withOutput { try table.write(format, styled: output.isStyled, to: $0) }
  }
}

extension RecordTable {
  /// A row for each import.
  init(_ records: [ImportRecord]) {
    self.init([
      .text("ticker"), .text("first_day"), .text("last_day"), .number("rows"), .text("imported_at"),
      .number("generation"), .text("source"),
    ])
    rows = records.map {
      [
        "\($0.ticker)", "\($0.firstDay)", "\($0.lastDay)", "\($0.rowCount)", "\($0.importedAt)", "\($0.generation)",
        $0.source,
      ]
    }
  }
}
