extension QuoteStore {
  /// Stores quotes. A quote replaces the stored one of the same ticker and day. All of them are one commit.
  ///
  /// - Parameters:
  ///   - quotes: the quotes, in any order. Of two with the same ticker and day, the later one counts.
  ///   - source: their origin, for the record of the import.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ quotes: [DailyQuoteSummary], source: String = "Swift", patience: Duration = .zero
  ) throws -> UpsertCounts {
    var tickers: [TickerSymbol: QuoteColumns] = [:]
    for quote in quotes { tickers[quote.ticker, default: QuoteColumns()].append(quote) }
    return try upsert(tickers, source: source, patience: patience)
  }

  /// Stores columns of quotes, by ticker. All of them are one commit.
  ///
  /// - Parameter columns: rows in any order. Of two rows of the same day, the later one counts. Absent attributes are missing.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    _ columns: [TickerSymbol: QuoteColumns], source: String = "Swift", patience: Duration = .zero
  ) throws -> UpsertCounts {
    var remaining = columns.sorted { $0.key < $1.key }[...]
    return try upsert(source: source, patience: patience) { remaining.popFirst().map { ($0.key, $0.value) } }
  }

  /// Stores columns of quotes, chunk by chunk, however many there are. All of them are one commit.
  ///
  /// Memory stays bounded, because the rows of earlier chunks are encoded and written while later ones are asked for. Each
  /// chunk gets a record of its own among the imports.
  ///
  /// - Parameter nextChunk: the next rows of some ticker, in any order of days; nil at the end. Of two rows of the same
  ///   day, the later one counts. Absent attributes are missing.
  /// - Throws: `StoreError`, or the error of `nextChunk`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func upsert(
    source: String = "Swift", patience: Duration = .zero, _ nextChunk: () throws -> (TickerSymbol, QuoteColumns)?
  ) throws -> UpsertCounts {
    try write(patience: patience) { transaction in
      var counts = UpsertCounts()
      var request = WriteRequest()
      while let (ticker, columns) = try nextChunk() {
        let rows = columns.completed.sortedByDay
        guard let first = rows.days.first, let last = rows.days.last else { continue }
        counts += try transaction.upsert(ticker, rows)
        request.importRecords.append(
          ImportRecord(
            ticker: ticker, firstDay: first, lastDay: last, rowCount: rows.rowCount, source: source,
            importedAt: currentTimestamp(), generation: transaction.generation))
      }
      return (counts, request)
    }
  }

  /// Removes every quote of the store, together with the records of their imports, in one commit.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func deleteAll(patience: Duration = .zero) throws -> Int {
    try write(patience: patience) { transaction in
      (transaction.standing.reduce(0) { $0 + transaction.delete($1.ticker) }, WriteRequest())
    }
  }

  /// Removes every quote of a ticker, together with the records of its imports, in one commit.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(_ ticker: TickerSymbol, patience: Duration = .zero) throws -> Int {
    try delete([ticker], patience: patience)
  }

  /// Removes every quote of some tickers, together with the records of their imports, in one commit. An empty array removes
  /// nothing.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(_ tickers: [TickerSymbol], patience: Duration = .zero) throws -> Int {
    try write(patience: patience) { transaction in
      (tickers.reduce(0) { $0 + transaction.delete($1) }, WriteRequest())
    }
  }

  /// Removes the quotes of a ticker from one day to another, both included, in one commit. The records of imports stay.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ ticker: TickerSymbol, dates: ClosedRange<TradingDay>, patience: Duration = .zero
  ) throws -> Int {
    try delete([ticker], where: .date(dates.bounds), patience: patience)
  }

  /// Removes the quotes of some tickers that meet a condition, in one commit. An empty array removes nothing. The records of
  /// imports stay.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ tickers: [TickerSymbol], where predicate: Predicate, patience: Duration = .zero
  ) throws -> Int {
    try delete(patience) { QuoteQuery($0, tickers: tickers).where(predicate) }
  }

  /// Removes the quotes of the whole market that meet a condition, in one commit. The records of imports stay.
  ///
  /// - Parameter patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(where predicate: Predicate, patience: Duration = .zero) throws -> Int {
    try delete(patience) { QuoteQuery($0, tickers: nil).where(predicate) }
  }

  private func delete(_ patience: Duration, _ query: (Snapshot) -> QuoteQuery) throws -> Int {
    try write(patience: patience) { transaction in
      var count = 0
      for (ticker, days) in try query(transaction.base).matchingDays() {
        count += try transaction.delete(days, of: ticker)
      }
      return (count, WriteRequest())
    }
  }

  /// Rewrites all files, ticker by ticker, with full blocks and without deleted rows.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func compact(patience: Duration = .zero) throws {
    try write(patience: patience) { _ in ((), WriteRequest(isCompacting: true)) }
  }
}
