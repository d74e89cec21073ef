// The verbs of writing. Each is a transaction with one change.

extension QuoteStore {
  /// Stores quotes in one commit. A quote has all attributes, so it replaces the stored one of the same ticker and
  /// day, unless the mode is `keep`.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - quotes: the quotes, in any order. Of two with the same ticker and day, the later one counts.
  ///   - source: their origin, for the records of imports.
  ///   - mode: what happens to the rows of days that the store has.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ quotes: some Sequence<DailyQuoteSummary>, source: String = "Swift", mode: UpsertMode = .update,
    patience: Duration = .zero
  ) throws(StoreError) -> UpsertCounts {
    try upsert(QuoteColumns.byTicker(quotes), source: source, mode: mode, patience: patience)
  }

  /// Stores columns of quotes, by ticker, in one commit.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - columns: rows in any order. Of two rows of the same day, the later one counts. Absent attributes keep their stored
  ///     values, unless the mode is `replace`.
  ///   - source: their origin, for the records of imports.
  ///   - mode: what happens to the rows of days that the store has.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ columns: [TickerSymbol: QuoteColumns], source: String = "Swift", mode: UpsertMode = .update,
    patience: Duration = .zero
  ) throws(StoreError) -> UpsertCounts {
    try committing(patience) { (transaction) throws(StoreError) in
      try transaction.upsert(columns, source: source, mode: mode)
    }
  }

  /// Stores rows of one or many tickers in one commit. Of two rows of the same ticker and day, the later one counts.
  /// Attributes that the batch doesn't have keep their stored values, unless the mode is `replace`.
  ///
  /// Blocks the calling thread.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ batch: QuoteBatch, source: String = "Swift", mode: UpsertMode = .update,
    patience: Duration = .zero
  ) throws(StoreError) -> UpsertCounts {
    try committing(patience) { (transaction) throws(StoreError) in
      try transaction.upsert(batch, source: source, mode: mode)
    }
  }

  /// Removes every quote of the store, together with the records of their imports, in one commit.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func deleteAll(patience: Duration = .zero) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.deleteAll() }
  }

  /// Removes every quote of a ticker, together with the records of its imports, in one commit.
  ///
  /// Blocks the calling thread.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(_ ticker: TickerSymbol, patience: Duration = .zero) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.delete(ticker) }
  }

  /// Removes every quote of some tickers, together with the records of their imports, in one commit. An empty array removes
  /// nothing.
  ///
  /// Blocks the calling thread.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(_ tickers: [TickerSymbol], patience: Duration = .zero) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.delete(tickers) }
  }

  /// Removes the quotes of a ticker from one day to another, both included, in one commit. The records of imports stay.
  ///
  /// Blocks the calling thread.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ ticker: TickerSymbol, dates: ClosedRange<TradingDay>, patience: Duration = .zero
  ) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.delete(ticker, dates: dates) }
  }

  /// Removes the quotes of some tickers that meet a condition, in one commit. An empty array removes nothing. The records of
  /// imports stay.
  ///
  /// Blocks the calling thread.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ tickers: [TickerSymbol], where predicate: Predicate, patience: Duration = .zero
  ) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.delete(tickers, where: predicate) }
  }

  /// Removes the quotes of the whole market that meet a condition, in one commit. The records of imports stay.
  ///
  /// Blocks the calling thread.
  ///
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(where predicate: Predicate, patience: Duration = .zero) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.delete(where: predicate) }
  }

  /// Changes the quotes of some tickers that meet a condition, in one commit. An empty array changes nothing.
  ///
  /// Blocks the calling thread.
  ///
  ///     try store.update(["FDX"], where: .range(.close, ...0.0)) { $0.close = nil }
  ///
  /// - Parameters:
  ///   - tickers: the stocks.
  ///   - predicate: which of their quotes.
  ///   - patience: how long to wait while another writer is at work.
  ///   - change: gives a quote other values. Its ticker and its day have to stay.
  /// - Returns: the number of quotes that met the condition, whether or not `change` made them different.
  /// - Throws: `StoreError`: `keyChanged` if a quote got another ticker or day. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func update(
    _ tickers: [TickerSymbol], where predicate: Predicate, patience: Duration = .zero,
    _ change: (inout DailyQuoteSummary) -> Void
  ) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in
      try transaction.update(tickers, where: predicate, change)
    }
  }

  /// Changes the quotes of the whole market that meet a condition, in one commit.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - predicate: which quotes.
  ///   - patience: how long to wait while another writer is at work.
  ///   - change: gives a quote other values. Its ticker and its day have to stay.
  /// - Returns: the number of quotes that met the condition, whether or not `change` made them different.
  /// - Throws: `StoreError`: `keyChanged` if a quote got another ticker or day. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func update(
    where predicate: Predicate, patience: Duration = .zero,
    _ change: (inout DailyQuoteSummary) -> Void
  ) throws(StoreError) -> Int {
    try committing(patience) { (transaction) throws(StoreError) in try transaction.update(where: predicate, change) }
  }

  /// Rewrites all files, ticker by ticker, with full blocks and without deleted rows. All blocks are packed anew.
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - packing: how blocks are packed, in later commits too; nil for how the store packs them now.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func compact(packing: BlockPacking? = nil, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in try transaction.compact(packing) }
  }

  private func committing<Value>(
    _ patience: Duration, _ body: (borrowing StoreTransaction) throws(StoreError) -> Value
  ) throws(StoreError) -> Value {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      // Handed over without a name, it makes the optimizer of Swift 6.3.1 fail.
      let handle = StoreTransaction(transaction)
      return try body(handle)
    }
  }
}
