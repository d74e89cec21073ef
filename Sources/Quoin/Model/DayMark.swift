/// A day, or one that is counted from the newest day of the quotes that are asked: `2018-01-02`, `last`, `last - 1 year`.
package enum DayMark: Hashable, Sendable {
  case day(TradingDay)
  /// So many months after the newest day, and so many days after that; before it, if the numbers are negative.
  case newest(months: Int, days: Int)

  package static let last = DayMark.newest(months: 0, days: 0)

  /// The day, if quotes have this newest one. Beyond the calendar's ends it is the nearest day.
  package func day(newest: TradingDay) -> TradingDay {
    switch self {
    case .day(let day): return day
    case .newest(let months, let days):
      let day = newest.advanced(byMonths: months)
      return day.advanced(by: days) ?? (days < 0 ? .earliest : .latest)
    }
  }

  /// The day so many days later; nil past the calendar's ends.
  func advanced(by count: Int) -> DayMark? {
    switch self {
    case .day(let day): day.advanced(by: count).map { .day($0) }
    case .newest(let months, let days): .newest(months: months, days: days + count)
    }
  }

  /// Whether it is later than another one, whatever the newest day is.
  package func isLater(than other: DayMark) -> Bool {
    switch (self, other) {
    case (.day(let a), .day(let b)): a > b
    case (.newest(let months, let days), .newest(let otherMonths, let otherDays)):
      months >= otherMonths && days >= otherDays && self != other
    default: false
    }
  }

  /// A length of time that days are counted by.
  package enum Unit: CaseIterable, Sendable {
    case day, week, month, quarter, year

    /// The unit that a word names: `day`, `days`, `d`.
    package init?(_ word: String) {
      let word = word.lowercased()
      let unit = Self.allCases.first { [$0.name, "\($0.name)s", String($0.name.prefix(1))].contains(word) }
      guard let unit else { return nil }
      self = unit
    }

    package var name: String { "\(self)" }
  }

  /// The day so many units later, or earlier if the number is negative; nil if it is further than any calendar.
  package func advanced(by count: Int, _ unit: Unit) -> DayMark? {
    guard case .newest(let months, let days) = self, abs(count) <= Self.countMax else { return nil }
    return switch unit {
    case .day: .newest(months: months, days: days + count)
    case .week: .newest(months: months, days: days + 7 * count)
    case .month: .newest(months: months + count, days: days)
    case .quarter: .newest(months: months + 3 * count, days: days)
    case .year: .newest(months: months + 12 * count, days: days)
    }
  }

  /// There are fewer days between the calendar's ends.
  package static let countMax = 4_000_000
}

extension DayMark {
  /// What a text says: a date, `last`, `last - 30 days`, `last - 1 year`, or without the word, but with a unit, `-30d`, `-1y`. Nil if
  /// it says none.
  package init?(_ text: String) {
    if let day = TradingDay(text) {
      self = .day(day)
      return
    }
    var rest = text.lowercased()[...]
    rest.dropSpaces()
    let hasWord = rest.hasPrefix("last")
    if hasWord { rest = rest.dropFirst(4) } else if !rest.hasPrefix("-") { return nil }
    var mark = DayMark.last
    rest.dropSpaces()
    while let sign = rest.first {
      guard sign == "-" || sign == "+" else { return nil }
      rest = rest.dropFirst()
      rest.dropSpaces()
      let digits = rest.prefix { ("0"..."9").contains($0) }
      rest = rest.dropFirst(digits.count)
      rest.dropSpaces()
      let word = rest.prefix { ("a"..."z").contains($0) }
      rest = rest.dropFirst(word.count)
      rest.dropSpaces()
      // `-001-01-01` is no number of days, but a date of nowhere.
      guard let count = Int(digits), digits == "\(count)",
        let unit = word.isEmpty && hasWord ? .day : Unit(String(word)),
        let next = mark.advanced(by: sign == "-" ? -count : count, unit)
      else { return nil }
      mark = next
    }
    self = mark
  }
}

extension Substring {
  fileprivate mutating func dropSpaces() { self = drop { $0 == " " } }
}

extension DayMark: CustomStringConvertible {
  /// As it is written: `last - 1 month - 2 days`.
  package var description: String {
    switch self {
    case .day(let day): return "\(day)"
    case .newest(let months, let days):
      let (count, unit) = months % 12 == 0 ? (months / 12, "year") : (months, "month")
      return "last" + Self.text(count, unit) + Self.text(days, "day")
    }
  }

  private static func text(_ count: Int, _ unit: String) -> String {
    count == 0 ? "" : " \(count < 0 ? "-" : "+") \(count.magnitude) \(unit)\(count.magnitude == 1 ? "" : "s")"
  }
}

extension TradingDay {
  /// The same day of another month, or that month's last one if it has no such day; the nearest day beyond the calendar's ends.
  fileprivate func advanced(byMonths count: Int) -> TradingDay {
    let (year, month, day) = components
    let number = year * 12 + month - 1 + count
    guard Limits.years.contains(number / 12), number >= 0 else { return count < 0 ? .earliest : .latest }
    for day in (1...day).reversed() {
      if let result = TradingDay(year: number / 12, month: number % 12 + 1, day: day) { return result }
    }
    return self
  }
}

/// Days from one to another, both included; nil leaves that end open.
package struct DayBounds: Hashable, Sendable {
  package let first: DayMark?
  package let last: DayMark?

  package init(first: DayMark? = nil, last: DayMark? = nil) { (self.first, self.last) = (first, last) }

  package static let all = DayBounds()

  package var isRelative: Bool {
    [first, last].contains { mark in if case .newest = mark { true } else { false } }
  }

  /// The days, if quotes have this newest one; nil if there are none.
  func days(newest: TradingDay) -> ClosedRange<TradingDay>? {
    let (first, last) = (first?.day(newest: newest) ?? .earliest, last?.day(newest: newest) ?? .latest)
    return first <= last ? first...last : nil
  }
}

extension DayBounds: CustomStringConvertible {
  /// As a condition: `date >= last - 30 days`.
  package var description: String {
    switch (first, last) {
    case (nil, nil): "date <= \(TradingDay.latest)"
    case (let first?, nil): "date >= \(first)"
    case (nil, let last?): "date <= \(last)"
    case (let first?, let last?): first == last ? "date = \(first)" : "date between \(first) and \(last)"
    }
  }
}
