import Foundation
import Quoin

/// The calls of the tutorial on managing data objects: a daily log with one entry for each day, the newest first.
///
///     let dataController = DataController()
///     dataController.createDummyLogsFor(days: 5)
///     dataController.printDetails(logs: dataController.logs(from: nil, to: nil))
///
/// The tutorial logs moods. Here an entry is a quote, and a log is the quotes of one ticker. Days are those of the current time zone.
///
/// As in the tutorial, no call throws. A call that fails answers as if there were nothing, `lastError` says why, and so does a line
/// on standard error. `DailyLog` has the same for programs that catch errors.
public final class DataController {
  /// The error of the last call, usually a `StoreError`; nil if it succeeded.
  public private(set) var lastError: (any Error)?
  /// The ticker of the log.
  public let ticker: TickerSymbol
  private let stack: CoreDataStack

  /// The log of a ticker's quotes in this stack's store, which the first entry creates.
  public init(of ticker: TickerSymbol, withCoreDataStack stack: CoreDataStack = CoreDataStack()) {
    self.ticker = ticker
    self.stack = stack
  }

  /// The log of the ticker `LOG` in the default store: the environment's `QUOIN_STORE`, else `./quoin-store`.
  public convenience init() { self.init(of: "LOG") }

  /// Stores an entry under this log's ticker. It replaces the entry of the same day.
  public func log(_ entry: DailyQuoteSummary) { attempt { try $0.log(entry.quote) } }

  /// The entries from one moment's day to another's, both included, newest first; nil leaves that end open.
  public func logs(from: Date?, to: Date?) -> [DailyQuoteSummary] {
    let quotes = attempt { try $0.logs(where: .day(from: from, to: to)) }
    return (quotes ?? []).map { DailyQuoteSummary($0) }
  }

  /// Removes all entries.
  ///
  /// - Returns: the number of entries.
  @discardableResult
  public func deleteAll() -> Int { attempt { try $0.deleteAll() } ?? 0 }

  /// Removes the entries that meet a condition.
  ///
  /// - Returns: the number of entries.
  @discardableResult
  public func delete(where predicate: Quoin.Predicate) -> Int { attempt { try $0.delete(where: predicate) } ?? 0 }

  /// Changes the entries that meet a condition.
  ///
  ///     dataController.update(where: .range(.close, ...0.0)) { $0.close = nil }
  ///
  /// - Parameters:
  ///   - predicate: which entries.
  ///   - change: gives an entry other values. Its ticker and its day have to stay.
  /// - Returns: the number of entries that met the condition.
  @discardableResult
  public func update(where predicate: Quoin.Predicate, _ change: (inout Quoin.DailyQuoteSummary) -> Void) -> Int {
    attempt { try $0.update(where: predicate, change) } ?? 0
  }

  /// Stores made-up entries in place of all that there are: one for today and one for each of the days before, `days` in all. As
  /// in the tutorial, they are days of the calendar, with or without trading.
  public func createDummyLogsFor(days: Int) {
    attempt { try $0.replaceAll(byDummiesForDays: days, endingOn: .today(in: .current)) }
  }

  @discardableResult
  private func attempt<Result>(_ body: (DailyLog) throws -> Result) -> Result? {
    do {
      let result = try body(DailyLog(of: ticker, in: stack.store(mustExist: false)))
      lastError = nil
      return result
    } catch {
      lastError = error
      Complaint.print("\(error)")
      return nil
    }
  }
}
