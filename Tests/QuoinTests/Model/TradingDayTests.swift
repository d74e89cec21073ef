import Testing

@testable import Quoin

@Suite struct TradingDayTests {
  /// Every day in release; in debug one in seven, which over 400 years meets every date.
  @Test func every_day_has_a_date_and_every_date_a_day() throws {
    var previous: (year: Int, month: Int, day: Int)?
    let step = TestSettings.isDebug ? 7 : 1
    for number in stride(from: -719_162, through: 2_932_896, by: step) {
      let day = try #require(TradingDay(daysSince1970: number))
      let (year, month, dayOfMonth) = day.components
      guard TradingDay(year: year, month: month, day: dayOfMonth) == day,
        previous.map({ $0 < (year, month, dayOfMonth) }) ?? true
      else {
        Issue.record("day \(number) is \(day.components)")
        return
      }
      previous = day.components
    }
    #expect(TradingDay.earliest.description == "0001-01-01" && TradingDay.latest.description == "9999-12-31")
  }

  /// A calendar counted day by day, which knows nothing of eras.
  @Test func dates_follow_each_other_as_in_a_calendar() {
    var (year, month, day) = (1896, 1, 1)
    var number = Int(("1896-01-01" as TradingDay).daysSince1970)
    while year < 2105 {
      let found = TradingDay(daysSince1970: number)?.components
      guard let found, found == (year, month, day) else {
        Issue.record("day \(number) is not \(year)-\(month)-\(day)")
        return
      }
      let isLeap = year % 4 == 0 && year != 1900 && year != 2100
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      (day, number) = (day + 1, number + 1)
      if day > lengths[month - 1] { (day, month) = (1, month + 1) }
      if month > 12 { (month, year) = (1, year + 1) }
    }
  }

  @Test(arguments: [("1970-01-01", 0), ("1969-12-31", -1), ("2000-02-29", 11_016), ("2005-10-14", 13_070)])
  func known_days(_ text: String, _ number: Int32) {
    #expect(TradingDay(text)?.daysSince1970 == number)
    #expect(TradingDay(unchecked: number).description == text)
  }

  @Test(arguments: [
    "", "2005", "2005-10", "2005-13-01", "2005-00-01", "2005-01-00", "2005-02-29", "1900-02-29", "2100-02-29",
    "2005-04-31", "0000-01-01", "10000-01-01", "2005-1-1", "05-10-14", "2005/10/14", "2005-10-14 ", " 2005-10-14",
    "2005-10-14T00:00", "-005-10-14", "2005-+1-14", "２００５-10-14", "2005-10-1é", "20051014xx",
  ])
  func what_is_no_date_is_refused(_ text: String) { #expect(TradingDay(text) == nil) }

  @Test func dates_outside_the_calendar_are_refused() {
    for (year, month, day) in [
      (0, 12, 31), (10_000, 1, 1), (2005, 13, 1), (2005, 1, 32), (.min, 1, 1), (.max, 1, 1), (2005, .max, 1),
      (2005, 1, .min), (2004, 2, 30),
    ] { #expect(TradingDay(year: year, month: month, day: day) == nil) }
    for number in [-719_163, 2_932_897, .min, .max] { #expect(TradingDay(daysSince1970: number) == nil) }
  }

  @Test func days_are_counted_forward_and_back() {
    #expect(("2004-02-28" as TradingDay).advanced(by: 2) == "2004-03-01")
    #expect(("2005-03-01" as TradingDay).advanced(by: -1) == "2005-02-28")
    for count in [1, .max] { #expect(TradingDay.latest.advanced(by: count) == nil) }
    for count in [-1, .min] { #expect(TradingDay.earliest.advanced(by: count) == nil) }
  }

  @Test func weekdays_begin_on_sunday() {
    #expect(("2005-10-14" as TradingDay).weekday == 5)
    #expect(("1969-12-28" as TradingDay).weekday == 0)
    #expect(TradingDay.earliest.weekday == 1)
  }

  @Test func a_moment_is_written_in_utc() {
    #expect(CommitTime(secondsSince1970: 0).description == "1970-01-01T00:00:00Z")
    #expect(CommitTime(secondsSince1970: -1).description == "1969-12-31T23:59:59Z")
    #expect(CommitTime(secondsSince1970: 1_521_849_601).description == "2018-03-24T00:00:01Z")
    #expect(
      CommitTime(secondsSince1970: .max).day == .latest
        && CommitTime(secondsSince1970: .min).day == .earliest)
  }
}
