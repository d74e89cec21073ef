import Quoin

/// Which tickers a table is filtered by.
struct TickerFilter {
  /// The tickers that are listed; nil when all are wanted.
  private var listed: Set<TickerSymbol>?
  private var ranges: [Bounds<String>] = []

  /// Keeps the tickers that pass. A name that no ticker can have passes none, as does one that the store doesn't have.
  mutating func add(_ comparison: TableComparison, _ values: [String]) {
    guard comparison == .equal else {
      ranges += values.map { comparison.bounds($0.uppercased()) }
      return
    }
    let tickers = Set(values.compactMap { try? TickerSymbol($0) })
    listed = listed?.intersection(tickers) ?? tickers
  }

  /// The tickers of the store that pass, ascending.
  func tickers(in store: QuoteStore) -> [TickerSymbol] {
    let tickers = listed?.sorted() ?? store.tickers
    guard !ranges.isEmpty else { return tickers }
    return tickers.filter { ticker in
      let name = ticker.description
      return ranges.allSatisfy { $0.contains(name) }
    }
  }
}
