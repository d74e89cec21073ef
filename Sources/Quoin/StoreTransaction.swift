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
  /// Stores quotes. A quote has all attributes, so it replaces the one of the same ticker and day, unless the mode is `keep`.
  ///
  /// - Parameters:
  ///   - quotes: the quotes, in any order. Of two with the same ticker and day, the later one counts.
  ///   - source: their origin. What one source brings for one ticker is one record of an import.
  ///   - mode: what happens to the rows of days that the store has.
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(
    _ quotes: some Sequence<DailyQuoteSummary>, source: String = "Swift", mode: UpsertMode = .update
  ) throws(StoreError) -> UpsertCounts {
    try upsert(QuoteColumns.byTicker(quotes), source: source, mode: mode)
  }

  /// Stores rows of one or many tickers. Of two rows of the same ticker and day, the later one counts. Attributes that the
  /// batch doesn't have keep their stored values, unless the mode is `replace`.
  ///
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(
    _ batch: QuoteBatch, source: String = "Swift", mode: UpsertMode = .update
  ) throws(StoreError) -> UpsertCounts {
    try upsert(batch.columnsByTicker, source: source, mode: mode)
  }

  /// Stores columns of quotes, by ticker, as `upsert(_:of:source:mode:)` does.
  ///
  /// - Throws: `StoreError`.
  @discardableResult
  public func upsert(
    _ columns: [TickerSymbol: QuoteColumns], source: String = "Swift", mode: UpsertMode = .update
  ) throws(StoreError) -> UpsertCounts {
    var counts = UpsertCounts()
    for (ticker, columns) in columns.sorted(by: { $0.key < $1.key }) {
      counts += try upsert(columns, of: ticker, source: source, mode: mode)
    }
    return counts
  }

  /// Stores columns of quotes, by ticker, in which no day comes twice with different values.
  ///
  /// - Parameter days: the days that the same source has brought before.
  /// - Throws: `StoreError`: `dayTwice`, and what the other upserts throw.
  package func upsert(
    _ columns: [TickerSymbol: QuoteColumns], source: String, mode: UpsertMode, after days: inout DaysBrought
  ) throws(StoreError) -> UpsertCounts {
    let transaction = transaction
    var (columns, empty) = (columns, 0)
    for ticker in columns.keys { empty += columns[ticker]?.removeEmptyRows() ?? 0 }
    for (ticker, rows) in columns.sorted(by: { $0.key < $1.key }) {
      try transaction.attempt { () throws(StoreError) in
        try days.add(rows, of: ticker, mode) { (days) throws(StoreError) in
          try transaction.rows(of: ticker, from: days.lowerBound, to: days.upperBound)
        }
      }
    }
    var counts = try upsert(columns, source: source, mode: mode)
    counts.empty += empty
    return counts
  }

  /// Stores columns of quotes of one ticker. Rows without any value are left out.
  ///
  /// However many rows come, memory stays bounded: earlier ones are encoded and written while later ones are on their way.
  ///
  /// - Parameters:
  ///   - columns: rows in any order. Of two rows of the same day, the later one counts. Absent attributes keep their stored
  ///     values, unless the mode is `replace`.
  ///   - ticker: the stock.
  ///   - source: their origin. What one source brings for one ticker is one record of an import.
  ///   - mode: what happens to the rows of days that the store has.
  /// - Throws: `StoreError`: `impossibleValue` if a value is infinite or a volume is below zero.
  @discardableResult
  public func upsert(
    _ columns: QuoteColumns, of ticker: TickerSymbol, source: String = "Swift", mode: UpsertMode = .update
  ) throws(StoreError) -> UpsertCounts {
    try transaction.attempt { () throws(StoreError) in try columns.checkValues(of: ticker) }
    var columns = columns
    let empty = columns.removeEmptyRows()
    let rows = mode == .fill ? columns.completed.filledByDay : columns.completed.sortedByDay
    var counts = try upsert(rows, of: ticker, source, mode, present: columns.attributes)
    counts.empty = empty
    return counts
  }

  /// Stores rows that rise by day and have all attributes, each with a value.
  func upsert(
    _ rows: QuoteColumns, of ticker: TickerSymbol, _ source: String, _ mode: UpsertMode, present: AttributeSet
  ) throws(StoreError) -> UpsertCounts {
    guard let first = rows.dayValues.first, let last = rows.dayValues.last else { return UpsertCounts() }
    let counts = try transaction.upsert(ticker, rows, mode, present: present)
    let rowCount = rows.rowCount - counts.kept
    if rowCount == 0 { return counts }
    transaction.note(
      ImportRecord(
        ticker: ticker, firstDay: first, lastDay: last, rowCount: rowCount, source: source,
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
