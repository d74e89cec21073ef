import Quoin
import QuoteGenerator

/// A ticker's quotes kept as a daily log: one entry a day, and the newest first.
///
///     let log = DailyLog(of: .fedEx, in: store)
///     try log.log(summary)
///     log.printDetails(of: try log.logs(from: "2005-09-01", to: nil))
public struct DailyLog: Sendable {
  /// Whose log it is.
  public let ticker: TickerSymbol
  private let store: QuoteStore

  /// The log of a ticker's quotes in this store, of the generation that it shows; what is logged is shown at once.
  public init(of ticker: TickerSymbol, in store: QuoteStore) {
    self.ticker = ticker
    self.store = store
  }

  /// Puts an entry in, under this log's ticker; it takes the place of the one that its day has.
  ///
  /// - Throws: `StoreError`; unless it is `commitUnknown`, nothing has changed.
  public func log(_ entry: DailyQuoteSummary) throws {
    var row = QuoteColumns()
    row.append(entry)
    try store.upsert([ticker: row])
  }

  /// The entries from one day to another, both inside, newest first; nil leaves that end open.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func logs(from first: TradingDay? = nil, to last: TradingDay? = nil) throws(StoreError) -> [DailyQuoteSummary]
  {
    try store.quotes(for: ticker).dates(from: first, to: last).ordered(.descending).fetch()
  }

  /// Removes all entries.
  ///
  /// - Returns: how many there were.
  /// - Throws: `StoreError`; unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func deleteAll() throws -> Int {
    try store.delete([ticker])
  }

  /// Puts made-up entries in, to try things out: of `days` trading days up to today, oldest first. Real ones of the same
  /// days are lost.
  ///
  /// - Throws: `StoreError`; unless it is `commitUnknown`, nothing has changed.
  public func createDummyLogs(forDays days: Int) throws {
    try store.upsert([ticker: QuoteGenerator.history(of: ticker, days: days, endingOn: .today, seed: 1)])
  }

  /// Prints a line for each entry: its day, and the values that it has.
  public func printDetails(of logs: [DailyQuoteSummary]) {
    for log in logs { print(log.details) }
  }
}

extension DailyQuoteSummary {
  /// The day and the values, without the missing ones: `2005-10-14: open 86.9, high 87.7`.
  var details: String {
    let values = AttributeName.allCases.compactMap { name in text(of: name).map { "\(name.wikiName) \($0)" } }
    return "\(date): \(values.isEmpty ? "nothing" : values.joined(separator: ", "))"
  }

  private func text(of name: AttributeName) -> String? {
    if let key = Attribute<Int64>(name: name) { return self[key].map { "\($0)" } }
    return Attribute<Double>(name: name).flatMap { self[$0] }.map { "\($0)" }
  }
}
