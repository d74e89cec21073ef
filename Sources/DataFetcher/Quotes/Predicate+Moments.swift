import Foundation
import Quoin

// The tutorials ask with `Date`s. A day is in a range by the moment at which it begins in the current time zone.

extension Quoin.Predicate {
  /// The day begins after one moment and before another; nil leaves that end open.
  static func dayBegins(after first: Date?, before last: Date?) -> Quoin.Predicate {
    days(first.map { number($0) + 1 } ?? -.infinity, last.map { numberOfLastDay(before: $0) } ?? .infinity)
  }

  /// The day is one from the day of one moment to the day of another, both included; nil leaves that end open.
  static func day(from first: Date?, to last: Date?) -> Quoin.Predicate {
    days(first.map(number) ?? -.infinity, last.map(number) ?? .infinity)
  }

  /// The day of a moment as the number of days since 1970; beyond the calendar an infinite one, and NaN for none.
  private static func number(_ moment: Date) -> Double {
    if let day = TradingDay(moment, in: .current) { return Double(day.daysSince1970) }
    return moment.timeIntervalSince1970 * .infinity
  }

  private static func numberOfLastDay(before moment: Date) -> Double {
    let begins = TradingDay(moment, in: .current).map { $0.start(in: .current) == moment } ?? false
    return begins ? number(moment) - 1 : number(moment)
  }

  /// The days between two numbers; none if there are none, or if one isn't a number.
  private static func days(_ first: Double, _ last: Double) -> Quoin.Predicate {
    let first = max(first, Double(TradingDay.earliest.daysSince1970))
    let last = min(last, Double(TradingDay.latest.daysSince1970))
    guard first <= last, let from = TradingDay(daysSince1970: Int(first)),
      let to = TradingDay(daysSince1970: Int(last))
    else { return .any([]) }
    return .dates(from: from, to: to)
  }
}
