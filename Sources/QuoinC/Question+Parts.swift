import Quoin

extension Question {
  /// The question's tickers, and where each of `count` parts of about equal numbers of rows ends among them.
  func parts(
    _ count: Int, of snapshot: QuoteStore
  ) throws(Failure) -> (tickers: [TickerSymbol], ends: [Int]) {
    var known: Set<TickerSymbol> = []
    let wanted = (tickers ?? snapshot.tickers).filter { known.insert($0).inserted }
    let summaries: [TickerSummary]
    do throws(StoreError) { summaries = try snapshot.tickerSummaries(of: wanted) } catch { throw Failure(error) }
    let rowCounts = summaries.map { Double($0.rowCount) }
    let total = rowCounts.reduce(0, +)
    var (ends, rowCount) = (Array(repeating: 0, count: count), 0.0)
    for (place, rows) in rowCounts.enumerated() {
      // A ticker is in the part in which its middle row would be.
      let part = min(count - 1, Int((rowCount + rows / 2) / max(1, total) * Double(count)))
      ends[part] = place + 1
      rowCount += rows
    }
    for part in 1..<max(1, count) { ends[part] = max(ends[part], ends[part - 1]) }
    return (summaries.map(\.ticker), ends)
  }
}
