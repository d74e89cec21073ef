extension DailyQuoteSummary: Identifiable {
  /// What tells a quote from all others of a store: its ticker and its day.
  public struct ID: Hashable, Sendable {
    /// The stock.
    public let ticker: TickerSymbol
    /// The trading day.
    public let date: TradingDay

    /// The identity of the quote of this ticker on this day.
    public init(ticker: TickerSymbol, date: TradingDay) {
      self.ticker = ticker
      self.date = date
    }
  }

  /// The ticker and the day.
  public var id: ID { ID(ticker: ticker, date: date) }
}
