import Quoin
import QuoteGenerator

/// A ticker's quotes as a daily log: one entry for each day, the newest first.
///
///     let log = DailyLog(of: .fedEx, in: store)
///     try log.log(summary)
///     log.printDetails(of: try log.logs(from: "2005-09-01", to: nil))
public struct DailyLog: Sendable {
  /// The ticker of the log.
  public let ticker: TickerSymbol
  private let store: QuoteStore

  /// The log of a ticker's quotes in this store's snapshot. It shows its own changes at once.
  public init(of ticker: TickerSymbol, in store: QuoteStore) {
    self.ticker = ticker
    self.store = store
  }

  /// Stores an entry under this log's ticker. It replaces the entry of the same day.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func log(_ entry: Quoin.DailyQuoteSummary) throws(StoreError) {
    var row = QuoteColumns()
    row.append(entry)
    try store.upsert([ticker: row])
  }

  /// The entries from one day to another, both included, newest first; nil leaves that end open.
  ///
  /// - Throws: `StoreError` if a block is damaged.
  public func logs(
    from first: TradingDay? = nil, to last: TradingDay? = nil
  ) throws(StoreError) -> [Quoin.DailyQuoteSummary] { try logs(where: .dates(from: first, to: last)) }

  /// The entries that meet a condition, newest first.
  ///
  /// - Throws: `StoreError` if a block is damaged.
  public func logs(where predicate: Quoin.Predicate) throws(StoreError) -> [Quoin.DailyQuoteSummary] {
    try store.quotes(for: ticker).where(predicate).ordered(.descending).fetch()
  }

  /// Removes all entries.
  ///
  /// - Returns: the number of entries.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func deleteAll() throws(StoreError) -> Int {
    try store.delete(ticker)
  }

  /// Removes the entries that meet a condition.
  ///
  /// - Returns: the number of entries.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func delete(where predicate: Quoin.Predicate) throws(StoreError) -> Int {
    try store.delete([ticker], where: predicate)
  }

  /// Changes the entries that meet a condition.
  ///
  /// - Parameters:
  ///   - predicate: which entries.
  ///   - change: gives an entry other values. Its ticker and its day have to stay.
  /// - Returns: the number of entries that met the condition.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func update(
    where predicate: Quoin.Predicate, _ change: (inout Quoin.DailyQuoteSummary) -> Void
  ) throws(StoreError) -> Int {
    try store.update([ticker], where: predicate, change)
  }

  /// Stores made-up entries for experiments: for `days` trading days up to today. They replace real entries of the same days.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func createDummyLogs(forDays days: Int) throws(StoreError) {
    try store.upsert([ticker: QuoteGenerator.history(of: ticker, days: days, endingOn: .today, seed: 1)])
  }

  /// Stores made-up entries in place of all that there are, in one commit: for `count` days in a row, with or without trading.
  func replaceAll(byDummiesForDays count: Int, endingOn last: TradingDay) throws {
    var rows = QuoteGenerator.history(of: ticker, days: count, endingOn: last, seed: 1)
    let first = rows.rowCount - 1
    rows.dayValues = ColumnBuffer((0..<rows.rowCount).compactMap { last.advanced(by: $0 - first) })
    try store.write { transaction in
      try transaction.delete(ticker)
      try transaction.upsert([ticker: rows])
    }
  }

  /// Prints a line for each entry: its ticker, its day and its values.
  public func printDetails(of logs: [Quoin.DailyQuoteSummary]) {
    for log in logs { print(log) }
  }
}
