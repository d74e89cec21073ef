import Testing

@testable import Quoin

@Suite struct CalendarPeriodTests {
  /// Which period a day lies in, from its date alone.
  private func number(_ period: CalendarPeriod, _ day: TradingDay) -> Int {
    let (year, month, _) = day.components
    return switch period {
    case .day: Int(day.daysSince1970)
    case .week: (Int(day.daysSince1970) + 719_162) / 7  // 0001-01-01 was a Monday
    case .month: year * 12 + month - 1
    case .quarter: year * 4 + (month - 1) / 3
    case .halfYear: year * 2 + (month - 1) / 6
    case .year: year
    }
  }

  @Test(arguments: CalendarPeriod.allCases)
  func days_of_a_period_have_one_first_last_and_next_day(
    _ period: CalendarPeriod
  ) {
    for days in [-719_162 ... -718_000, 10_000...14_800, 2_930_000...2_932_896] {
      for day in days.compactMap({ TradingDay(daysSince1970: $0) }) {
        let (first, last, next) = (period.first(of: day), period.last(of: day), period.next(after: day))
        guard first <= day, day <= last, number(period, first) == number(period, day),
          number(period, last) == number(period, day),
          first.advanced(by: -1).map({ number(period, $0) != number(period, day) }) ?? true,
          last.advanced(by: 1) == next, next.map({ number(period, $0) == number(period, day) + 1 }) ?? true
        else {
          Issue.record("\(day) lies in \(first)...\(last) before \(String(describing: next))")
          return
        }
      }
    }
  }

  @Test(
    arguments: [
      (.day, "2005-10-14", "2005-10-14", "2005-10-14"), (.week, "2005-10-14", "2005-10-10", "2005-10-16"),
      (.week, "2005-10-10", "2005-10-10", "2005-10-16"), (.week, "2005-10-16", "2005-10-10", "2005-10-16"),
      (.month, "2004-02-29", "2004-02-01", "2004-02-29"), (.quarter, "2005-12-31", "2005-10-01", "2005-12-31"),
      (.halfYear, "2005-06-30", "2005-01-01", "2005-06-30"), (.halfYear, "2005-07-01", "2005-07-01", "2005-12-31"),
      (.year, "2005-10-14", "2005-01-01", "2005-12-31"), (.week, "0001-01-01", "0001-01-01", "0001-01-07"),
      (.week, "9999-12-31", "9999-12-27", "9999-12-31"), (.year, "9999-01-01", "9999-01-01", "9999-12-31"),
    ] as [(CalendarPeriod, TradingDay, TradingDay, TradingDay)])
  func known_periods(_ period: CalendarPeriod, _ day: TradingDay, _ first: TradingDay, _ last: TradingDay) {
    #expect(period.first(of: day) == first && period.last(of: day) == last)
    #expect(period.next(after: day) == last.advanced(by: 1))
  }

  @Test func groupings_and_collapses_take_their_periods_from_their_words() throws {
    for key in Grouping.Key.allCases { #expect((key.period == nil) == (key == .ticker || key == .weekday)) }
    for collapse in CalendarPeriod.Collapse.allCases { #expect((collapse.period == nil) == (collapse == .none)) }
    for (name, grouping) in [
      ("ticker", .ticker), ("Week", .week), ("weekly", .week), ("MONTHLY", .month), ("quarterly", .quarter),
      ("annual", .year), ("yearly", .year), ("year", .year), ("daily", .day), ("half-year", .halfYear),
      ("weekday", .weekday),
      ("month, all", Grouping(.month)), ("all,MONTH", Grouping(.month)), ("ticker,month", .month),
      ("year , weekday", Grouping(.year, .weekday)), ("weekday,ticker", Grouping(.weekday, .ticker)),
      ("semiannual", .halfYear),
    ] as [(String, Grouping)] {
      #expect(try Grouping.list(parsing: name) == grouping, "\(name)")
    }
    #expect(try Grouping.list(parsing: "all") == nil)
    for name in [
      "", "weeks", "none", "month,", "month;all", "month all", "month,monthly", "all,ticker", "ticker,all", "all, all",
    ] {
      #expect(throws: PredicateSyntaxError.self) { try Grouping.list(parsing: name) }
    }
  }

  @Test func an_order_has_a_short_and_a_long_word() {
    for word in ["asc", "ascending", "ASC"] { #expect(DateOrder(rawValue: word) == .ascending) }
    for word in ["desc", "descending", "Desc"] { #expect(DateOrder(rawValue: word) == .descending) }
    for word in ["", "up", "des", "asc "] { #expect(DateOrder(rawValue: word) == nil) }
    #expect(DateOrder.allCases.map(\.rawValue) == ["asc", "desc"])
  }
}
