// The results of a query in async functions. The query runs on a thread of Quoin's own (`ThreadPool.readers`), so no thread
// of Swift's tasks waits for it. When the task is cancelled, the query stops before its next chunk of blocks, and the call
// throws `StoreError.cancelled`.

extension QuoteQuery {
  /// The selected quotes. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func fetch() async throws(StoreError) -> [DailyQuoteSummary] {
    try await onReader { query throws(StoreError) in try query.fetch() }
  }

  /// The selected quotes as columns. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func fetchColumns() async throws(StoreError) -> QuoteBatch {
    try await onReader { query throws(StoreError) in try query.fetchColumns() }
  }

  /// The first selected quote in the query's order; nil if there is none. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func fetchOne() async throws(StoreError) -> DailyQuoteSummary? {
    try await onReader { query throws(StoreError) in try query.fetchOne() }
  }

  /// The last selected quote of each ticker, in the order of tickers. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func latest() async throws(StoreError) -> QuoteBatch {
    try await onReader { query throws(StoreError) in try query.latest() }
  }

  /// The selected quotes by an expression's values, as in synchronous functions. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`; `StoreError.cancelled` in a cancelled task.
  public func sorted(
    by expression: QuoteExpression, _ order: DateOrder = .ascending
  ) async throws(StoreError) -> QuoteBatch {
    try await onReader { query throws(StoreError) in try query.sorted(by: expression, order) }
  }

  /// The number of selected quotes. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func count() async throws(StoreError) -> Int {
    try await onReader { query throws(StoreError) in try query.count() }
  }

  /// Whether no quote is selected. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func isEmpty() async throws(StoreError) -> Bool {
    try await onReader { query throws(StoreError) in try query.isEmpty() }
  }

  /// The selected quotes as batches of columns, each read when it is asked for. Doesn't block a thread of the caller's.
  ///
  /// - Parameter rowsPerBatch: as for `cursor`.
  public func batches(rowsPerBatch: Int = 8192) -> QuoteBatches {
    QuoteBatches(query: self, rowsPerBatch: rowsPerBatch)
  }

  /// Aggregates of the selected quotes, as in synchronous functions. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`; `StoreError.cancelled` in a cancelled task.
  public func aggregate(
    _ aggregations: [Aggregation], by grouping: Grouping? = nil
  ) async throws(StoreError) -> AggregateTable {
    try await onReader { query throws(StoreError) in try query.aggregate(aggregations, by: grouping) }
  }

  /// Count, extremes, sum and mean of an attribute. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`; `StoreError.cancelled` in a cancelled task.
  public func aggregate(_ attribute: Attribute) async throws(StoreError) -> Aggregate {
    try await onReader { query throws(StoreError) in try query.aggregate(attribute) }
  }

  /// Runs the query, discards its rows, and reports what was done to find them. Doesn't block a thread of the caller's.
  ///
  /// - Throws: `StoreError`, as in synchronous functions; `StoreError.cancelled` in a cancelled task.
  public func explain() async throws(StoreError) -> ScanReport {
    try await onReader { query throws(StoreError) in try query.explain() }
  }

  /// What `ask` gets from this query on a thread that may block.
  private func onReader<Answer: Sendable>(
    _ ask: @escaping @Sendable (QuoteQuery) throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    try await onBlockingThread(whenCancelled: StoreError.cancelled) { cancellation throws(StoreError) in
      try ask(stopped(by: cancellation))
    }
  }
}
