/// Rows of the market, ticker by ticker.
struct MarketRows: Sendable {
  /// They rise within a ticker.
  let days: ColumnMemory<TradingDay>
  /// The rows of each ticker.
  let tickers: [TickerSymbol: Range<Int>]
  /// Counts the memory of the days.
  let held: HeldMemory?
}

/// The ranks of quotes among those of their day, for some neighboring days.
struct RankedDays: Sendable {
  let rank: DayRank
  let rows: MarketRows
  /// Twice the rank of each row; 0 where it is missing.
  let doubled: ColumnMemory<UInt32>
  /// The days that have ranks, and how many values the days before each of them have, and all of them.
  let rankedDays: [TradingDay]
  let starts: [Int]
  /// Counts the memory of the ranks.
  let held: HeldMemory?

  /// Sets the results of a ticker on some days, which rise.
  func fill(_ results: inout MutableSpan<Double>, of ticker: TickerSymbol, on wanted: ColumnMemory<TradingDay>) {
    let days = self.rows.days
    guard let rows = self.rows.tickers[ticker], !rows.isEmpty else { return }
    var row = (0..<wanted.count).partitioningIndex { wanted[$0] >= days[rows.lowerBound] }
    guard row < wanted.count else { return }
    var place = rows.partitioningIndex { days[$0] >= wanted[row] }
    var ranked = rank == .share && place < rows.upperBound ? rankedDays.partitioningIndex { $0 >= days[place] } : 0
    while row < wanted.count, place < rows.upperBound {
      if days[place] < wanted[row] {
        place += 1
        continue
      }
      if days[place] == wanted[row], doubled[place] > 0 {
        var value = Double(doubled[place]) / 2
        if rank == .share {
          while rankedDays[ranked] < wanted[row] { ranked += 1 }
          value /= Double(starts[ranked + 1] - starts[ranked])
        }
        results[row] = value
      }
      row += 1
    }
  }
}
