/// A unit of times that are counted from the beginning of 1970 in UTC. Dates of vendors are often such numbers.
enum EpochUnit: Int, CaseIterable, Sendable {
  case seconds, milliseconds, microseconds, nanoseconds

  /// How many of them are in a second.
  var countPerSecond: Int64 { [1, 1000, 1_000_000, 1_000_000_000][rawValue] }

  /// The day of such a time, as days are written: `2024-01-19`.
  ///
  /// - Parameters:
  ///   - text: the number; a fraction counts for nothing.
  ///   - secondsEast: how far the place's clock is ahead of UTC.
  /// - Returns: nil if the text is no number, or if the calendar has no such day.
  func dayText(_ text: some RandomAccessCollection<UInt8>, secondsEast: Int = 0) -> String? {
    day(text, secondsEast: secondsEast).map { "\($0)" }
  }

  /// The same as a day.
  func day(_ text: some RandomAccessCollection<UInt8>, secondsEast: Int = 0) -> TradingDay? {
    guard let (seconds, overflow) = seconds(text)?.addingReportingOverflow(Int64(secondsEast)), !overflow else {
      return nil
    }
    return TradingDay(daysSince1970: Int(Self.floor(seconds, 86_400)))
  }

  /// The whole seconds of such a time; nil if the text is no number.
  func seconds(_ text: some RandomAccessCollection<UInt8>) -> Int64? {
    Self.count(text).map { Self.floor($0, countPerSecond) }
  }

  /// The whole number that a text begins with, if after it there is at most a fraction.
  static func count(_ text: some RandomAccessCollection<UInt8>) -> Int64? {
    guard let decimal = DecimalText(text) else { return nil }
    let digits = text.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
    let whole = digits.prefix { $0 &- UInt8(ascii: "0") < 10 }
    let magnitude = decimal.wholeMagnitude ?? UInt64(String(decoding: whole, as: UTF8.self))
    guard let magnitude, let count = Int64(exactly: magnitude) else { return nil }
    return decimal.isNegative ? -count : count
  }

  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }
}

/// Finds the unit in which a column counts its times, from the sizes of all its values.
///
/// A time after March 1973 and before 2200 has a size that no other unit's has. Times around 1970 are smaller, so these are
/// taken for times only if they follow upon others: a 0 between times of today is none.
struct EpochSurvey {
  /// What all values together are.
  enum Finding: Equatable {
    case noTimes
    case times(EpochUnit)
    /// Some are of the one size and some of another.
    case mixed
  }

  /// The smallest and the largest magnitude of each size: of none, and of each unit.
  private var ranges = [ClosedRange<Int64>?](repeating: nil, count: EpochUnit.allCases.count + 1)
  private var numberCount = 0
  /// How many may also be a day and a time without marks: `202401190930`.
  private var clockCount = 0

  /// Looks at one more value. What is no number says nothing.
  mutating func insert(_ text: some RandomAccessCollection<UInt8>) {
    guard let count = EpochUnit.count(text), count != .min else { return }
    let magnitude = abs(count)
    numberCount += 1
    if Self.isClock(magnitude) { clockCount += 1 }
    let size = Self.size(magnitude)
    let range = ranges[size] ?? magnitude...magnitude
    ranges[size] = min(range.lowerBound, magnitude)...max(range.upperBound, magnitude)
  }

  /// Whether none of the values was a number.
  var isEmpty: Bool { numberCount == 0 }

  /// Whether one value by itself would be a time.
  static func isTime(_ text: some RandomAccessCollection<UInt8>) -> Bool {
    var survey = EpochSurvey()
    survey.insert(text)
    return survey.finding != .noTimes
  }

  var finding: Finding {
    guard let size = ranges.indices.last(where: { ranges[$0] != nil }), size > 0, clockCount < numberCount,
      let unit = EpochUnit(rawValue: size - 1), let range = ranges[size], range.lowerBound <= Self.latest(unit)
    else { return .noTimes }
    let smaller = ranges[..<size].compactMap { $0?.upperBound }.max() ?? range.lowerBound
    let isGap = range.lowerBound - smaller > 400 * 86_400 * unit.countPerSecond
    return isGap || range.upperBound > Self.latest(unit) ? .mixed : .times(unit)
  }

  /// 0 for a number that is no time of today in any unit, or one more than the unit's.
  private static func size(_ magnitude: Int64) -> Int {
    let unit = EpochUnit.allCases.last { magnitude >= 100_000_000 * $0.countPerSecond }
    return unit.map { $0.rawValue + 1 } ?? 0
  }

  /// The end of the year 2199.
  private static func latest(_ unit: EpochUnit) -> Int64 { 7_258_118_399 * unit.countPerSecond }

  /// The unit in which this number is a time after March 1973 and before 2200; nil if there is none.
  static func unit(_ count: Int64) -> EpochUnit? {
    guard count != .min, !isClock(abs(count)), let unit = EpochUnit(rawValue: size(abs(count)) - 1) else { return nil }
    return abs(count) <= latest(unit) ? unit : nil
  }

  private static func isClock(_ number: Int64) -> Bool {
    guard number >= 190_001_010_000, number <= 209_912_312_359 else { return false }
    let (day, month) = (Int(number / 10_000 % 100), Int(number / 1_000_000 % 100))
    let isDay = TradingDay(year: Int(number / 100_000_000), month: month, day: day) != nil
    return isDay && number / 100 % 100 < 24 && number % 100 < 60
  }
}
