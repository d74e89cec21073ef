import ArgumentParser
import Charts
import Console
import Quoin

struct ChartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart",
    abstract: "Draw quotes: on the terminal, or as a picture.",
    discussion: """
      One ticker is drawn as candles with the volume below: hollow where a day closed above its open, filled where it closed below. \
      Several tickers are lines that begin at 100. On a terminal the chart is made of characters; elsewhere, and with --output, it is \
      a picture. Where there are more rows than a screen has columns, bars are merged and keep their extremes.

      Examples:
        quoin chart FDX
        quoin chart FDX --from 2005-01-01 --overlay 'mean(close, 20)' --overlay 'mean(close, 50)' --panel 'rsi(close, 14)'
        quoin chart FDX --band 'mean(close, 20) - 2 * std(close, 20), mean(close, 20) + 2 * std(close, 20)'
        quoin chart AAPL --adjusted --log --by week --split-marks --dividend-marks
        quoin chart FDX --mark 'close / prev(close) < 0.95' --output fdx.svg
        quoin chart AAPL KO GE --from 2017-01-01 --output tickers.png
        quoin chart KO --kind histogram --of 'change(close)'
        quoin chart AAPL KO --kind scatter

      Expressions are those of 'quoin scan'. Windows see the rows before --from too.
      """)

  @Argument(help: ArgumentHelp("Tickers, such as FDX or BRK.A, as their source spells them.", valueName: "ticker"))
  var tickers: [String]

  @OptionGroup var content: ChartContentOptions
  @OptionGroup var conditions: RowConditions
  @OptionGroup var device: ChartDeviceOptions
  @OptionGroup var store: ReadingOptions

  func run() throws {
    var symbols: [TickerSymbol] = []
    let named = try TickerArguments.symbols(of: tickers)
    for symbol in named where !symbols.contains(symbol) { symbols.append(symbol) }
    let rows = try conditions.question(of: symbols, barsBy: content.by)
    var question = try content.question(of: symbols, rows.definitions)
    question.condition = rows.predicate
    let target = try device.target()
    let store = try self.store.open()
    try store.requireTickers(symbols)
    try target.write(try store.naming { try store.viewing(rows) { try question.chart(of: $0) } })
    rows.showRemarks(on: store)
  }
}
