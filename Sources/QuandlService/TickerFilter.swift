import Quoin

/// The filters of a table by ticker.
struct TickerFilter {
  /// Codes of tickers. What passes is in each list.
  private var lists: [[String]] = []
  private var ranges: [Bounds<String>] = []

  /// Adds a comparison. A code by which the store finds no ticker selects nothing.
  mutating func add(_ comparison: TableComparison, _ values: [String]) {
    guard comparison == .equal else {
      ranges += values.map { comparison.bounds($0.uppercased()) }
      return
    }
    lists.append(values)
  }

  /// The tickers of the store that pass, ascending.
  func tickers(in store: QuoteStore) -> [TickerSymbol] {
    var listed: Set<TickerSymbol>?
    for codes in lists {
      let tickers = Set(codes.compactMap(store.ticker(forCode:)))
      listed = listed?.intersection(tickers) ?? tickers
    }
    let tickers = listed?.sorted() ?? store.tickers
    guard !ranges.isEmpty else { return tickers }
    return tickers.filter { ticker in
      let name = ticker.description
      return ranges.allSatisfy { $0.contains(name) }
    }
  }
}
