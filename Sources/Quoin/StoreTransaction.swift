/// Several changes of a store that become one commit: what `QuoteStore.write` hands to its closure.
///
///     try store.write { transaction in
///       try transaction.delete("OLD")
///       try transaction.upsert(quotes)
///       last = try transaction.fetch(.fedEx).last
///     }
///
/// A transaction sees its own changes. Nobody else does until the commit. When a call has failed, the transaction is lost:
/// every later call throws the same error, and so does the commit, even if the closure has caught it.
///
/// A transaction can't be kept: it can't be copied, and code that takes it out of the closure isn't compiled. All its calls
/// block the calling thread.
public struct StoreTransaction: ~Copyable {
  let transaction: Transaction

  init(_ transaction: Transaction) { self.transaction = transaction }
}

// Reading.
extension StoreTransaction {
  /// The tickers that have quotes now, ascending. Complexity: O(tickers).
  public var tickers: [TickerSymbol] { transaction.standing.map(\.ticker) }

  /// The quotes of a ticker as they are now, oldest first.
  ///
  /// - Parameters:
  ///   - ticker: the stock.
  ///   - dates: the first and the last day, both included.
  /// - Throws: `StoreError` if a block is damaged.
  public func fetch(
    _ ticker: TickerSymbol, dates: ClosedRange<TradingDay> = .earliest ... .latest
  ) throws(StoreError) -> [DailyQuoteSummary] {
    let columns = try fetchColumns(ticker, dates: dates)
    return (0..<columns.rowCount).map { columns.quote(at: $0, of: ticker) }
  }

  /// The quotes of a ticker as they are now, oldest first, as columns.
  ///
  /// - Parameters:
  ///   - ticker: the stock.
  ///   - dates: the first and the last day, both included.
  /// - Throws: `StoreError` if a block is damaged.
  public func fetchColumns(
    _ ticker: TickerSymbol, dates: ClosedRange<TradingDay> = .earliest ... .latest
  ) throws(StoreError) -> QuoteColumns {
    try transaction.rows(of: ticker, from: dates.lowerBound, to: dates.upperBound)
  }
}

// Storing.
extension StoreTransaction {
  /// Stores quotes. A quote replaces the one of the same ticker and day.
  ///
  /// - Parameters:
  ///   - quotes: the quotes, in any order. Of two with the same ticker and day, the later one counts.
  ///   - source: their origin. What one source brings for one ticker is one record of an import.
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(
    _ quotes: some Sequence<DailyQuoteSummary>, source: String = "Swift"
  ) throws(StoreError) -> UpsertCounts {
    try upsert(QuoteColumns.byTicker(quotes), source: source)
  }

  /// Stores rows of one or many tickers. A row replaces the one of the same ticker and day; of two, the later one counts.
  ///
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(_ batch: QuoteBatch, source: String = "Swift") throws(StoreError) -> UpsertCounts {
    try upsert(batch.columnsByTicker, source: source)
  }

  /// Stores columns of quotes, by ticker, as `upsert(_:of:source:)` does.
  ///
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(
    _ columns: [TickerSymbol: QuoteColumns], source: String = "Swift"
  ) throws(StoreError) -> UpsertCounts {
    var counts = UpsertCounts()
    for (ticker, columns) in columns.sorted(by: { $0.key < $1.key }) {
      counts += try upsert(columns, of: ticker, source: source)
    }
    return counts
  }

  /// Stores columns of quotes of one ticker.
  ///
  /// However many rows come, memory stays bounded: earlier ones are encoded and written while later ones are on their way.
  ///
  /// - Parameters:
  ///   - columns: rows in any order. Of two rows of the same day, the later one counts. Absent attributes are missing.
  ///   - ticker: the stock.
  ///   - source: their origin. What one source brings for one ticker is one record of an import.
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(
    _ columns: QuoteColumns, of ticker: TickerSymbol, source: String = "Swift"
  ) throws(StoreError) -> UpsertCounts {
    let rows = columns.completed.sortedByDay
    guard let first = rows.dayValues.first, let last = rows.dayValues.last else { return UpsertCounts() }
    let counts = try transaction.upsert(ticker, rows)
    transaction.note(
      ImportRecord(
        ticker: ticker, firstDay: first, lastDay: last, rowCount: rows.rowCount, source: source,
        importedAt: transaction.fileSystem.now, generation: transaction.generation), isJoined: true)
    return counts
  }
}

extension QuoteColumns {
  /// The quotes of each ticker as columns, in their order.
  static func byTicker(_ quotes: some Sequence<DailyQuoteSummary>) -> [TickerSymbol: QuoteColumns] {
    var columns: [TickerSymbol: QuoteColumns] = [:]
    for quote in quotes { columns[quote.ticker, default: QuoteColumns()].append(quote) }
    return columns
  }
}
