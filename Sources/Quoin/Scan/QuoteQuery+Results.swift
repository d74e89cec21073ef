// The results of a query. Each of these functions blocks the calling thread until it has them; the forms for async functions
// are in QuoteQuery+Async.swift.

extension QuoteQuery {
  /// The selected quotes. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func fetch() throws(StoreError) -> [DailyQuoteSummary] {
    let (query, budget) = begun()
    var quotes: [DailyQuoteSummary] = []
    var held: [HeldMemory] = []
    let cursor = query.cursor()
    while let batch = try cursor.next() {
      held.append(try budget.hold(batch.rowCount * MemoryLayout<DailyQuoteSummary>.stride))
      quotes += batch.quotes
    }
    withExtendedLifetime(held) {}
    return quotes
  }

  /// The selected quotes as columns. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func fetchColumns() throws(StoreError) -> QuoteBatch {
    var scan = Scan(self, rowsPerBatch: .max)
    return try scan.nextBatch() ?? emptyBatch
  }

  /// No rows, of the query's columns.
  private var emptyBatch: QuoteBatch {
    BatchOutput(
      rowCount: 0, attributes: attributes, symbols: [], computed: computed.map(\.name),
      hasFractions: snapshot.hasFractions
    ).batch()
  }

  /// The first selected quote in the query's order; nil if there is none. Stops reading at the first block that has one.
  /// Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block that it reads is damaged.
  public func fetchOne() throws(StoreError) -> DailyQuoteSummary? {
    var scan = Scan(limited(to: min(1, limit ?? 1)), rowsPerBatch: 1)
    return try scan.nextBatch()?.quote(at: 0)
  }

  /// The last selected quote of each ticker, in the order of tickers, whatever `ordered` says. A limit or an offset counts
  /// these quotes. Blocks the calling thread.
  ///
  ///     let closes = try store.allQuotes.selecting(.close).latest()
  ///
  /// It reads the blocks of each ticker from the end, up to the first one that has a selected quote.
  ///
  /// - Throws: `StoreError` when a block that it reads is damaged.
  public func latest() throws(StoreError) -> QuoteBatch {
    var scan = Scan(ordered(.descending))
    return try scan.latest() ?? emptyBatch
  }

  /// The number of selected quotes. Reads only the columns that the predicate needs. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func count() throws(StoreError) -> Int {
    var scan = Scan(self)
    return try scan.count()
  }

  /// Whether no quote is selected. Stops reading at the first block that has one. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block that it reads is damaged.
  public func isEmpty() throws(StoreError) -> Bool {
    var scan = Scan(self)
    return try scan.isEmpty()
  }

  /// The selected quotes as batches of columns, to be asked for one by one. Reads nothing yet. In an async function, use
  /// `batches`.
  ///
  /// - Parameter rowsPerBatch: the number of rows after which a batch is complete; it may have up to a block more. Less than
  ///   1 is 1.
  public func cursor(rowsPerBatch: Int = 8192) -> QuoteCursor { QuoteCursor(self, rowsPerBatch: rowsPerBatch) }

  /// Calls `body` with each batch of the selected quotes. Blocks the calling thread. In an async function, use `batches`.
  ///
  /// - Parameters:
  ///   - rowsPerBatch: as for `cursor`.
  ///   - body: takes a batch, which has at least one row. When it throws an error, nothing more is read.
  /// - Throws: `StoreError` when a block is damaged, or the error of `body`.
  public func forEachBatch(rowsPerBatch: Int = 8192, _ body: (QuoteBatch) throws -> Void) throws {
    let cursor = cursor(rowsPerBatch: rowsPerBatch)
    while let batch = try cursor.next() { try body(batch) }
  }

  /// Runs the query, discards its rows, and reports what was done to find them. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func explain() throws(StoreError) -> ScanReport {
    var scan = Scan(self)
    scan.countsBlocks = true
    let plan = try scan.budget.work { () throws(StoreError) in try scan.begin() }
    while try scan.nextBatch() != nil {}
    var report = scan.report
    report.estimate = try estimatedCost()
    if let plan {
      report.describeSteps(of: plan, self)
      report.tickers = TickerScanReport.tickers(of: plan, scan)
    }
    return report
  }

  /// The tickers of the selected quotes, each with the quotes' days, which rise.
  func matchingDays() throws(StoreError) -> [(ticker: TickerSymbol, days: [TradingDay])] {
    var matches: [(ticker: TickerSymbol, days: [TradingDay])] = []
    let cursor = selecting([]).cursor()
    while let batch = try cursor.next() {
      var start = 0
      for (ticker, count) in batch.tickers.runs {
        if matches.last?.ticker != ticker { matches.append((ticker, [])) }
        matches[matches.count - 1].days += batch.columns.dayValues[start..<(start + count)]
        start += count
      }
    }
    return matches
  }
}
