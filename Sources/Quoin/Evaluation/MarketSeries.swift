/// What a market value is, day by day: the same for all tickers, or for each ticker by itself.
final class MarketSeries: Sendable {
  private let content: Content

  private enum Content: Sendable {
    /// Values that may be so many days old; the days rise.
    case values(ColumnMemory<TradingDay>, ColumnMemory<Double>, ageMax: Int)
    /// Ranks of rising days.
    case ranks([RankedDays])
  }

  /// - Parameter days: in rising order.
  init(_ days: ColumnMemory<TradingDay>, _ values: ColumnMemory<Double>, within ageMax: Int = 0) {
    precondition(days.count == values.count)
    content = .values(days, values, ageMax: ageMax)
  }

  init(_ ranks: [RankedDays]) { content = .ranks(ranks) }

  /// The newest values on some days of a ticker, which rise; missing on those for which there is none, or only an older one.
  func column(of ticker: TickerSymbol?, on wanted: ColumnMemory<TradingDay>) -> ColumnMemory<Double> {
    switch content {
    case .ranks(let parts):
      return ColumnMemory(count: wanted.count) { results in
        for row in 0..<results.count { results[row] = .missing }
        guard let ticker else { return }
        for part in parts { part.fill(&results, of: ticker, on: wanted) }
      }
    case .values(let days, let values, let ageMax):
      var end = wanted.count == 0 ? 0 : (0..<days.count).partitioningIndex { days[$0] > wanted[0] }
      return ColumnMemory(count: wanted.count) { row in
        let day = wanted[row]
        while end < days.count, days[end] <= day { end += 1 }
        guard end > 0 else { return .missing }
        let age = Int(day.daysSince1970) - Int(days[end - 1].daysSince1970)
        return age <= ageMax ? values[end - 1] : .missing
      }
    }
  }
}
