/// Reads days such as `2005-10-14` from bytes.
///
/// Neighbouring rows mostly lie in the same month, so the parser keeps the last month: the same first eight bytes mean the
/// same month, and the day is one addition.
struct DayParser {
  // Sound: callers of `day` have 10 readable bytes at the place; a text that is remembered has at least 10.

  static let wrongForm = "not a date of the form YYYY-MM-DD"
  static let noSuchDay = "the calendar has no such day"
  static let missing = "the date is missing"

  /// `2005-10-` as a little-endian word, the last day before that month, and the month's length.
  private var monthText: UInt64 = 0
  private var dayBefore: Int32 = 0
  private var dayCount: Int32 = 0

  /// The day that the 10 bytes at `start` spell, or nil if they need a closer look.
  @inline(__always)
  func day(at start: UnsafePointer<UInt8>) -> TradingDay? {
    let text = unsafe UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
    let (tens, ones) = unsafe (start[8] &- UInt8(ascii: "0"), start[9] &- UInt8(ascii: "0"))
    guard tens < 10, ones < 10, text == monthText else { return nil }
    let day = Int32(tens) * 10 + Int32(ones)
    return day >= 1 && day <= dayCount ? TradingDay(unchecked: dayBefore + day) : nil
  }

  /// The day that the whole of `text` spells. A time of day after a `T` is ignored.
  mutating func parse(_ text: UnsafeRawBufferPointer) -> CellValue<TradingDay> {
    if text.count == 10, let start = unsafe text.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let day = unsafe day(at: start)
    {
      return .value(day)
    }
    if unsafe DecimalParser.isMissing(text) { return .missing }
    guard let (year, month, day) = unsafe Self.components(text) else { return .bad(Self.wrongForm) }
    guard let found = TradingDay(year: year, month: month, day: day) else { return .bad(Self.noSuchDay) }
    unsafe remember(text, found, day: day, year: year, month: month)
    return .value(found)
  }

  private mutating func remember(
    _ text: UnsafeRawBufferPointer, _ found: TradingDay, day: Int, year: Int, month: Int
  ) {
    unsafe monthText = UInt64(littleEndian: text.loadUnaligned(as: UInt64.self))
    dayBefore = found.daysSince1970 - Int32(day)
    dayCount = Int32((28...31).last { TradingDay(year: year, month: month, day: $0) != nil } ?? 28)
  }

  private static func components(_ text: UnsafeRawBufferPointer) -> (year: Int, month: Int, day: Int)? {
    guard text.count >= 10, unsafe text[4] == UInt8(ascii: "-"), unsafe text[7] == UInt8(ascii: "-"),
      let year = unsafe number(text[0..<4]), let month = unsafe number(text[5..<7]),
      let day = unsafe number(text[8..<10]), unsafe isTimeOfDay(text[10...])
    else { return nil }
    return (year, month, day)
  }

  private static func number(_ digits: Slice<UnsafeRawBufferPointer>) -> Int? {
    var value = 0
    for index in unsafe digits.indices {
      let digit = unsafe digits[index]
      guard digit &- UInt8(ascii: "0") < 10 else { return nil }
      value = value * 10 + Int(digit &- UInt8(ascii: "0"))
    }
    return value
  }

  /// Whether the text is empty, or like `T00:00:00.000Z`.
  private static func isTimeOfDay(_ text: Slice<UnsafeRawBufferPointer>) -> Bool {
    guard let first = unsafe text.first else { return true }
    return unsafe first == UInt8(ascii: "T") && text.dropFirst().allSatisfy { "0123456789:.+-Z".utf8.contains($0) }
  }
}
