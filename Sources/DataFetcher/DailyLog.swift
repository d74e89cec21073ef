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
  public func log(_ entry: DailyQuoteSummary) throws {
    var row = QuoteColumns()
    row.append(entry)
    try store.upsert([ticker: row])
  }

  /// The entries from one day to another, both included, newest first; nil leaves that end open.
  ///
  /// - Throws: `StoreError` if a block is damaged.
  public func logs(from first: TradingDay? = nil, to last: TradingDay? = nil) throws(StoreError) -> [DailyQuoteSummary]
  {
    try store.quotes(for: ticker).dates(from: first, to: last).ordered(.descending).fetch()
  }

  /// Removes all entries.
  ///
  /// - Returns: the number of entries.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func deleteAll() throws -> Int {
    try store.delete([ticker])
  }

  /// Stores made-up entries for experiments: for `days` trading days up to today. They replace real entries of the same days.
  ///
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func createDummyLogs(forDays days: Int) throws {
    try store.upsert([ticker: QuoteGenerator.history(of: ticker, days: days, endingOn: .today, seed: 1)])
  }

  /// Prints a line for each entry: its day and its values.
  public func printDetails(of logs: [DailyQuoteSummary]) {
    for log in logs { print(log.details) }
  }
}

extension DailyQuoteSummary {
  /// The day and the values, without the missing ones: `2005-10-14: open 86.9, high 87.7`.
  var details: String {
    let values = Attribute.allCases.compactMap { name in text(of: name).map { "\(name.wikiName) \($0)" } }
    return "\(date): \(values.isEmpty ? "nothing" : values.joined(separator: ", "))"
  }

  private func text(of name: Attribute) -> String? {
    if let key = TypedAttribute<Int64>(name: name) { return self[key].map { "\($0)" } }
    return TypedAttribute<Double>(name: name).flatMap { self[$0] }.map(name.text)
  }
}
