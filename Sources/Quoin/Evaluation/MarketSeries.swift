/// What a market value is, day by day: the same for all tickers, or for each ticker by itself.
final class MarketSeries: Sendable {
  private let days: ColumnMemory<TradingDay>
  private let values: ColumnMemory<Double>
  /// The rows of each ticker, if they have rows of their own.
  private let rows: [TickerSymbol: Range<Int>]?

  /// - Parameter days: in rising order, or in that of each ticker in `rows`.
  init(_ days: ColumnMemory<TradingDay>, _ values: ColumnMemory<Double>, _ rows: [TickerSymbol: Range<Int>]? = nil) {
    precondition(days.count == values.count)
    (self.days, self.values, self.rows) = (days, values, rows)
  }

  /// The values on some days of a ticker, which rise; missing on those that have none.
  func column(of ticker: TickerSymbol?, on wanted: ColumnMemory<TradingDay>) -> ColumnMemory<Double> {
    let rows = rows.map { rows in ticker.flatMap { rows[$0] } ?? 0..<0 } ?? 0..<days.count
    var place = wanted.count == 0 ? rows.upperBound : rows.partitioningIndex { days[$0] >= wanted[0] }
    return ColumnMemory(count: wanted.count) { row in
      let day = wanted[row]
      while place < rows.upperBound, days[place] < day { place += 1 }
      return place < rows.upperBound && days[place] == day ? values[place] : .missing
    }
  }
}
