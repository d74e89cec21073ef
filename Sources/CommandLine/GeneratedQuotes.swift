import Console
import Quoin
import QuoteGenerator

/// Made-up quotes, ticker by ticker.
struct GeneratedQuotes {
  /// The words for the record of the import.
  let description: String
  let tickers: [TickerSymbol]
  let rowCount: Int
  let progress = Progress("generating", in: .rows)

  var tickerCount: Int { tickers.count }

  // A second thread that generates a few tickers ahead was tried: 15.4 million rows into a store took 13.9 s as before,
  // as encoding is what takes the time, and as CSV 4.6 s instead of 6.7.
  private let quotes: (Int) -> (TickerSymbol, QuoteColumns)
  private var index = 0
  private var rowsDone = 0

  init(_ command: GenerateCommand) throws {
    let seed = command.seed
    if let ticker = command.ticker {
      let symbol = try TickerSymbol(ticker)
      let history = QuoteGenerator.history(of: symbol, days: command.days ?? 250, endingOn: .today, seed: seed)
      (tickers, rowCount) = ([symbol], history.rowCount)
      description = "quoin generate --ticker \(symbol) --days \(history.rowCount) --seed \(seed)"
      quotes = { _ in (symbol, history) }
    } else {
      let tickerCount = command.tickers ?? 10
      rowCount = command.rows ?? tickerCount.multipliedReportingOverflow(by: 1000).partialValue
      let generator = try QuoteGenerator(tickerCount: tickerCount, rowCount: rowCount, seed: seed)
      tickers = generator.tickers
      description = "quoin generate --tickers \(tickerCount) --rows \(rowCount) --seed \(seed)"
      quotes = { (generator.tickers[$0], generator.quotes(at: $0)) }
    }
  }

  /// The next ticker's quotes; nil at the end.
  mutating func next() -> (TickerSymbol, QuoteColumns)? {
    progress.update(rowsDone, of: rowCount)
    guard index < tickerCount else { return nil }
    let (ticker, columns) = quotes(index)
    index += 1
    rowsDone += columns.rowCount
    return (ticker, columns)
  }
}
