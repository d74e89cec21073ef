import Quoin

/// The filters of a table by ticker.
struct TickerFilter {
  /// The listed tickers; nil if all pass.
  private var listed: Set<TickerSymbol>?
  private var ranges: [Bounds<String>] = []

  /// Adds a comparison. A name that no ticker of the store has, or that no ticker can have, selects nothing.
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
