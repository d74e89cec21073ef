// The verbs that change whole tickers, each in both forms.

extension QuoteStore {
  /// Gives a ticker another name, in one commit. Its quotes stay as they are, bit for bit, and the records of its imports
  /// follow, with the number of this commit.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name, of which there must be no quotes.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: `noQuotes` if `old` has no quotes, `tickerTaken` if `new` has some. Unless it is `commitUnknown`,
  ///   nothing has changed.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, patience: Duration = .zero
  ) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      try handle.rename(old, to: new)
    }
  }

  /// Gives a ticker another name, in one commit. Its quotes stay as they are, bit for bit, and the records of its imports
  /// follow, with the number of this commit.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - old: the ticker.
  ///   - new: its new name, of which there must be no quotes.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: `noQuotes` if `old` has no quotes, `tickerTaken` if `new` has some. Unless it is `commitUnknown`,
  ///   nothing has changed.
  public func rename(
    _ old: TickerSymbol, to new: TickerSymbol, patience: Duration = .zero
  ) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      try handle.rename(old, to: new)
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
  ///   - isReplacing: whether adjusted values that are there are replaced.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: the rows that got other values, and those that had them already.
  /// - Throws: `StoreError`: `alreadyAdjusted` if a ticker has adjusted values that aren't to be replaced. Unless it is
  ///   `commitUnknown`, nothing has changed.
  @discardableResult
  public func adjust(
    _ tickers: [TickerSymbol], replacing isReplacing: Bool = false, patience: Duration = .zero,
    progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> UpsertCounts {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      return try handle.adjust(tickers, replacing: isReplacing, progress: progress)
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
  ///   - isReplacing: whether adjusted values that are there are replaced.
  ///   - patience: how long to wait while another writer is at work.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Returns: the rows that got other values, and those that had them already.
  /// - Throws: `StoreError`: `alreadyAdjusted` if a ticker has adjusted values that aren't to be replaced. Unless it is
  ///   `commitUnknown`, nothing has changed.
  @discardableResult
  public func adjust(
    _ tickers: [TickerSymbol], replacing isReplacing: Bool = false, patience: Duration = .zero,
    progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> UpsertCounts {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      let handle = StoreTransaction(transaction)
      return try handle.adjust(tickers, replacing: isReplacing, progress: progress)
    }
  }
}
