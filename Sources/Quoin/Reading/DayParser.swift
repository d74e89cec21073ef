/// Reads days from bytes: `2005-10-14`, `20051014`, `2005/10/14`, `14-Oct-2005`, each also with a time of day, which is ignored; and
/// what the reading allows.
///
/// Neighboring rows mostly lie in the same month, so the parser keeps the last month: the same first bytes mean the same
/// month, and the day is one addition.
struct DayParser {
  static let wrongForm = "not a date of the form YYYY-MM-DD"
  static let noSuchDay = "the calendar has no such day"
  static let missing = "the date is missing"
  static let unknownOrder = "days of this form need a date format such as %m/%d/%Y"

  let reading: DateReading

  /// `2005-10-` (or `200510`) as a little-endian word, the last day before that month, and the month's length.
  private var monthText: UInt64 = 0
  private var compactMonthText: UInt64 = 0
  private var dayBefore: Int32 = 0
  private var dayCount: Int32 = 0

  init(reading: DateReading = .automatic) { self.reading = reading }

  /// The day of 10 bytes, or nil if they need a closer look: the first 8 as a little-endian word, then the digits of the day.
  @inline(__always)
  func day(_ text: UInt64, _ first: UInt8, _ second: UInt8) -> TradingDay? {
    guard text == monthText else { return nil }
    return day(first, second)
  }

  /// The day of 8 digits, or nil if they need a closer look.
  @inline(__always)
  func compactDay(_ text: UInt64) -> TradingDay? {
    guard text & 0xFFFF_FFFF_FFFF == compactMonthText else { return nil }
    return day(UInt8(truncatingIfNeeded: text >> 48), UInt8(truncatingIfNeeded: text >> 56))
  }

  @inline(__always)
  private func day(_ first: UInt8, _ second: UInt8) -> TradingDay? {
    let (tens, ones) = (first &- UInt8(ascii: "0"), second &- UInt8(ascii: "0"))
    guard tens < 10, ones < 10 else { return nil }
    let day = Int32(tens) * 10 + Int32(ones)
    return day >= 1 && day <= dayCount ? TradingDay(unchecked: dayBefore + day) : nil
  }

  /// The day that the whole of `text` spells.
  mutating func parse(_ text: TextView) -> CellValue<TradingDay> {
    if text.count == 10, let day = day(text.word(at: 0), text[8], text[9]) { return .value(day) }
    if DecimalParser.isMissing(text) { return .missing }
    if case .pattern(let pattern) = reading {
      guard let found = pattern.components(text) else { return .bad("not a date of the form \(pattern)") }
      return value(found)
    }
    if let found = Self.yearFirst(text) ?? Self.withMonthName(text) {
      let value = value(found)
      if case .value(let day) = value { remember(text, day, found) }
      return value
    }
    guard let (first, second, year) = Self.yearLast(text) else { return .bad(Self.wrongForm) }
    switch reading {
    case .monthFirst: return value(DateComponents(year: year, month: first, day: second))
    case .dayFirst: return value(DateComponents(year: year, month: second, day: first))
    case .automatic, .pattern: return .bad(Self.unknownOrder)
    }
  }

  private func value(_ found: DateComponents) -> CellValue<TradingDay> {
    TradingDay(year: found.year, month: found.month, day: found.day).map { .value($0) } ?? .bad(Self.noSuchDay)
  }

  private mutating func remember(_ text: TextView, _ day: TradingDay, _ found: DateComponents) {
    guard text.count >= 8 else { return }
    // Only one of the two forms is remembered, because the other's would accept what is none.
    if text[4] &- UInt8(ascii: "0") < 10 {
      (monthText, compactMonthText) = (0, text.word(at: 0) & 0xFFFF_FFFF_FFFF)
    } else if text.count >= 10, text[4] == text[7] {
      (monthText, compactMonthText) = (text.word(at: 0), 0)
    } else {
      return
    }
    dayBefore = day.daysSince1970 - Int32(found.day)
    dayCount = Int32((28...31).last { TradingDay(year: found.year, month: found.month, day: $0) != nil } ?? 28)
  }

  /// `2005-10-14`, `2005/10/14`, `20051014`, perhaps with a time of day.
  private static func yearFirst(_ text: TextView) -> DateComponents? {
    var scanner = DateScanner(text)
    var found = DateComponents()
    guard scanner.takeNumber(digits: 4...4, &found.year), let separator = scanner.next else { return nil }
    let isCompact = separator &- UInt8(ascii: "0") < 10
    guard isCompact || scanner.take(UInt8(ascii: "-")) || scanner.take(UInt8(ascii: "/")) else { return nil }
    let digits = separator == UInt8(ascii: "/") ? 1...2 : 2...2
    guard scanner.takeNumber(digits: digits, &found.month), isCompact || scanner.take(separator),
      scanner.takeNumber(digits: digits, &found.day)
    else { return nil }
    scanner.takeTimeOfDay()
    return scanner.isAtEnd ? found : nil
  }

  /// `2-Jan-18`, `2 Jan 2018`.
  private static func withMonthName(_ text: TextView) -> DateComponents? {
    var scanner = DateScanner(text)
    var found = DateComponents()
    guard scanner.takeNumber(digits: 1...2, &found.day), let separator = scanner.next, "-/. ".utf8.contains(separator),
      scanner.take(separator), scanner.takeMonthName(&found.month), scanner.take(separator),
      takeYear(&scanner, &found.year)
    else { return nil }
    scanner.takeTimeOfDay()
    return scanner.isAtEnd ? found : nil
  }

  /// The numbers of `1/2/2018`, perhaps with a time of day.
  static func yearLast(_ text: TextView) -> (first: Int, second: Int, year: Int)? {
    var scanner = DateScanner(text)
    var (first, second, year) = (0, 0, 0)
    guard scanner.takeNumber(digits: 1...2, &first), let separator = scanner.next, "/-.".utf8.contains(separator),
      scanner.take(separator), scanner.takeNumber(digits: 1...2, &second), scanner.take(separator),
      takeYear(&scanner, &year)
    else { return nil }
    scanner.takeTimeOfDay()
    return scanner.isAtEnd ? (first, second, year) : nil
  }

  private static func takeYear(_ scanner: inout DateScanner, _ year: inout Int) -> Bool {
    let start = scanner
    if scanner.takeNumber(digits: 4...4, &year) { return true }
    scanner = start
    return scanner.takeShortYear(&year)
  }
}
