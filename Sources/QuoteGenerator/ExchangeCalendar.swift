import Quoin

/// The days on which the New York Stock Exchange trades, by rule from 1962 on.
///
/// Weekdays less the holidays of the exchange's own rules and less the closings of a single day or week. The rules are
/// applied to any year; before 1962 they are only plausible (there was Saturday trading until 1952).
enum ExchangeCalendar {
  /// The days that the WIKI table covers.
  static let wiki = days(from: "1962-01-02", through: "2018-03-27")

  /// The trading days from `first` to `last`, both included.
  static func days(from first: TradingDay, through last: TradingDay) -> [TradingDay] {
    var days: [TradingDay] = []
    var next: TradingDay? = first
    while let day = next, day <= last {
      if isOpen(day) { days.append(day) }
      next = day.advanced(by: 1)
    }
    return days
  }

  /// The last `count` trading days up to `last`, oldest first; fewer where the calendar begins.
  static func days(_ count: Int, endingOn last: TradingDay) -> [TradingDay] {
    var days: [TradingDay] = []
    var next: TradingDay? = last
    while days.count < count, let day = next {
      if isOpen(day) { days.append(day) }
      next = day.advanced(by: -1)
    }
    return days.reversed()
  }

  static func isOpen(_ day: TradingDay) -> Bool {
    let date = Date(day)
    return (1...5).contains(date.weekday) && !isHoliday(date) && !singleClosings.contains(day)
  }

  private struct Date {
    let year: Int
    let month: Int
    let day: Int
    let weekday: Int

    init(_ tradingDay: TradingDay) {
      (year, month, day) = tradingDay.components
      weekday = tradingDay.weekday
    }

    /// Whether the day is the `ordinal`th such weekday of its month.
    func isNumber(_ ordinal: Int, _ weekday: Int) -> Bool {
      self.weekday == weekday && (day - 1) / 7 + 1 == ordinal
    }

    /// Whether a holiday on this day of the month is kept today: on Friday for a Saturday, on Monday for a Sunday.
    func keeps(_ holiday: Int) -> Bool {
      day == holiday || (weekday == 5 && day + 1 == holiday) || (weekday == 1 && day - 1 == holiday)
    }
  }

  private static func isHoliday(_ date: Date) -> Bool {
    switch date.month {
    case 1: date.keeps(1) || (date.year >= 1998 && date.isNumber(3, 1))
    case 2: date.year >= 1971 ? date.isNumber(3, 1) : date.keeps(22)
    case 3, 4: isGoodFriday(date)
    case 5: date.year >= 1971 ? date.weekday == 1 && date.day >= 25 : date.year < 1970 && date.keeps(30)
    case 6: date.year >= 2022 && date.keeps(19)
    case 7: date.keeps(4)
    case 9: date.isNumber(1, 1)
    case 11: date.isNumber(4, 4) || isElectionDay(date)
    case 12: date.keeps(25)
    default: false
    }
  }

  /// The Tuesday after the first Monday of November: every year to 1968, then with the presidential elections to 1980.
  private static func isElectionDay(_ date: Date) -> Bool {
    date.weekday == 2 && (2...8).contains(date.day)
      && (date.year <= 1968 || (date.year <= 1980 && date.year % 4 == 0))
  }

  /// Two days before Easter Sunday, which the anonymous Gregorian algorithm (Nature, 1876) finds.
  private static func isGoodFriday(_ date: Date) -> Bool {
    guard date.weekday == 5 else { return false }
    let (century, yearOfCentury) = (date.year / 100, date.year % 100)
    let golden = date.year % 19
    let moon = (19 * golden + century - century / 4 - (century - (century + 8) / 25 + 1) / 3 + 15) % 30
    let sunday = (32 + 2 * (century % 4) + 2 * (yearOfCentury / 4) - moon - yearOfCentury % 4) % 7
    let late = (golden + 11 * moon + 22 * sunday) / 451
    let easter = moon + sunday - 7 * late + 114
    return TradingDay(year: date.year, month: easter / 31, day: easter % 31 + 1)?.advanced(by: -2)
      == TradingDay(year: date.year, month: date.month, day: date.day)
  }

  /// Mourning, storms, the paperwork Wednesdays of 1968, a blackout, the attacks of 2001.
  private static let singleClosings: Set<TradingDay> = {
    var days: Set<TradingDay> = [
      "1963-11-25", "1968-02-12", "1968-04-09", "1968-07-05", "1968-11-11", "1969-02-10", "1969-03-31", "1969-07-21",
      "1972-12-28", "1973-01-25", "1977-07-14", "1985-09-27", "1994-04-27", "2001-09-11", "2001-09-12", "2001-09-13",
      "2001-09-14", "2004-06-11", "2007-01-02", "2012-10-29", "2012-10-30", "2018-12-05", "2025-01-09",
    ]
    let firstWednesday: TradingDay = "1968-06-12"
    for week in 0..<29 { if let day = firstWednesday.advanced(by: 7 * week) { days.insert(day) } }
    // Weeks that had a holiday already.
    return days.subtracting(["1968-07-03", "1968-09-04", "1968-11-06", "1968-11-13", "1968-11-27"])
  }()
}
