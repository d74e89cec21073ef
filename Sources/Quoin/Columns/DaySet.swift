/// A set of days that takes a bit or two per day if the days lie close together.
struct DaySet {
  /// Day `d` is bit `d & 63` of word `d >> 6`.
  private var words: [Int32: UInt64] = [:]

  func contains(_ day: TradingDay) -> Bool {
    (words[day.daysSince1970 >> 6] ?? 0) & 1 << UInt64(day.daysSince1970 & 63) != 0
  }

  /// Adds strictly ascending days.
  ///
  /// - Returns: the indices of the days that the set already had.
  mutating func insert(_ days: Span<TradingDay>) -> [Int] {
    var known: [Int] = []
    var start = 0
    while start < days.count {
      let key = days[start].daysSince1970 >> 6
      let word = words[key] ?? 0
      var added = word
      var end = start
      while end < days.count, days[end].daysSince1970 >> 6 == key {
        let bit: UInt64 = 1 << UInt64(days[end].daysSince1970 & 63)
        if word & bit != 0 { known.append(end) }
        added |= bit
        end += 1
      }
      words[key] = added
      start = end
    }
    return known
  }
}
