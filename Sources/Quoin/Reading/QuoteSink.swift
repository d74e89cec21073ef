/// What an import needs from a store.
protocol QuoteSink {
  /// Takes rows whose days rise strictly, and returns how many were new, changed and unchanged.
  ///
  /// - Parameters:
  ///   - columns: the rows, with all attributes.
  ///   - mode: what happens to stored rows of the same days.
  ///   - present: the attributes that the rows have in their file.
  mutating func upsert(
    _ ticker: TickerSymbol, _ columns: QuoteColumns, _ mode: UpsertMode, present: AttributeSet
  ) throws(StoreError) -> UpsertCounts

  /// The ticker's current rows from `first` to `last`, including those of this import's earlier upserts.
  func stored(_ ticker: TickerSymbol, from first: TradingDay, to last: TradingDay) throws(StoreError) -> QuoteColumns
}
