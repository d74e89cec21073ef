// The calendar's periods, and the two choices of them that a user sees: how quotes are grouped (`Grouping`, in a file of its own)
// and how the rows of a series are collapsed (`CalendarPeriod.Collapse`). Both take their periods from their words, so that a
// case more in this file is all that another one needs.

/// A period of the calendar: a day, a week from Monday to Sunday, or one or more whole months.
public enum CalendarPeriod: String, CaseIterable, Hashable, Sendable {
  case day, week, month, quarter
  case halfYear = "half-year"
  case year

  /// The first day of the period that `day` lies in. Complexity: O(1).
  public func first(of day: TradingDay) -> TradingDay {
    switch length {
    case .days(let count): day.advanced(by: -(day.daysSinceFirstMonday % count)) ?? .earliest
    case .months(let count): Self.firstDay(ofMonth: day.monthNumber / count * count) ?? .earliest
    }
  }

  /// The last day of the period that `day` lies in; the calendar's last day if the period goes past it. Complexity: O(1).
  public func last(of day: TradingDay) -> TradingDay { next(after: day)?.advanced(by: -1) ?? .latest }

  /// The first day of the period after the one that `day` lies in; nil at the calendar's end. Complexity: O(1).
  public func next(after day: TradingDay) -> TradingDay? {
    switch length {
    case .days(let count): day.advanced(by: count - day.daysSinceFirstMonday % count)
    case .months(let count): Self.firstDay(ofMonth: (day.monthNumber / count + 1) * count)
    }
  }

  /// The rows of each period, and the period's last day, for rows of these days, which rise.
  package func stretches(of days: some Sequence<TradingDay>) -> [(rows: Range<Int>, lastDay: TradingDay)] {
    var stretches: [(rows: Range<Int>, lastDay: TradingDay)] = []
    for (row, day) in days.enumerated() {
      if let last = stretches.last, day <= last.lastDay {
        stretches[stretches.count - 1].rows = last.rows.lowerBound..<(row + 1)
      } else {
        stretches.append((row..<(row + 1), self.last(of: day)))
      }
    }
    return stretches
  }

  /// Any number of days, counted from 0001-01-01, which was a Monday, or of months, counted from January of the year 0.
  private enum Length {
    case days(Int)
    case months(Int)
  }

  private var length: Length {
    switch self {
    case .day: .days(1)
    case .week: .days(7)
    case .month: .months(1)
    case .quarter: .months(3)
    case .halfYear: .months(6)
    case .year: .months(12)
    }
  }

  /// How many days a period has at most.
  var dayCountMax: Int {
    switch length {
    case .days(let count): count
    case .months(let count): min(31 * count, 366)
    }
  }

  /// What is said of something that happens once a period; Quandl's word first.
  var adverbs: [String] {
    switch self {
    case .day: ["daily"]
    case .week: ["weekly"]
    case .month: ["monthly"]
    case .quarter: ["quarterly"]
    case .halfYear: ["semiannual", "half-yearly"]
    case .year: ["annual", "yearly"]
    }
  }

  private static func firstDay(ofMonth number: Int) -> TradingDay? {
    TradingDay(year: number / 12, month: number % 12 + 1, day: 1)
  }
}

extension TradingDay {
  /// Days since 0001-01-01, the calendar's first day and a Monday.
  fileprivate var daysSinceFirstMonday: Int { Int(daysSince1970) - Int(Self.earliest.daysSince1970) }

  /// Months since January of the year 0.
  fileprivate var monthNumber: Int {
    let (year, month, _) = components
    return year * 12 + month - 1
  }
}

extension CalendarPeriod {
  /// How often the rows of a series come, in Quandl's words. The last observation of each period stands for it.
  public enum Collapse: String, CaseIterable, Hashable, Sendable, Codable {
    case none, daily, weekly, monthly, quarterly, annual

    /// The period that each row stands for; nil if the rows stay as they are.
    public var period: CalendarPeriod? { CalendarPeriod.allCases.first { $0.adverbs.contains(rawValue) } }
  }
}

extension CalendarPeriod {
  /// The names of the periods that have more than one day.
  package static let barLengths = allCases.filter { $0 != .day }.map(\.rawValue)
}
