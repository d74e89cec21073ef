/// Consecutive periods: all months of a span of days, or all weeks.
struct Periods: Sendable {
  /// The first day of each period, ascending, and then the day after the last period.
  let starts: [Int32]

  /// The periods from that of one day to that of another.
  init(_ period: CalendarPeriod, over days: ClosedRange<TradingDay>) {
    var starts: [Int32] = []
    var next: TradingDay? = period.first(of: days.lowerBound)
    while let start = next, start <= days.upperBound {
      starts.append(start.daysSince1970)
      next = period.next(after: start)
    }
    self.starts = starts + [next?.daysSince1970 ?? TradingDay.latest.daysSince1970 + 1]
  }

  /// The first day of a period.
  func firstDay(of index: Int) -> TradingDay { TradingDay(unchecked: starts[index]) }

  /// Whether a day lies in one of the periods.
  func contains(_ day: Int64) -> Bool {
    Int64(starts[0]) <= day && day < Int64(starts[starts.count - 1])
  }

  /// The period that a day lies in; the first or the last for a day outside them all. Complexity: O(log periods), and O(1)
  /// for the period at `hint` and the one after it.
  func index(of day: Int64, near hint: Int = 0) -> Int {
    if contains(day, at: hint) { return hint }
    if contains(day, at: hint + 1) { return hint + 1 }
    return starts[1..<(starts.count - 1)].partitioningIndex { Int64($0) > day } - 1
  }

  /// The one period that all these days lie in; nil if there is none.
  func index(ofAll days: ClosedRange<TradingDay>, near hint: Int) -> Int? {
    let (first, last) = (Int64(days.lowerBound.daysSince1970), Int64(days.upperBound.daysSince1970))
    guard contains(first) else { return nil }
    let index = index(of: first, near: hint)
    return contains(last, at: index) ? index : nil
  }

  private func contains(_ day: Int64, at index: Int) -> Bool {
    index + 1 < starts.count && Int64(starts[index]) <= day && day < Int64(starts[index + 1])
  }
}
