/// A part of a quote's day, as a number.
public enum CalendarField: String, CaseIterable, Hashable, Sendable {
  /// 1 to 9999.
  case year
  /// 1 to 4.
  case quarter
  /// 1 to 12.
  case month
  /// 1 to 31.
  case day
  /// 1 for Monday to 7 for Sunday, as in ISO 8601.
  case weekday
  /// 1 to 366.
  case dayOfYear = "day_of_year"
  /// Days since 1970-01-01.
  case dayNumber = "day_number"

  /// What it is, in a sentence.
  var meaning: String {
    switch self {
    case .year: "The year."
    case .quarter: "The quarter of the year, from 1 to 4."
    case .month: "The month, from 1 to 12."
    case .day: "The day of the month, from 1 to 31."
    case .weekday: "The day of the week, from 1 for Monday to 7 for Sunday."
    case .dayOfYear: "The day of the year, from 1 to 366."
    case .dayNumber: "The number of days since 1970-01-01."
    }
  }

  /// What others call it.
  var synonyms: [String] {
    switch self {
    case .dayOfYear: ["dayofyear"]
    case .year, .quarter, .month, .day, .weekday, .dayNumber: []
    }
  }

  /// The part of `day`.
  func value(of day: TradingDay) -> Int {
    let (year, month, dayOfMonth) = day.components
    return switch self {
    case .year: year
    case .quarter: (month + 2) / 3
    case .month: month
    case .day: dayOfMonth
    case .weekday: (Int(day.daysSince1970) - Int(TradingDay.earliest.daysSince1970)) % 7 + 1
    case .dayOfYear: Int(day.daysSince1970) - Int(CalendarPeriod.year.first(of: day).daysSince1970) + 1
    case .dayNumber: Int(day.daysSince1970)
    }
  }

  /// What the part can be, of the days in a range.
  func bounds(_ days: ClosedRange<TradingDay>) -> ValueBounds {
    let range: ClosedRange<Double> =
      switch self {
      case .year: Double(days.lowerBound.components.year)...Double(days.upperBound.components.year)
      case .quarter: 1...4
      case .month: 1...12
      case .day: 1...31
      case .weekday: 1...7
      case .dayOfYear: 1...366
      case .dayNumber: Double(days.lowerBound.daysSince1970)...Double(days.upperBound.daysSince1970)
      }
    return ValueBounds(low: range.lowerBound, high: range.upperBound, mayBeMissing: false)
  }
}
