/// What an import needs from a store.
protocol QuoteSink {
  /// Takes rows whose days rise strictly, and returns how many were new, replaced and unchanged.
  mutating func upsert(_ ticker: TickerSymbol, _ columns: QuoteColumns) throws(StoreError) -> UpsertCounts

  /// The ticker's current rows from `first` to `last`, including those of this import's earlier upserts.
  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) throws(StoreError) -> QuoteColumns
}
