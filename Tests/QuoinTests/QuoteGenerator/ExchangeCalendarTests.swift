import Quoin
import Testing

@testable import QuoteGenerator

@Suite struct ExchangeCalendarTests {
  @Test(arguments: [
    "2018-01-01", "2017-01-02", "2018-01-15", "1997-02-17", "1969-02-21", "2018-03-30", "1962-04-20", "2008-03-21",
    "1969-05-30", "2017-05-29", "2022-06-20", "2015-07-03", "2010-07-05", "2001-09-03", "1968-11-05", "1980-11-04",
    "2017-11-23", "2010-12-24", "2011-12-26", "1963-11-25", "1968-06-12", "2001-09-11", "2001-09-14", "2004-06-11",
    "2012-10-29", "2018-03-25", "2018-03-24",
  ])
  func the_exchange_is_closed(_ day: TradingDay) { #expect(!ExchangeCalendar.isOpen(day)) }

  @Test(arguments: [
    "1962-01-02", "1997-01-20", "2010-12-31", "2011-01-03", "2021-06-18", "1984-11-07", "1988-11-08", "2001-09-10",
    "2001-09-17", "1968-07-03", "1970-05-29", "2018-03-27", "2005-10-14", "2017-11-24",
  ])
  func the_exchange_is_open(_ day: TradingDay) { #expect(ExchangeCalendar.isOpen(day)) }

  /// The real number of the exchange's trading days.
  @Test(arguments: [(1968, 226), (2001, 248), (2008, 253), (2012, 250), (2017, 251)])
  func a_year_has_its_trading_days(_ year: Int, _ count: Int) throws {
    let first = try #require(TradingDay(year: year, month: 1, day: 1))
    let last = try #require(TradingDay(year: year, month: 12, day: 31))
    #expect(ExchangeCalendar.days(from: first, through: last).count == count)
  }

  @Test func days_counted_back_are_the_days_of_the_range() {
    let days = ExchangeCalendar.days(500, endingOn: "2005-10-16")
    #expect(days.count == 500 && days.last == "2005-10-14")
    #expect(days == ExchangeCalendar.days(from: days[0], through: "2005-10-16"))
    #expect(ExchangeCalendar.days(-1, endingOn: "2005-10-14").isEmpty)
    #expect(ExchangeCalendar.days(10, endingOn: .earliest).count <= 1)
  }
}
