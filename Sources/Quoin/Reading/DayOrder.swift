/// Decides in which order the numbers of days such as `1/2/2018` and `24-01-02` stand, by the whole file: a number above 12 is no month, and
/// the days of a file lie close together and follow each other.
struct DayOrder {
  /// One order, as far as the days of the file allow it.
  private struct Reading {
    let reading: DateReading
    var first: TradingDay?
    var last: TradingDay?
    var previous: TradingDay?
    var rises = true
    var falls = true

    /// The days from the first to the last.
    var span: Int { (first?.daysSince1970).map { Int((last?.daysSince1970 ?? $0) - $0) } ?? 0 }
    var isSorted: Bool { rises || falls }

    mutating func note(_ day: TradingDay) {
      if let previous {
        if day < previous { rises = false }
        if day > previous { falls = false }
      }
      previous = day
      first = min(first ?? day, day)
      last = max(last ?? day, day)
    }
  }

  private var readings = [DateReading.monthFirst, .dayFirst, .yearFirst].map { Reading(reading: $0) }
  /// The last day by which an order was ruled out.
  private var decider: [UInt8]?
  /// A day that can be read in several ways.
  private var example: [UInt8]?
  private var count = 0
  private var hasLongYears = false

  /// The last orders that weren't ruled out are kept, so that their days are named as bad.
  mutating func note(_ text: TextView) {
    guard let written = DayText(text), case .numbers(_, _, _, let hasLongYear, _, _) = written else { return }
    count += 1
    if hasLongYear { hasLongYears = true }
    let days = readings.map { reading in
      written.components(reading.reading).flatMap { TradingDay(year: $0.year, month: $0.month, day: $0.day) }
    }
    if example == nil, Set(days.compactMap(\.self)).count > 1 { example = Array(text) }
    for index in readings.indices.reversed() {
      guard let day = days[index] else {
        readings.remove(at: index)
        decider = Array(text)
        continue
      }
      readings[index].note(day)
    }
  }

  /// Whether a day of this form was seen.
  var hasNumbers: Bool { count > 0 }

  /// Whether another day can't change the decision.
  var isDecided: Bool { readings.count < 2 || count == 0 }

  /// How the file's days are to be read.
  func reading(file: String) throws(ImportError) -> DateReading {
    guard let first = readings.first else { return .automatic }
    guard readings.count > 1, let example else { return first.reading }
    if let best { return best.reading }
    throw .ambiguousDates(
      file: file, example: ShownText.sanitized(example),
      readings: readings.compactMap { reading in
        example.withText { DayText($0)?.components(reading.reading) }.flatMap {
          TradingDay(year: $0.year, month: $0.month, day: $0.day)
        }
      }.map { "\($0)" })
  }

  /// Why the order is the one that it is, and a day in it.
  var reason: (text: String, day: [UInt8])? {
    guard let day = decider ?? example else { return nil }
    let shown = ShownText.sanitized(day)
    return readings.count > 1
      ? ("its days follow each other or lie close together only so", day) : ("\(shown) can't be read otherwise", day)
  }

  /// The order under which alone the days follow each other, or lie much closer together. Only years of two digits are told apart so: a
  /// wrong place for the year spreads the days over decades.
  private var best: Reading? {
    // So many that chance doesn't look like it: five random days have one day of the month once in a million files.
    guard !hasLongYears, count >= 5 else { return nil }
    let sorted = count >= 8 ? readings.filter(\.isSorted) : []
    let candidates = (sorted.isEmpty ? readings : sorted).sorted { $0.span < $1.span }
    guard candidates.count > 1 else { return candidates.first }
    let isYearMoved = (candidates[0].reading == .yearFirst) != (candidates[1].reading == .yearFirst)
    return isYearMoved && candidates[0].span * 8 + 31 < candidates[1].span ? candidates[0] : nil
  }
}
