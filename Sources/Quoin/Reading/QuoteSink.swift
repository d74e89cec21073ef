/// What an import needs of a store: the seam that keeps this room free of `Storage`.
protocol QuoteSink {
  /// Takes rows whose days rise strictly, and says how many were new, replaced and unchanged.
  mutating func upsert(_ ticker: TickerSymbol, _ columns: QuoteColumns) throws -> UpsertCounts

  /// The ticker's rows from `first` to `last` as they are now, those of this import's earlier upserts included.
  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) throws -> QuoteColumns
}
