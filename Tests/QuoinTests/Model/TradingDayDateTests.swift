import Foundation
import Quoin
import Testing

@Suite struct TradingDayDateTests {
  /// Zones whose clocks change at midnight, near it, by half an hour, and by a whole day.
  private static let zones =
    [
      "America/New_York", "America/Sao_Paulo", "America/Havana", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia",
      "Pacific/Kiritimati", "Europe/London",
    ].compactMap(TimeZone.init(identifier:)) + [-64_800, 0, 64_800].compactMap(TimeZone.init(secondsFromGMT:))

  @Test func a_moment_is_another_day_elsewhere() throws {
    let moment = Date(timeIntervalSince1970: 1_522_195_200)  // 2018-03-28T00:00:00Z
    #expect(TradingDay(moment, in: .gmt) == "2018-03-28")
    #expect(TradingDay(moment - 1, in: .gmt) == "2018-03-27")
    let newYork = try #require(TimeZone(identifier: "America/New_York"))
    #expect(TradingDay(moment, in: newYork) == "2018-03-27")
    #expect(("2018-03-28" as TradingDay).start(in: newYork) == moment + 4 * 3600)
  }

  @Test func a_day_begins_with_its_first_moment() throws {
    #expect(Self.zones.count == 11)
    for zone in Self.zones {
      for number in stride(from: 14_000, through: 19_000, by: 1) {
        let day = try #require(TradingDay(daysSince1970: number))
        let start = day.start(in: zone)
        // Samoa went from 2011-12-29 to 2011-12-31, and Kiritimati from 1994-12-31 to 1995-01-01.
        if zone.identifier == "Pacific/Apia", day == "2011-12-30" {
          #expect(start == day.advanced(by: 1)?.start(in: zone))
          continue
        }
        guard TradingDay(start, in: zone) == day,
          TradingDay(start - 1, in: zone) == day.advanced(by: -1)
            || zone.identifier == "Pacific/Apia" && day == "2011-12-31"
        else {
          Issue.record("\(day) begins at \(start) in \(zone)")
          return
        }
      }
    }
  }

  @Test func the_days_of_a_calendar_are_those_of_foundation() throws {
    var calendar = Calendar(identifier: .gregorian)
    for zone in Self.zones {
      calendar.timeZone = zone
      for number in stride(from: 14_000, through: 19_000, by: 13) {
        let day = try #require(TradingDay(daysSince1970: number))
        let (year, month, dayOfMonth) = day.components
        let noon = try #require(
          calendar.date(from: DateComponents(year: year, month: month, day: dayOfMonth, hour: 12)))
        guard day != "2011-12-30" || zone.identifier != "Pacific/Apia" else { continue }
        #expect(TradingDay(noon, in: zone) == day && calendar.startOfDay(for: noon) == day.start(in: zone))
      }
    }
  }

  @Test func every_day_of_the_calendar_goes_there_and_back() {
    for zone in Self.zones {
      for day in NastyValues.days { #expect(TradingDay(day.start(in: zone), in: zone) == day, "\(day) in \(zone)") }
    }
  }

  @Test func a_moment_outside_the_calendar_has_no_day() {
    for zone in Self.zones {
      for seconds in NastyValues.doubles where !(-62_135_683_200..<253_402_387_200).contains(seconds) {
        #expect(TradingDay(Date(timeIntervalSince1970: seconds), in: zone) == nil, "\(seconds)")
        #expect(TradingDay(Date(timeIntervalSinceReferenceDate: seconds), in: zone) == nil, "\(seconds)")
      }
      #expect(TradingDay(TradingDay.earliest.start(in: zone) - 1, in: zone) == nil)
      #expect(TradingDay(TradingDay.latest.start(in: zone) + 86_400, in: zone) == nil)
      for moment in [Date.distantPast, .distantFuture] { _ = TradingDay(moment, in: zone) }
    }
  }

  @Test func today_is_the_day_of_now() {
    for zone in Self.zones {
      let (before, today, after) = (Date.now, TradingDay.today(in: zone), Date.now)
      #expect(TradingDay(before, in: zone) == today || TradingDay(after, in: zone) == today)
    }
  }
}
