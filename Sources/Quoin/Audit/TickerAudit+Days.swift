// Days that a ticker shouldn't have, and those that it lacks.

extension TickerAudit {
  /// Looks for days that the rest of the market tells to be wrong.
  mutating func compare(_ days: [TradingDay], with market: MarketDays) {
    if options.rules.contains(.missingDay) { checkMissingDays(days, market) }
    if options.rules.contains(.gap) { checkGaps(market) }
    if options.rules.contains(.loneDay) { checkLoneDays(days, market) }
  }

  private mutating func checkMissingDays(_ days: [TradingDay], _ market: MarketDays) {
    let gaps = rowsAfterGaps.map { columns.days[$0 - 1]...columns.days[$0] }
    for count in market.missingDays(among: days) where !gaps.contains(where: { $0.contains(count.day) }) {
      note(.missingDay, count.day, Self.values(of: count))
    }
  }

  private mutating func checkLoneDays(_ days: [TradingDay], _ market: MarketDays) {
    for count in market.loneDays(among: days) where !count.day.isWeekend {
      note(.loneDay, count.day, Self.values(of: count))
    }
  }

  private static func values(of count: MarketDays.Count) -> [Value] {
    [
      Value("traded", Double(count.traded), like: .volume), Value("listed", Double(count.listed), like: .volume),
    ]
  }

  private mutating func checkGaps(_ market: MarketDays) {
    for row in rowsAfterGaps where columns.days[row] <= options.today {
      let (before, day) = (columns.days[row - 1], columns.days[row])
      let missingCount = market.busyDayCount(after: before, before: day)
      // A gap of the whole market is none of the ticker.
      if missingCount != 0 { noteGap(before, day, missingCount) }
    }
  }

  private mutating func noteGap(_ before: TradingDay, _ day: TradingDay, _ missingCount: Int?) {
    var values = [Value("days", Double(day.daysSince1970 - before.daysSince1970), like: .volume)]
    if let missingCount { values.append(Value("missing_days", Double(missingCount), like: .volume)) }
    note(.gap, day, values, dayBefore: before)
  }

  mutating func checkWeekend() {
    for row in rows where columns.days[row].isWeekend {
      let (traded, all) = weekendDayCounts(around: row)
      if traded * 4 >= all { continue }
      note(
        .weekend, row: row,
        [Value("traded", Double(traded), like: .volume), Value("weekend_days", Double(all), like: .volume)])
    }
  }

  /// On how many Saturdays and Sundays near a row's day the ticker has rows, and how many there are between its first and its
  /// last row.
  private func weekendDayCounts(around row: Int) -> (traded: Int, all: Int) {
    let (day, reach) = (columns.days[row].daysSince1970, Self.weekendReach)
    var nearby = row..<row + 1
    while nearby.lowerBound > rows.lowerBound, day - columns.days[nearby.lowerBound - 1].daysSince1970 <= reach {
      nearby = nearby.lowerBound - 1..<nearby.upperBound
    }
    while nearby.upperBound < rows.upperBound, columns.days[nearby.upperBound].daysSince1970 - day <= reach {
      nearby = nearby.lowerBound..<nearby.upperBound + 1
    }
    let first = max(day - reach, columns.days[rows.lowerBound].daysSince1970)
    let last = min(day + reach, columns.days[rows.upperBound - 1].daysSince1970)
    let all = (first...last).count { TradingDay(unchecked: $0).isWeekend }
    return (nearby.count { columns.days[$0].isWeekend }, all)
  }

  /// Four weeks.
  private static let weekendReach: Int32 = 28
}

extension TradingDay {
  /// Whether the day is a Saturday or a Sunday.
  fileprivate var isWeekend: Bool { weekday == 0 || weekday == 6 }
}

extension AuditedRows {
  /// Two rows that are further apart may have a gap between them.
  private static let gapDayCount: Int32 = 30
  /// It is one if they are so many times as far apart as half of the rows.
  private static let gapStepCount: Int32 = 10

  /// Those of a ticker's rows that come after a gap.
  func rowsAfterGaps(in rows: Range<Int>) -> [Int] {
    func step(_ row: Int) -> Int32 { days[row].daysSince1970 - days[row - 1].daysSince1970 }
    let far = rows.dropFirst().filter { step($0) > Self.gapDayCount }
    if far.isEmpty { return [] }
    let steps = rows.dropFirst().map(step).sorted()
    let usual = steps[(steps.count - 1) / 2]
    return far.filter { step($0) > usual * Self.gapStepCount }
  }
}
