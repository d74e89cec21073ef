/// Looks at the times that stand behind days: several on one day are bars of hours or minutes, and a moment in UTC may be the midnight of another zone.
struct TimeSurvey {
  /// A row with the same day as an earlier one of its ticker, and another time.
  private(set) var intraday: String?
  /// How far the clock of times since 1970 is ahead of UTC, where the text says that: then they are no moments in UTC.
  var secondsEast: Int?
  private var times: [[UInt8]: Int] = [:]
  private var count = 0
  private var foreignCount = 0
  private var example = ""
  private static let keyCountMax = 100_000

  mutating func note(_ text: TextView, ticker: [UInt8], clock: [UInt8]?, pattern: DateReading) {
    count += 1
    guard let (day, time) = parts(text, clock, pattern) else { return }
    let seconds = time.seconds
    // Midnight of a zone ahead of UTC: ten in the morning and later, on a quarter of an hour. New York's trade begins at half past.
    if time.offset == 0, seconds >= 36_000, seconds % 900 == 0, ![48_600, 52_200].contains(seconds) {
      foreignCount += 1
      if example.isEmpty { example = ShownText.sanitized(text) }
    }
    guard intraday == nil, times.count < Self.keyCountMax else { return }
    if let known = times.updateValue(seconds, forKey: ticker + [0] + day), known != seconds {
      intraday = ShownText.sanitized(text) + (clock.map { " " + ShownText.sanitized($0) } ?? "")
    }
  }

  /// A moment in UTC, if all rows have one that may be the midnight of a zone ahead.
  var foreignMidnight: String? { count > 0 && foreignCount == count ? example : nil }

  /// The day's bytes and the time behind it or in another column; nil if there is no time.
  private func parts(_ text: TextView, _ clock: [UInt8]?, _ pattern: DateReading) -> (
    day: [UInt8], time: DayTime
  )? {
    if let clock {
      guard let seconds = clock.withText({ Self.seconds(ofClock: $0) }) else { return nil }
      return (Array(text), DayTime(seconds: seconds))
    }
    if let count = EpochUnit.count(text), let unit = EpochSurvey.unit(count), let seconds = unit.seconds(text),
      let day = unit.day(text, secondsEast: secondsEast ?? 0)
    {
      let local = Int((seconds % 86_400 + 2 * 86_400 + Int64(secondsEast ?? 0)) % 86_400)
      return (Array("\(day)".utf8), DayTime(seconds: local, offset: secondsEast == nil ? 0 : nil))
    }
    var components: DateComponents?
    if case .pattern(let pattern) = pattern {
      components = pattern.components(text)
    } else if let written = DayText(text) {
      components = written.components(.dayFirst)
    }
    guard let components, let time = components.time else { return nil }
    return (Array("\(components.year)-\(components.month)-\(components.day)".utf8), time)
  }

  /// The seconds of `09:30`, `0930`, `93000`.
  static func seconds(ofClock text: TextView) -> Int? {
    let digits = text.filter { $0 &- 0x30 < 10 }
    guard !digits.isEmpty, digits.count <= 6, text.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x3A }) else { return nil }
    guard let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
    let (hour, minute, second) =
      digits.count > 4 ? (number / 10_000, number / 100 % 100, number % 100) : (number / 100, number % 100, 0)
    return hour <= 24 && minute < 60 && second <= 60 ? hour * 3600 + minute * 60 + second : nil
  }
}
