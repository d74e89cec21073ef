// Views: stores in memory whose rows are made from this store's.

extension QuoteStore {
  /// The store as it was on a day: it has only the rows up to that day, and adjusted prices and volumes that are computed from
  /// the dividends and splits of these rows, by the recursion of Quandl's WIKI table (`QuoteColumns.adjusted()`). So nothing of
  /// it depends on what happened later.
  ///
  ///     let then = try store.asOf("2010-06-01", tickers: ["AAPL"])
  ///     let closes = try then.quotes(for: "AAPL").selecting(.adjustedClose).fetch()
  ///
  /// A question that looks ahead from a row (`next`) throws `StoreError.looksAhead`. The view lies in memory, never changes, and
  /// refuses to write. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - day: the last day that there is.
  ///   - tickers: the stocks of the view, of which alone questions can take values; nil for all. Those that have no rows by then
  ///     aren't in it.
  ///   - threads: how many threads compute, at most 256; nil for one for each processor, at most 8.
  ///   - trustsSplits: whether a split counts although the prices don't show it.
  ///   - progress: is called after each ticker with the number of rows so far and the number of all rows.
  /// - Throws: `StoreError`: `splitInPrices` if a price doesn't move by its split (`AuditRule.split`), so that it would be divided
  ///   twice; another when a block is damaged.
  public func asOf(
    _ day: TradingDay, tickers: [TickerSymbol]? = nil, threads: Int? = nil, trustingSplits trustsSplits: Bool = false,
    progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> QuoteStore {
    try view(.asOf(day, trustsSplits: trustsSplits), tickers, threads, progress)
  }

  /// Bars: one row for each ticker and period. Its open is the first one, its high the largest, its low the smallest, its close
  /// the last one; volumes and dividends are added up, split ratios multiplied, where one of 0 or less counts as 1; adjusted
  /// values are as those that they are computed from. Missing cells take no part, and sums are exact and rounded once.
  ///
  ///     let weeks = try store.resampled(by: .week, tickers: [.fedEx])
  ///     let rising = try weeks.allQuotes.where(.close > .prev(.high)).fetch()
  ///
  /// The view lies in memory, never changes, and refuses to write. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - period: how long bars are.
  ///   - label: which day a bar has.
  ///   - tickers: the stocks of the view, of which alone questions can take values; nil for all.
  ///   - threads: how many threads compute, at most 256; nil for one for each processor, at most 8.
  ///   - progress: is called after each ticker with the number of rows so far and the number of all rows.
  /// - Throws: `StoreError`: `volumeTooLarge` if the volumes of a bar add up to more than an int64 holds.
  public func resampled(
    by period: CalendarPeriod, label: BarLabel = .lastRow, tickers: [TickerSymbol]? = nil,
    threads: Int? = nil, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> QuoteStore {
    try view(.bars(by: period, label), tickers, threads, progress)
  }

  /// Of a ticker only the rows on days on which another one has rows too, so that windows have the rows of the join.
  ///
  /// - Throws: `StoreError`: `unknownTicker` for the other one.
  func joining(
    _ ticker: TickerSymbol, _ other: TickerSymbol, tickers: [TickerSymbol]?, threads: Int?,
    progress: (Int, Int) -> Void
  ) throws(StoreError) -> QuoteStore {
    if self.tickers.sortedIndex(of: other, by: { $0 }) == nil { throw .unknownTicker(other) }
    let days = try quotes(for: other).selecting([]).fetchColumns().columns.days
    return try view(.rows(of: ticker, on: Set(days)), tickers, threads, progress)
  }

  private func view(
    _ view: View, _ tickers: [TickerSymbol]?, _ threads: Int?, _ progress: (Int, Int) -> Void
  ) throws(StoreError) -> QuoteStore {
    let budget = budget()
    let shown = try budget.work { () throws(StoreError) in
      try view.snapshot(of: snapshot, tickers, in: path, threads: threads, within: budget, progress: progress)
    }
    return QuoteStore(showing: shown, of: self, isPinned: true)
  }
}

// The same in async functions.
extension QuoteStore {
  /// The store as it was on a day, as in synchronous functions, but no thread of Swift's tasks waits for it.
  ///
  /// - Parameters:
  ///   - day: the last day that there is.
  ///   - tickers: the stocks of the view, of which alone questions can take values; nil for all. Those that have no rows by then
  ///     aren't in it.
  ///   - threads: how many threads compute, at most 256; nil for one for each processor, at most 8.
  ///   - trustsSplits: whether a split counts although the prices don't show it.
  ///   - progress: is called on another thread, as in synchronous functions.
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func asOf(
    _ day: TradingDay, tickers: [TickerSymbol]? = nil, threads: Int? = nil, trustingSplits trustsSplits: Bool = false,
    progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> QuoteStore {
    try await view(.asOf(day, trustsSplits: trustsSplits), tickers, threads, progress)
  }

  /// Bars, as in synchronous functions, but no thread of Swift's tasks waits for them.
  ///
  /// - Parameters:
  ///   - period: how long bars are.
  ///   - label: which day a bar has.
  ///   - tickers: the stocks of the view, of which alone questions can take values; nil for all.
  ///   - threads: how many threads compute, at most 256; nil for one for each processor, at most 8.
  ///   - progress: is called on another thread, as in synchronous functions.
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func resampled(
    by period: CalendarPeriod, label: BarLabel = .lastRow, tickers: [TickerSymbol]? = nil,
    threads: Int? = nil, progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }
  ) async throws(StoreError) -> QuoteStore {
    try await view(.bars(by: period, label), tickers, threads, progress)
  }

  private func view(
    _ view: View, _ tickers: [TickerSymbol]?, _ threads: Int?, _ progress: @escaping @Sendable (Int, Int) -> Void
  ) async throws(StoreError) -> QuoteStore {
    let (base, path) = (snapshot, path)
    let shown = try await onBlockingThread(whenCancelled: StoreError.cancelled) { cancellation throws(StoreError) in
      let budget = self.budget(stoppedBy: cancellation)
      return try budget.work { () throws(StoreError) in
        try view.snapshot(of: base, tickers, in: path, threads: threads, within: budget, progress: progress)
      }
    }
    return QuoteStore(showing: shown, of: self, isPinned: true)
  }
}
