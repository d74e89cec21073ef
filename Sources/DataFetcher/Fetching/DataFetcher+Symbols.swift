import Quoin

extension DataFetcher {
  /// The quotes of all tickers whose symbols begin so, end so and contain this. Case doesn't matter, and nil asks for nothing.
  public func getStockQuotesForTickerSymbolThat(
    beginsWith: String?, endsWith: String?, contains: String?
  ) -> [DailyQuoteSummary]? {
    answer { store in
      let tickers = store.tickers.filter { ticker in
        ticker.rawValue.hasPrefix(beginsWith?.uppercased() ?? "")
          && ticker.rawValue.hasSuffix(endsWith?.uppercased() ?? "")
          && (contains.map { $0.isEmpty || ticker.rawValue.contains($0.uppercased()) } ?? true)
      }
      return try store.quotes(for: tickers).fetch()
    }
  }

  /// Whether the store has a quote of one of the tutorials' companies; false, too, if the store can't be read.
  public func performTickerSymbolValidationFetch() -> Bool {
    result { try !$0.quotes(for: TickerSymbol.tutorialCompanies).isEmpty() } ?? false
  }
}
