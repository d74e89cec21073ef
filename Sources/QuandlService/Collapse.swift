import Quoin

typealias Collapse = CalendarPeriod.Collapse

extension Series {
  /// One row for each period, dated with the period's last day: each column's last value that is not missing.
  func collapsed(_ collapse: Collapse) -> Series {
    guard let period = collapse.period else { return self }
    let periods = period.stretches(of: days)
    return Series(
      days: periods.map(\.lastDay),
      columns: columns.map { column in
        switch column {
        case .doubles(let values): .doubles(Self.lastValues(of: values, in: periods))
        case .shares(let values): .shares(Self.lastValues(of: values, in: periods))
        case .integers(let values): .integers(Self.lastValues(of: values, in: periods))
        default: column
        }
      })
  }

  private static func lastValues<Value: AttributeValue>(
    of values: ColumnBuffer<Value>, in periods: [(rows: Range<Int>, lastDay: TradingDay)]
  ) -> ColumnBuffer<Value> {
    ColumnBuffer(periods.map { period in values[period.rows].last { !$0.isMissing } ?? .missing })
  }
}
