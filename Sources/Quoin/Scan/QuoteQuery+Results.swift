extension QuoteQuery {
  /// The selected quotes.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func fetch() throws(StoreError) -> [DailyQuoteSummary] {
    var quotes: [DailyQuoteSummary] = []
    for batch in batches() { quotes += try batch.get().quotes }
    return quotes
  }

  /// The selected quotes as columns.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func fetchColumns() throws(StoreError) -> QuoteBatch {
    var scan = Scan(self, rowsPerBatch: .max)
    return try scan.nextBatch() ?? QuoteBatch(attributes: attributes)
  }

  /// The number of selected quotes. Reads only the columns that the predicate needs.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func count() throws(StoreError) -> Int {
    var scan = Scan(self)
    return try scan.count()
  }

  /// The selected quotes as batches of columns: a lazy sequence that reads while it is iterated.
  ///
  /// - Parameter rowsPerBatch: the number of rows after which a batch is complete; it may have up to a block more.
  public func batches(rowsPerBatch: Int = 8192) -> QuoteBatches {
    QuoteBatches(query: self, rowsPerBatch: max(1, rowsPerBatch))
  }

  /// The tickers of the selected quotes, each with the quotes' days, which rise.
  func matchingDays() throws(StoreError) -> [(ticker: TickerSymbol, days: [TradingDay])] {
    var matches: [(ticker: TickerSymbol, days: [TradingDay])] = []
    for batch in selecting([]).batches() {
      let batch = try batch.get()
      var start = 0
      for (ticker, count) in batch.tickers.runs {
        if matches.last?.ticker != ticker { matches.append((ticker, [])) }
        matches[matches.count - 1].days += batch.columns.dayValues[start..<(start + count)]
        start += count
      }
    }
    return matches
  }

  /// Runs the query, discards its rows, and reports what was done to find them.
  public func explain() throws(StoreError) -> ScanReport {
    var scan = Scan(self)
    while try scan.nextBatch() != nil {}
    return scan.report
  }
}

/// The results of a query as columns, read while the sequence is iterated. The sequence ends after a failure.
public struct QuoteBatches: Sequence, Sendable {
  let query: QuoteQuery
  let rowsPerBatch: Int

  /// An iterator that runs the query from the start.
  public func makeIterator() -> Iterator { Iterator(scan: Scan(query, rowsPerBatch: rowsPerBatch)) }

  /// Runs the query as batches are asked for.
  public struct Iterator: IteratorProtocol {
    var scan: Scan

    /// The next batch, which has at least one row; nil after the last batch or after a failure.
    ///
    /// A damaged block is a failure with a `StoreError`, and the last element.
    public mutating func next() -> Result<QuoteBatch, StoreError>? {
      do throws(StoreError) {
        return try scan.nextBatch().map { .success($0) }
      } catch {
        scan.stop()
        return .failure(error)
      }
    }
  }
}
