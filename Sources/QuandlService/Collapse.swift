import Quoin

/// How often the rows of a series come: every day, or once a period.
enum Collapse: String, CaseIterable {
  case none, daily, weekly, monthly, quarterly, annual

  /// The last day of a day's period, which stands for the period: Sunday, the end of the month, of the quarter or of
  /// the year; at the calendar's end, its last day. Nil when the rows stay as they are.
  func end(of day: TradingDay) -> TradingDay? {
    let (year, month, _) = day.components
    return switch self {
    case .none, .daily: nil
    case .weekly: day.advanced(by: (7 - day.weekday) % 7) ?? .latest
    case .monthly: Self.end(ofMonth: month, year)
    case .quarterly: Self.end(ofMonth: (month + 2) / 3 * 3, year)
    case .annual: Self.end(ofMonth: 12, year)
    }
  }

  private static func end(ofMonth month: Int, _ year: Int) -> TradingDay {
    let next = month == 12 ? (year: year + 1, month: 1) : (year: year, month: month + 1)
    return TradingDay(year: next.year, month: next.month, day: 1)?.advanced(by: -1) ?? .latest
  }
}

extension Series {
  /// One row for each period: of each column the last value in the period that is not missing.
  func collapsed(_ collapse: Collapse) -> Series {
    guard let first = days.first, collapse.end(of: first) != nil else { return self }
    let periods = periods(collapse)
    return Series(
      days: periods.map(\.end),
      columns: columns.map { column in
        switch column {
        case .doubles(let values): .doubles(Self.lastValues(of: values, in: periods))
        case .integers(let values): .integers(Self.lastValues(of: values, in: periods))
        default: column
        }
      })
  }

  /// The rows of each period, and its last day.
  private func periods(_ collapse: Collapse) -> [(rows: Range<Int>, end: TradingDay)] {
    var periods: [(rows: Range<Int>, end: TradingDay)] = []
    for (row, day) in days.enumerated() {
      if let last = periods.last, day <= last.end {
        periods[periods.count - 1].rows = last.rows.lowerBound..<(row + 1)
      } else {
        periods.append((row..<(row + 1), collapse.end(of: day) ?? day))
      }
    }
    return periods
  }

  private static func lastValues<Value: AttributeValue>(
    of values: ColumnBuffer<Value>, in periods: [(rows: Range<Int>, end: TradingDay)]
  ) -> ColumnBuffer<Value> {
    ColumnBuffer(periods.map { period in values[period.rows].last { !$0.isMissing } ?? .missing })
  }
}
