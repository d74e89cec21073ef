import Testing

@testable import Quoin

@Suite struct EpochTimeTests {
  private func finding(_ texts: [String]) -> EpochSurvey.Finding {
    var survey = EpochSurvey()
    for text in texts { survey.insert(Array(text.utf8)) }
    return survey.finding
  }

  @Test(arguments: [
    (EpochUnit.seconds, "1514851200", 0, "2018-01-02"), (.milliseconds, "1514851200000", 0, "2018-01-02"),
    (.microseconds, "1514851200000000", 0, "2018-01-02"), (.nanoseconds, "1514851200000000000", 0, "2018-01-02"),
    (.seconds, "1514937599", 0, "2018-01-02"), (.seconds, "1514937600", 0, "2018-01-03"),
    (.seconds, "0", 0, "1970-01-01"),
    (.seconds, "-1", 0, "1969-12-31"), (.milliseconds, "-86400000", 0, "1969-12-31"),
    (.seconds, "1514937600.75", 0, "2018-01-03"),
    (.seconds, "1.5149376e9", 0, "2018-01-03"), (.seconds, "1514937600", -1, "2018-01-02"),
    (.seconds, "1514876400", 32_400, "2018-01-02"), (.milliseconds, "1514817000000", 32_400, "2018-01-01"),
  ])
  func a_time_is_a_day(_ unit: EpochUnit, _ text: String, _ east: Int, _ day: String) {
    #expect(unit.dayText(Array(text.utf8), secondsEast: east) == day)
  }

  @Test(arguments: [
    "", "x", "2018-01-02", "1e400", "9223372036854775807", "-9223372036854775808", "99999999999999999999999",
  ])
  func what_the_calendar_lacks_is_no_day(_ text: String) {
    #expect(EpochUnit.seconds.dayText(Array(text.utf8), secondsEast: 1) == nil)
  }

  @Test func the_whole_column_says_the_unit() {
    #expect(finding(["1514851200", "1514937600"]) == .times(.seconds))
    #expect(finding(["1514851200000"]) == .times(.milliseconds))
    #expect(finding(["1514851200000000", "1735689600000000"]) == .times(.microseconds))
    #expect(finding(["1514851200000000000"]) == .times(.nanoseconds))
    #expect(finding([]) == .noTimes && finding(["20180102", "20180103"]) == .noTimes)
    #expect(finding(["2018-01-02", "x"]) == .noTimes && finding(["5", "0"]) == .noTimes)
    // A day and a time without marks between them.
    #expect(finding(["201801020930", "201801030930"]) == .noTimes)
    #expect(finding(["20180102093000"]) == .noTimes)
    #expect(finding(["1735689600000", "1735689600000000"]) == .mixed)
    #expect(finding(["0", "1514851200"]) == .mixed && finding(["1514851200", "9000000000"]) == .mixed)
  }

  @Test func times_around_1970_are_read_where_others_lead_to_them() {
    for unit in EpochUnit.allCases {
      let days = stride(from: -3000, to: 19_000, by: 30).map { "\(Int64($0) * 86_400 * unit.countPerSecond)" }
      #expect(finding(days) == .times(unit))
      var reader = DayParser(reading: .epoch(unit))
      for (index, day) in days.enumerated() {
        let expected = TradingDay(daysSince1970: -3000 + 30 * index)
        guard case .value(expected) = TextView.with(day, { reader.parse($0) }) else {
          Issue.record("\(unit) \(day)")
          break
        }
      }
    }
  }

  @Test func a_time_of_another_unit_is_bad() {
    var reader = DayParser(reading: .epoch(.seconds))
    func day(_ text: String) -> CellValue<TradingDay> { TextView.with(text) { reader.parse($0) } }
    #expect(day("1514851200") == .value("2018-01-02") && day("1514937600") == .value("2018-01-03"))
    for text in ["1514937600000", "0", "x", "2018-01-04"] {
      #expect(day(text) == .bad("not a number of seconds since 1970 like those before it"), "\(text)")
    }
  }
}
