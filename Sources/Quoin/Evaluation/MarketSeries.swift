/// What a market value is, day by day: the same for all tickers, or for each ticker by itself.
final class MarketSeries: Sendable {
  private let days: ColumnMemory<TradingDay>
  private let values: ColumnMemory<Double>
  /// The rows of each ticker, if they have rows of their own.
  private let rows: [TickerSymbol: Range<Int>]?
  /// How many days old a value may be.
  private let ageMax: Int

  /// - Parameter days: in rising order, or in that of each ticker in `rows`.
  init(
    _ days: ColumnMemory<TradingDay>, _ values: ColumnMemory<Double>, _ rows: [TickerSymbol: Range<Int>]? = nil,
    within ageMax: Int = 0
  ) {
    precondition(days.count == values.count)
    (self.days, self.values, self.rows, self.ageMax) = (days, values, rows, ageMax)
  }

  /// The newest values on some days of a ticker, which rise; missing on those for which there is none, or only an older one.
  func column(of ticker: TickerSymbol?, on wanted: ColumnMemory<TradingDay>) -> ColumnMemory<Double> {
    let rows = rows.map { rows in ticker.flatMap { rows[$0] } ?? 0..<0 } ?? 0..<days.count
    var end = wanted.count == 0 ? rows.lowerBound : rows.partitioningIndex { days[$0] > wanted[0] }
    return ColumnMemory(count: wanted.count) { row in
      let day = wanted[row]
      while end < rows.upperBound, days[end] <= day { end += 1 }
      guard end > rows.lowerBound else { return .missing }
      let age = Int(day.daysSince1970) - Int(days[end - 1].daysSince1970)
      return age <= ageMax ? values[end - 1] : .missing
    }
  }
}
