/// Reads days such as `2005-10-14` from bytes.
///
/// Neighboring rows mostly lie in the same month, so the parser keeps the last month: the same first eight bytes mean the
/// same month, and the day is one addition.
struct DayParser {
  static let wrongForm = "not a date of the form YYYY-MM-DD"
  static let noSuchDay = "the calendar has no such day"
  static let missing = "the date is missing"

  /// `2005-10-` as a little-endian word, the last day before that month, and the month's length.
  private var monthText: UInt64 = 0
  private var dayBefore: Int32 = 0
  private var dayCount: Int32 = 0

  /// The day of 10 bytes, or nil if they need a closer look: the first 8 as a little-endian word, then the digits of the day.
  @inline(__always)
  func day(_ text: UInt64, _ first: UInt8, _ second: UInt8) -> TradingDay? {
    let (tens, ones) = (first &- UInt8(ascii: "0"), second &- UInt8(ascii: "0"))
    guard tens < 10, ones < 10, text == monthText else { return nil }
    let day = Int32(tens) * 10 + Int32(ones)
    return day >= 1 && day <= dayCount ? TradingDay(unchecked: dayBefore + day) : nil
  }

  /// The day that the whole of `text` spells. A time of day after a `T` is ignored.
  mutating func parse(_ text: TextView) -> CellValue<TradingDay> {
    if text.count == 10, let day = day(text.word(at: 0), text[8], text[9]) { return .value(day) }
    if DecimalParser.isMissing(text) { return .missing }
    guard let (year, month, day) = Self.components(text) else { return .bad(Self.wrongForm) }
    guard let found = TradingDay(year: year, month: month, day: day) else { return .bad(Self.noSuchDay) }
    remember(text, found, day: day, year: year, month: month)
    return .value(found)
  }

  private mutating func remember(_ text: TextView, _ found: TradingDay, day: Int, year: Int, month: Int) {
    monthText = text.word(at: 0)
    dayBefore = found.daysSince1970 - Int32(day)
    dayCount = Int32((28...31).last { TradingDay(year: year, month: month, day: $0) != nil } ?? 28)
  }

  private static func components(_ text: TextView) -> (year: Int, month: Int, day: Int)? {
    guard text.count >= 10, text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"),
      let year = number(text[0..<4]), let month = number(text[5..<7]),
      let day = number(text[8..<10]), isTimeOfDay(text[10...])
    else { return nil }
    return (year, month, day)
  }

  private static func number(_ digits: Slice<TextView>) -> Int? {
    var value = 0
    for index in digits.indices {
      let digit = digits[index]
      guard digit &- UInt8(ascii: "0") < 10 else { return nil }
      value = value * 10 + Int(digit &- UInt8(ascii: "0"))
    }
    return value
  }

  /// Whether the text is empty, or like `T00:00:00.000Z`.
  private static func isTimeOfDay(_ text: Slice<TextView>) -> Bool {
    guard let first = text.first else { return true }
    return first == UInt8(ascii: "T") && text.dropFirst().allSatisfy { "0123456789:.+-Z".utf8.contains($0) }
  }
}
