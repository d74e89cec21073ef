/// A calendar day without a time zone, in the proleptic Gregorian calendar, from 0001-01-01 to 9999-12-31.
///
/// Stored as the number of days since 1970-01-01; the conversions follow Howard Hinnant's "chrono-compatible low-level
/// date algorithms", which count years from March so that the leap day comes last.
public struct TradingDay: Hashable, Sendable, BitwiseCopyable {
  /// Days since 1970-01-01; negative before.
  public let daysSince1970: Int32

  /// The calendar's first day, 0001-01-01.
  public static let earliest = TradingDay(unchecked: -719_162)
  /// The calendar's last day, 9999-12-31.
  public static let latest = TradingDay(unchecked: 2_932_896)

  init(unchecked daysSince1970: Int32) { self.daysSince1970 = daysSince1970 }

  /// The day this many days after 1970-01-01, or nil outside the years 1 to 9999.
  public init?(daysSince1970: Int) {
    guard let day = Int32(exactly: daysSince1970),
      day >= Self.earliest.daysSince1970, day <= Self.latest.daysSince1970
    else { return nil }
    self.init(unchecked: day)
  }

  /// The day of this date, or nil when the calendar has no such date.
  public init?(year: Int, month: Int, day: Int) {
    guard Limits.years.contains(year), (1...12).contains(month), day >= 1, day <= Self.dayCount(month, of: year)
    else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let era = marchYear / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    self.init(unchecked: Int32(era * 146_097 + dayOfEra - 719_468))
  }

  /// The day that an ISO 8601 date `YYYY-MM-DD` names, or nil when it names none.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date's year, month and day.
  public var components: (year: Int, month: Int, day: Int) {
    let days = Int(daysSince1970) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  /// The day `count` days later (earlier when negative), or nil past the calendar's ends.
  public func advanced(by count: Int) -> TradingDay? {
    let (sum, overflow) = Int(daysSince1970).addingReportingOverflow(count)
    return overflow ? nil : TradingDay(daysSince1970: sum)
  }

  /// The day of the week, 0 for Sunday to 6 for Saturday.
  public var weekday: Int { ((Int(daysSince1970) + 4) % 7 + 7) % 7 }

  private static func dayCount(_ month: Int, of year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      value = value * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return value
  }
}

extension TradingDay: Comparable {
  /// Whether `a` is earlier than `b`.
  public static func < (a: Self, b: Self) -> Bool { a.daysSince1970 < b.daysSince1970 }
}

extension TradingDay: CustomStringConvertible {
  /// The date as ISO 8601 writes it: `2005-10-14`.
  public var description: String {
    let (year, month, day) = components
    func padded(_ value: Int, _ width: Int) -> String {
      let digits = String(value)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}

extension TradingDay: ExpressibleByStringLiteral {
  /// The day that a literal `YYYY-MM-DD` names. Traps when there is no such day; use `init(_:)` for text from outside.
  public init(stringLiteral text: String) {
    guard let day = Self(text) else { preconditionFailure("'\(text)' isn't a date of the form YYYY-MM-DD") }
    self = day
  }
}
