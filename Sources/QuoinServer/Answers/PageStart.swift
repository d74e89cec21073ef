import Quoin

/// The last row of a page, after which the next page begins: `FDX,2005-10-14`. It is what the client has seen, so paging needs no
/// state, and rows that are added or removed meanwhile neither repeat nor hide others.
struct PageStart {
  private let ticker: TickerSymbol
  private let day: TradingDay

  init(_ text: String) throws(Refusal) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, let ticker = try? TickerSymbol(parts[0]), let day = TradingDay(parts[1]) else {
      throw .wrongParameter("after=\(text.prefix(60)) isn't a row; write its ticker and day: FDX,2005-10-14")
    }
    (self.ticker, self.day) = (ticker, day)
  }

  /// The tickers from this row's on.
  ///
  /// - Parameter tickers: those of the answer, in its order; ascending if they were not named.
  func rest(of tickers: [TickerSymbol], areNamed: Bool) throws(Refusal) -> [TickerSymbol] {
    guard areNamed else { return tickers.filter { $0 >= ticker } }
    guard let index = tickers.firstIndex(of: ticker) else {
      throw .wrongParameter("after=\(ticker),\(day): \(ticker) isn't one of the tickers that are asked for")
    }
    return Array(tickers[index...])
  }

  /// The rows of these tickers that come after this one.
  func predicate(_ order: DateOrder) -> Predicate {
    let later = order == .ascending ? Bounds(lower: .exclusive(day)) : Bounds(upper: .exclusive(day))
    return !.ticker(in: [ticker]) || .date(later)
  }
}
