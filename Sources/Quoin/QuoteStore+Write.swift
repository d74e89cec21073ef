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

  /// Removes quotes. All of them are one commit.
  ///
  /// - Parameters:
  ///   - tickers: the tickers of the quotes; nil for all tickers.
  ///   - predicate: which quotes of these tickers; nil for all of them, together with the records of their imports.
  ///   - patience: how long to wait while another writer is at work.
  /// - Returns: the number of quotes that were removed.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(
    _ tickers: [TickerSymbol]?, where predicate: Predicate? = nil, patience: Duration = .zero
  ) throws -> Int {
    try write(patience: patience) { transaction in
      guard let predicate else {
        let tickers = tickers ?? transaction.standing.map(\.ticker)
        return (tickers.reduce(0) { $0 + transaction.delete($1) }, WriteRequest())
      }
      let query = QuoteQuery(transaction.base, tickers: tickers).where(predicate)
      var count = 0
      for (ticker, days) in try query.matchingDays() { count += try transaction.delete(days, of: ticker) }
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
