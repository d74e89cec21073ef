/// The periods of the calendar that some days fall into.
struct PeriodCalendar: Sendable {
  /// The first day of each period, rising, and of the one after the last.
  let starts: [Int32]

  /// The weeks, months, quarters or years from one day to another.
  init(_ grouping: Grouping, over days: ClosedRange<TradingDay>) {
    var starts: [Int32] = []
    var start = Self.start(grouping, of: days.lowerBound)
    while start <= days.upperBound.daysSince1970 {
      starts.append(start)
      start = Self.successor(grouping, of: start)
    }
    self.starts = starts + [start]
  }

  /// The first day of a period.
  func firstDay(of index: Int) -> TradingDay { TradingDay(unchecked: starts[index]) }

  /// Whether a day lies in one of the periods.
  func contains(_ day: Int64) -> Bool {
    Int64(starts[0]) <= day && day < Int64(starts[starts.count - 1])
  }

  /// The period of a day that lies in one. Complexity: O(log periods), and O(1) for the period at `hint` and the next.
  func index(of day: Int64, near hint: Int = 0) -> Int {
    if contains(day, at: hint) { return hint }
    if contains(day, at: hint + 1) { return hint + 1 }
    var (low, high) = (0, starts.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if Int64(starts[middle]) <= day { low = middle } else { high = middle }
    }
    return low
  }

  /// The one period that all these days lie in; nil when there is none.
  func index(ofAll days: ClosedRange<TradingDay>, near hint: Int) -> Int? {
    let (first, last) = (Int64(days.lowerBound.daysSince1970), Int64(days.upperBound.daysSince1970))
    guard contains(first) else { return nil }
    let index = index(of: first, near: hint)
    return contains(last, at: index) ? index : nil
  }

  private func contains(_ day: Int64, at index: Int) -> Bool {
    index + 1 < starts.count && Int64(starts[index]) <= day && day < Int64(starts[index + 1])
  }

  private static func start(_ grouping: Grouping, of day: TradingDay) -> Int32 {
    let (year, month, _) = day.components
    return switch grouping {
    case .ticker: day.daysSince1970
    case .week: day.daysSince1970 - Int32((day.weekday + 6) % 7)
    case .month: firstDay(year, month)
    case .quarter: firstDay(year, (month - 1) / 3 * 3 + 1)
    case .year: firstDay(year, 1)
    }
  }

  private static func successor(_ grouping: Grouping, of start: Int32) -> Int32 {
    let (year, month, _) = TradingDay(unchecked: start).components
    let months =
      switch grouping {
      case .ticker, .week: 0
      case .month: 1
      case .quarter: 3
      case .year: 12
      }
    guard months > 0 else { return start + 7 }
    return month + months > 12 ? firstDay(year + 1, month + months - 12) : firstDay(year, month + months)
  }

  /// The first day of a month; of one past the calendar's end, the day after that.
  private static func firstDay(_ year: Int, _ month: Int) -> Int32 {
    TradingDay(year: year, month: month, day: 1)?.daysSince1970 ?? TradingDay.latest.daysSince1970 + 1
  }
}
