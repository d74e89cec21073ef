#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads days from bytes in the forms of `DayText`, each also with a time of day, and in what the reading allows.
///
/// Neighboring rows mostly lie in the same month, so the parser keeps the last month: the same first bytes mean the same
/// month, and the day is one addition.
struct DayParser {
  static let wrongForm = "not a date of the form YYYY-MM-DD"
  static let noSuchDay = "the calendar has no such day"
  static let missing = "the date is missing"
  static let unknownOrder = "days of this form need a date format such as %m/%d/%Y"

  let reading: DateReading
  /// The zone whose days count, for moments that say how far their clock is from UTC.
  let zone: TimeZone?

  /// The seconds of the day at which the time is behind the last day that was read; nil if there was none.
  private(set) var seconds: Int32?
  /// The last number of an epoch's units.
  private var lastTime: Int64?

  /// `2005-10-` (or `200510`) as a little-endian word, the last day before that month, and the month's length.
  private var monthText: UInt64 = 0
  private var compactMonthText: UInt64 = 0
  private var dayBefore: Int32 = 0
  private var dayCount: Int32 = 0

  init(reading: DateReading = .automatic, zone: TimeZone? = nil) { (self.reading, self.zone) = (reading, zone) }

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
    seconds = nil
    if text.count == 10, let day = day(text.word(at: 0), text[8], text[9]) { return .value(day) }
    if text.count == 8, let day = compactDay(text.word(at: 0)) { return .value(day) }
    if DecimalParser.isMissing(text) { return .missing }
    switch reading {
    case .pattern(let pattern):
      guard let found = pattern.components(text) else { return .bad("not a date of the form \(pattern)") }
      return value(found)
    case .serial: return Self.serialDay(text)
    case .epoch(let unit): return epochDay(text, unit)
    case .automatic, .monthFirst, .dayFirst, .yearFirst: break
    }
    switch DayText(text) {
    case .known(let found):
      let value = value(found)
      if case .value(let day) = value, found.time == nil || zone == nil { remember(text, day, found) }
      return value
    case let numbers?:
      guard let found = numbers.components(reading) else { return .bad(Self.unknownOrder) }
      return value(found)
    case nil: return .bad(Self.wrongForm)
    }
  }

  private mutating func value(_ found: DateComponents) -> CellValue<TradingDay> {
    guard let day = TradingDay(year: found.year, month: found.month, day: found.day) else {
      return .bad(Self.noSuchDay)
    }
    seconds = (found.time?.seconds).map { Int32($0) }
    guard let zone, let time = found.time, let offset = time.offset else { return .value(day) }
    return local(Int(day.daysSince1970) * 86_400 + time.seconds - offset, zone)
  }

  /// The day that it is at a moment in a zone.
  private mutating func local(_ moment: Int, _ zone: TimeZone) -> CellValue<TradingDay> {
    let date = Date(timeIntervalSince1970: Double(moment))
    guard let day = TradingDay(date, in: zone) else { return .bad(Self.noSuchDay) }
    seconds = Int32(moment + zone.secondsFromGMT(for: date) - Int(day.daysSince1970) * 86_400)
    return .value(day)
  }

  /// The day of a spreadsheet's number, which counts days since 1899-12-30; a fraction is a time.
  private static func serialDay(_ text: TextView) -> CellValue<TradingDay> {
    guard case .value(let number) = DecimalParser.double(text) else { return .bad(notSerial) }
    guard serialNumbers.contains(number), let day = TradingDay(daysSince1970: Int(number) - serialOf1970) else {
      return .bad(notSerial)
    }
    return .value(day)
  }

  private mutating func epochDay(_ text: TextView, _ unit: EpochUnit) -> CellValue<TradingDay> {
    guard let count = EpochUnit.count(text), isTime(count, unit), let seconds = unit.seconds(text) else {
      return .bad("not a number of \(unit) since 1970 like those before it")
    }
    lastTime = count
    guard let day = unit.day(text) else { return .bad(Self.noSuchDay) }
    if let zone { return local(Int(seconds), zone) }
    self.seconds = Int32(Int(seconds) - Int(day.daysSince1970) * 86_400)
    return .value(day)
  }

  /// Whether a number is a time in this unit by its size. Times around 1970 are small, so they have to be close to the one before.
  private func isTime(_ count: Int64, _ unit: EpochUnit) -> Bool {
    if EpochSurvey.unit(count) == unit { return true }
    guard let (distance, overflow) = lastTime.map(count.subtractingReportingOverflow), !overflow else { return false }
    return distance.magnitude / UInt64(unit.countPerSecond) < 400 * 86_400
  }

  static let serialOf1970 = 25_569
  /// 1927-05-18 to 2173-10-13: five digits.
  static let serialNumbers = 10_000.0..<100_000
  static let notSerial = "not a spreadsheet's number of a day"

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
}
