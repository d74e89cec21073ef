// The verbs that change whole tickers, each in both forms.

extension QuoteStore {
  /// Gives a ticker, or its rows of some days, another name, in one commit. The quotes stay as they are, bit for bit, and the
  /// records of their imports follow, with the number of this commit. If the new name has quotes of other days, the two histories
  /// become one.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name.
  ///   - first: the first day whose quotes get the new name; nil for all days.
  ///   - last: the last day whose quotes get it; nil for all days. A record of an import that brought other days too stays, and a
  ///     copy of it follows.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: `noQuotes` or `noQuotesOfDays` if `old` has no such quotes, `dayTaken` if `new` has a quote of one of
  ///   these days. Unless it is `commitUnknown`, nothing has changed.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, from first: TradingDay? = nil, through last: TradingDay? = nil,
    patience: Duration = .zero
  ) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      try handle.rename(old, to: new, from: first, through: last)
    }
  }

  /// Gives a ticker, or its rows of some days, another name, in one commit. The quotes stay as they are, bit for bit, and the
  /// records of their imports follow, with the number of this commit. If the new name has quotes of other days, the two histories
  /// become one.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name.
  ///   - first: the first day whose quotes get the new name; nil for all days.
  ///   - last: the last day whose quotes get it; nil for all days. A record of an import that brought other days too stays, and a
  ///     copy of it follows.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: `noQuotes` or `noQuotesOfDays` if `old` has no such quotes, `dayTaken` if `new` has a quote of one of
  ///   these days. Unless it is `commitUnknown`, nothing has changed.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, from first: TradingDay? = nil, through last: TradingDay? = nil,
    patience: Duration = .zero
  ) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      try handle.rename(old, to: new, from: first, through: last)
    }
  }

  /// Takes the quotes of another store over, in one commit, with the records of their imports, which get the number of this
  /// commit. Memory holds the rows of one ticker at a time.
  ///
  /// A store doesn't know which columns its files had. So an attribute that is missing in all rows of a ticker there counts as
  /// absent, and keeps its values here, unless the mode is `replace`.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - other: the other store, or a snapshot of any store, as it is shown now.
  ///   - tickers: the stocks to take over; nil for all. Those that the other store doesn't have contribute nothing.
  ///   - mode: what happens to the rows of days that this store has.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: what its rows did here.
  /// - Throws: `StoreError`: `sameStore` if the other store is this one. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func merge(
    _ other: QuoteStore, tickers: [TickerSymbol]? = nil, mode: UpsertMode = .update, patience: Duration = .zero,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> UpsertCounts {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      return try handle.merge(other, tickers: tickers, mode: mode, progress: progress)
    }
  }

  /// Computes the adjusted columns of some tickers from their prices, volumes, dividends and splits, as
  /// `QuoteColumns.adjusted()` does, in one commit. The records of imports stay.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - tickers: the stocks. Those that the store doesn't have contribute nothing.
  ///   - isReplacing: whether adjusted values that are there are replaced, wherever they come from. Those that this function gave
  ///     to older rows are in any case, when later rows, dividends or splits have come.
  ///   - trustsSplits: whether a split counts although the prices don't show it.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: the rows that got other values, and those that had them already.
  /// - Throws: `StoreError`: `alreadyAdjusted` if a ticker has adjusted values that aren't to be replaced; `splitInPrices` if a
  ///   price doesn't move by its split (`AuditRule.split`), so that it would be divided twice. Unless it is `commitUnknown`,
  ///   nothing has changed.
  @discardableResult
  public func adjust(
    _ tickers: [TickerSymbol], replacing isReplacing: Bool = false, trustingSplits trustsSplits: Bool = false,
    patience: Duration = .zero,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> UpsertCounts {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      return try handle.adjust(
        tickers, replacing: isReplacing, trustingSplits: trustsSplits, progress: progress)
    }
  }

  /// Takes the quotes of another store over, in one commit, with the records of their imports, which get the number of this
  /// commit. Memory holds the rows of one ticker at a time.
  ///
  /// A store doesn't know which columns its files had. So an attribute that is missing in all rows of a ticker there counts as
  /// absent, and keeps its values here, unless the mode is `replace`.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - other: the other store, or a snapshot of any store, as it is shown now.
  ///   - tickers: the stocks to take over; nil for all. Those that the other store doesn't have contribute nothing.
  ///   - mode: what happens to the rows of days that this store has.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: what its rows did here.
  /// - Throws: `StoreError`: `sameStore` if the other store is this one. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func merge(
    _ other: QuoteStore, tickers: [TickerSymbol]? = nil, mode: UpsertMode = .update, patience: Duration = .zero,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> UpsertCounts {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      return try handle.merge(other, tickers: tickers, mode: mode, progress: progress)
    }
  }

  /// Computes the adjusted columns of some tickers from their prices, volumes, dividends and splits, as
  /// `QuoteColumns.adjusted()` does, in one commit. The records of imports stay.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - tickers: the stocks. Those that the store doesn't have contribute nothing.
  ///   - isReplacing: whether adjusted values that are there are replaced, wherever they come from. Those that this function gave
  ///     to older rows are in any case, when later rows, dividends or splits have come.
  ///   - trustsSplits: whether a split counts although the prices don't show it.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: the rows that got other values, and those that had them already.
  /// - Throws: `StoreError`: `alreadyAdjusted` if a ticker has adjusted values that aren't to be replaced; `splitInPrices` if a
  ///   price doesn't move by its split (`AuditRule.split`), so that it would be divided twice. Unless it is `commitUnknown`,
  ///   nothing has changed.
  @discardableResult
  public func adjust(
    _ tickers: [TickerSymbol], replacing isReplacing: Bool = false, trustingSplits trustsSplits: Bool = false,
    patience: Duration = .zero,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> UpsertCounts {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      return try handle.adjust(
        tickers, replacing: isReplacing, trustingSplits: trustsSplits, progress: progress)
    }
  }
}

extension QuoteStore {
  /// Whether a ticker's adjusted values follow from its prices, dividends and splits. Blocks the calling thread.
  package func adjustmentState(of ticker: TickerSymbol) throws(StoreError) -> AdjustmentState {
    try quotes(for: ticker).fetchColumns().columns.adjustmentState(of: ticker)
  }
}
