import Foundation
import Quoin

extension DataController {
  /// The moment at which today begins in the current time zone.
  public var today: Date { startOfDay(for: Date()) }

  /// The moment at which the day of `date` begins in the current time zone.
  public func startOfDay(for date: Date) -> Date {
    TradingDay(date, in: .current)?.start(in: .current) ?? date
  }

  /// The day of `date`, in the short form of the current locale and in its time zone.
  public func dateCaption(for date: Date) -> String {
    let formatter = DateFormatter()
    formatter.dateStyle = .short
    formatter.timeStyle = .none
    formatter.timeZone = .current
    return formatter.string(from: date)
  }

  /// Prints a line for each entry: its day's caption, and its values.
  public func printDetails(logs: [DailyQuoteSummary]) {
    for log in logs { print(details(of: log)) }
  }

  func details(of log: DailyQuoteSummary) -> String {
    let values = log.quote.presentValues.map { "\($0.attribute.wikiName) \($0.value)" }
    return "\(dateCaption(for: log.date ?? today)) \(values.isEmpty ? "no values" : values.joined(separator: ", "))"
  }
}
