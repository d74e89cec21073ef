import Quoin

typealias Collapse = CalendarPeriod.Collapse

extension Series {
  /// One row for each period, dated with the period's last day: each column's last value that is not missing.
  func collapsed(_ collapse: Collapse) -> Series {
    guard let period = collapse.period else { return self }
    let periods = rows(by: period)
    return Series(
      days: periods.map(\.end),
      columns: columns.map { column in
        switch column {
        case .doubles(let values): .doubles(Self.lastValues(of: values, in: periods))
        case .shares(let values): .shares(Self.lastValues(of: values, in: periods))
        case .integers(let values): .integers(Self.lastValues(of: values, in: periods))
        default: column
        }
      })
  }

  /// The rows of each period, and the period's last day.
  private func rows(by period: CalendarPeriod) -> [(rows: Range<Int>, end: TradingDay)] {
    var periods: [(rows: Range<Int>, end: TradingDay)] = []
    for (row, day) in days.enumerated() {
      if let last = periods.last, day <= last.end {
        periods[periods.count - 1].rows = last.rows.lowerBound..<(row + 1)
      } else {
        periods.append((row..<(row + 1), period.last(of: day)))
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
