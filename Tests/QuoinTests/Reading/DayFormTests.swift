import Foundation
import Testing

@testable import Quoin

/// Days as people write them. The numbers are those of a log of other people's files.
@Suite struct DayFormTests {
  /// A file of days, each with a close of its own.
  private static func file(_ days: [String], quoted: Bool = false) -> String {
    let cells = days.enumerated().map { "\(quoted ? "\"\($1)\"" : $1),\($0 + 1)\n" }
    return "date,close\n" + cells.joined()
  }

  private static func rows(_ days: [String]) -> [String] {
    days.enumerated().map { ($1, $0 + 1) }.sorted { $0.0 < $1.0 }.map { "FDX \($0.0) - - - \($0.1) -" }
  }

  private static let read: [FormCase] = [
    FormCase(
      "80 month first", file(["January 19, 2024", "Jan 22, 2024", "Sept. 3 2024"], quoted: true),
      rows: rows(["2024-01-19", "2024-01-22", "2024-09-03"])),
    FormCase("81 points", file(["2024.01.19", "2024.1.22"]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase("93 a point behind", file(["19.01.2024.", "22.01.2024."]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase("93 Hungarian", file(["2024. 01. 19.", "2024. 1. 22."]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase("Japanese", file(["2024年01月19日", "2024年1月22日"]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase(
      "88 other languages",
      file(["19-Okt-2024", "19 juin 2024", "19 février 2024", "2 mayo 2024", "3 Dezember 2024", "4. März 2024"]),
      rows: rows(["2024-10-19", "2024-06-19", "2024-02-19", "2024-05-02", "2024-12-03", "2024-03-04"])),
    FormCase(
      "76 zones as words",
      file([
        "2024-01-19T00:00:00.000000000", "2024-01-22T00:00:00.000+0000", "2024-01-23 00:00:00 UTC",
        "2024-01-24 00:00:00 America/New_York",
      ]), rows: rows(["2024-01-19", "2024-01-22", "2024-01-23", "2024-01-24"])),
    FormCase(
      "78 two spaces", file(["20240119  16:00:00", "20240122 160000"]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase(
      "halves of a day", file(["1/19/2024 4:00:00 PM", "1/22/2024 12:00 am"]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase(
      "a day of the week", file(["Fri, 19 Jan 2024", "Monday, January 22, 2024"], quoted: true),
      rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase("67 seconds since 1970", file(["1705588200", "1705674600"]), rows: rows(["2024-01-18", "2024-01-19"])),
    FormCase("68 milliseconds", file(["1705536000000", "1705622400000"]), rows: rows(["2024-01-18", "2024-01-19"])),
    FormCase(
      "69 microseconds in Tokyo", file(["1705503600000000", "1705590000000000"]),
      { $0.timeZone = TimeZone(identifier: "Asia/Tokyo") }, rows: rows(["2024-01-18", "2024-01-19"])),
    FormCase("71 a spreadsheet's numbers", file(["45310", "45313"]), rows: rows(["2024-01-19", "2024-01-22"])),
    FormCase(
      "74 Tel Aviv", file(["2024-03-28 00:00:00+02:00", "2024-03-29 01:00:00+03:00"]),
      rows: rows(["2024-03-28", "2024-03-29"])),
    FormCase(
      "14 the year first, told by many days",
      file(["24/01/19", "24/01/22", "24/01/23", "24/01/24", "24/01/25", "24/01/31"]),
      rows: rows(["2024-01-19", "2024-01-22", "2024-01-23", "2024-01-24", "2024-01-25", "2024-01-31"])),
    FormCase(
      "the year last, told by many days",
      file(["19/01/24", "22/01/24", "23/01/24", "24/01/24", "25/01/24", "31/01/24"]),
      rows: rows(["2024-01-19", "2024-01-22", "2024-01-23", "2024-01-24", "2024-01-25", "2024-01-31"])),
    FormCase(
      "84 a time behind a format", file(["1/2/2024 16:00:00", "1/3/2024 16:00:00"]),
      { $0.dateFormat = DatePattern("%m/%d/%Y") }, rows: rows(["2024-01-02", "2024-01-03"])),
    FormCase(
      "85 a time in the format", file(["02.01.2024 16:00", "03.01.2024 16:00"]),
      { $0.dateFormat = DatePattern("%d.%m.%Y %H:%M") }, rows: rows(["2024-01-02", "2024-01-03"])),
    FormCase(
      "85 other directives", file(["January 2, 2024", "March 13, 2024"], quoted: true),
      { $0.dateFormat = DatePattern("%B %-d, %Y") }, rows: rows(["2024-01-02", "2024-03-13"])),
    FormCase(
      "14 decided", file(["24-01-02", "24-01-03"]), { $0.dateFormat = DatePattern("%y-%m-%d") },
      rows: rows(["2024-01-02", "2024-01-03"])),
    FormCase(
      "72 Tokyo", file(["2024-01-17T15:00:00Z", "2024-01-21T15:00:00Z"]),
      { $0.timeZone = TimeZone(identifier: "Asia/Tokyo") }, rows: rows(["2024-01-18", "2024-01-22"])),
    FormCase(
      "72 Berlin, summer and winter", file(["2024-01-18T23:00:00Z", "2024-07-18T22:00:00+00:00"]),
      { $0.timeZone = TimeZone(identifier: "Europe/Berlin") }, rows: rows(["2024-01-19", "2024-07-19"])),
    FormCase(
      "72 the days as they are written", file(["2024-01-19T21:00:00Z"]), { $0.timeZone = .gmt },
      rows: rows(["2024-01-19"])),
    FormCase(
      "moments before the day is over", file(["2024-01-19T23:59:59.999Z", "2024-01-20T23:59:59.999Z"]),
      rows: rows(["2024-01-19", "2024-01-20"])),
  ]

  @Test(arguments: read) func days_are_read_in_the_forms_of_many_files(_ form: FormCase) { form.check() }

  private static let refused: [FormCase] = [
    FormCase(
      "14 the year first or last", file(["24/01/19", "24/01/22"]),
      refused: "dates such as 24/01/19, which can be 2019-01-24 or 2024-01-19"),
    FormCase(
      "15 with hyphens", file(["24-01-02", "24-01-03", "24-01-04"]), refused: "which can be 2002-01-24 or 2024-01-02"),
    FormCase("three orders", file(["01-02-03"]), refused: "which can be 2003-01-02, 2003-02-01 or 2001-02-03"),
    FormCase("89 Finnish", file(["15 marraskuu 2024"]), refused: "not a date"),
    FormCase("89 words that begin like a month", file(["19-Marmalade-2024"]), refused: "not a date"),
    FormCase("79 no time", file(["2024-01-22T----"]), refused: "not a date"),
    FormCase("79 no time of the day", file(["2024-01-22T99:99:99"]), refused: "not a date"),
    FormCase("94 Taiwan's years", file(["113/01/19"]), refused: "not a date"),
    FormCase(
      "72 midnights of another zone", file(["2024-01-17T15:00:00Z", "2024-01-21T15:00:00Z"]),
      refused: "times such as 2024-01-17T15:00:00Z, which may be midnight in another time zone"),
    FormCase(
      "115 minutes", file(["2024-01-19 15:58:00", "2024-01-19 15:59:00"]),
      refused: "it has several times a day, such as 2024-01-19 15:59:00"),
    FormCase(
      "115 minutes in a column of their own", "date,time,close\n2024-01-19,09:30,1\n2024-01-19,09:31,2\n",
      refused: "several times a day"),
    FormCase(
      "116 weeks", "<TICKER>,<PER>,<DATE>,<TIME>,<CLOSE>\nX,W,20240112,000000,1\n", name: "x.csv",
      refused: "column <PER> says 'W'"),
    FormCase(
      "116 hours", "<TICKER>,<PER>,<DATE>,<TIME>,<CLOSE>\nX,60,20240112,100000,1\n", name: "x.csv",
      refused: "column <PER> says '60'"),
    FormCase("97 no such day", file(["2023-02-29"]), refused: "the calendar has no such day"),
  ]

  @Test(arguments: refused) func what_may_be_another_day_is_refused(_ form: FormCase) { form.check() }

  @Test func each_word_names_one_month() {
    let words = MonthNames.names.enumerated().flatMap { month, names in
      names.split(separator: " ").map { (String($0), month + 1) }
    }
    for (word, month) in words {
      #expect(
        MonthNames.number(of: word.utf8) == month && MonthNames.number(of: word.uppercased().utf8) == month, "\(word)")
    }
    #expect(MonthNames.number(of: "marraskuu".utf8) == nil && MonthNames.number(of: "ja".utf8) == nil)
  }

  @Test func directives_that_mean_nothing_are_named() {
    #expect(
      DatePattern.unknownDirective(in: "%d.%m.%Q") == "%Q"
        && DatePattern.unknownDirective(in: "%d.%m.%Y %H:%M:%S %p") == nil)
    #expect(DatePattern("%d.%m.%Y %H:%M:%S %p") != nil && DatePattern("%-m/%-d/%Y") != nil)
  }

  @Test func a_zone_far_from_utc_moves_a_day_both_ways() throws {
    let zones = [("Pacific/Kiritimati", "2024-01-20"), ("Pacific/Honolulu", "2024-01-19")]
    for (name, day) in zones {
      var options = ImportOptions()
      options.timeZone = TimeZone(identifier: name)
      #expect(try days("date,close\n2024-01-19T12:00:00Z,1\n", options) == [day], "\(name)")
    }
  }

  private func days(_ text: String, _ options: ImportOptions) throws -> [String] {
    try QuoinTests.rows(of: text, options: options).map { "\($0.date)" }
  }
}

/// Bars of parts of a day, which become rows of days.
@Suite struct BarsToDaysTests {
  private static let bars: [FormCase] = [
    FormCase(
      "minutes, newest first",
      "timestamp,open,high,low,close,volume\n2024-01-22 09:30:00,7,8,6,7.5,5\n2024-01-19 15:59:00,2,9,1,3,20\n2024-01-19 15:58:00,1,4,0.5,2,10\n",
      { $0.makesDaysOfBars = true },
      rows: ["FDX 2024-01-19 1 9 0.5 3 30", "FDX 2024-01-22 7 8 6 7.5 5"]),
    FormCase(
      "a column of times",
      "<TICKER>,<PER>,<DATE>,<TIME>,<OPEN>,<HIGH>,<LOW>,<CLOSE>,<VOL>\nX,60,20240119,100000,1,4,0.5,2,10\nX,60,20240119,093000,5,6,3,4,1\n",
      name: "x.csv", { $0.makesDaysOfBars = true },
      rows: ["X 2024-01-19 5 6 0.5 2 11"]),
    FormCase(
      "days of a zone",
      "date,open,close,volume\n2024-01-19T20:00:00Z,1,2,1\n2024-01-20T00:30:00Z,3,4,2\n2024-01-20T15:00:00Z,5,6,4\n",
      {
        $0.makesDaysOfBars = true
        $0.timeZone = TimeZone(identifier: "America/New_York")
      },
      rows: ["FDX 2024-01-19 1 - - 4 3", "FDX 2024-01-20 5 - - 6 4"]),
    FormCase(
      "seconds since 1970", "time,open,close,volume\n1705658400,1,2,1\n1705662000,3,4,2\n",
      { $0.makesDaysOfBars = true }, rows: ["FDX 2024-01-19 1 - - 4 3"]),
    FormCase(
      "a bar twice", "date,close,volume\n2024-01-19 09:30,1,2\n2024-01-19 09:30,1,2\n2024-01-19 09:31,2,2\n",
      { $0.makesDaysOfBars = true }, rows: ["FDX 2024-01-19 - - - 2 4"]),
    FormCase(
      "two bars of one time", "date,close,volume\n2024-01-19 09:30,1,2\n2024-01-19 09:30,1,3\n",
      { $0.makesDaysOfBars = true }, refused: "twice"),
    FormCase(
      "weeks stay refused", "<TICKER>,<PER>,<DATE>,<CLOSE>\nX,W,20240112,1\n", name: "x.csv",
      { $0.makesDaysOfBars = true }, refused: "says 'W'"),
    FormCase(
      "days stay days", "date,close\n2024-01-19,1\n2024-01-22,2\n", { $0.makesDaysOfBars = true },
      rows: ["FDX 2024-01-19 - - - 1 -", "FDX 2024-01-22 - - - 2 -"]),
  ]

  @Test(arguments: bars) func bars_of_parts_of_a_day_become_days(_ form: FormCase) { form.check() }

  @Test func no_size_of_a_buffer_divides_a_day() throws {
    var text = "date,open,high,low,close,volume\n"
    for day in 0..<30 {
      for minute in 0..<300 {
        text +=
          "\(TradingDay(daysSince1970: 19_000 + day)!) \(10 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60),\(minute),\(minute + 1),\(minute),\(minute),1\n"
      }
    }
    var options = ImportOptions()
    options.makesDaysOfBars = true
    for readByteCount in [1 << 10, 1 << 18] {
      var sink = MemorySink()
      _ = try importText(
        text, options: options, tuning: ImportTuning(readByteCount: readByteCount, bufferRowCount: 100), into: &sink)
      let rows = sink.rows("FDX")
      #expect(
        rows.count == 30 && rows.allSatisfy { $0.open == 0 && $0.high == 300 && $0.close == 299 && $0.volume == 300 })
    }
  }
}
