// Aggregates of groups, row by row: the sums in whole numbers, the days by their written dates.

@testable import Quoin

/// Rows of one group, by ticker; of several tickers only without grouping.
struct NaiveGroup {
  typealias Rows = [(ticker: TickerSymbol, rows: [Int])]

  var parts: Rows
  var period: TradingDay?

  /// The functions that are measured block by block; `NaiveGroups` has them all.
  static let ofBlocks: [Aggregation.Function] = [.count, .min, .max, .sum, .mean, .first, .last]

  var rowCount: Int { parts.reduce(0) { $0 + $1.rows.count } }

  /// The groups of an answer; of each ticker in order of days.
  static func groups(_ answer: Rows, _ market: [TickerSymbol: QuoteColumns], _ grouping: Grouping?) -> [NaiveGroup] {
    let ascending = answer.map { (ticker: $0.ticker, rows: $0.rows.sorted()) }
    guard let grouping else {
      // The rows of all tickers by day; of one day in the order of tickers.
      let rows = ascending.flatMap { ticker, rows in
        rows.map { (day: market[ticker]?.days[$0], ticker: ticker, row: $0) }
      }
      let byDay = rows.enumerated().sorted { a, b in
        guard let x = a.element.day, let y = b.element.day, x != y else { return a.offset < b.offset }
        return x < y
      }
      return [NaiveGroup(parts: byDay.map { ($0.element.ticker, [$0.element.row]) })]
    }
    var groups: [NaiveGroup] = []
    for (ticker, rows) in ascending {
      guard let period = grouping.onlyPeriod, let days = market[ticker]?.days else {
        groups.append(NaiveGroup(parts: [(ticker, rows)]))
        continue
      }
      for (index, row) in rows.enumerated() {
        let first = firstDay(of: period, days[row])
        if index > 0, groups[groups.count - 1].period == first {
          groups[groups.count - 1].parts[0].rows.append(row)
        } else {
          groups.append(NaiveGroup(parts: [(ticker, [row])], period: first))
        }
      }
    }
    return groups
  }

  /// The first day of the months that make up a period, and of a week its Monday.
  static func firstDay(of period: CalendarPeriod, _ day: TradingDay) -> TradingDay {
    guard let monthCount = ["month": 1, "quarter": 3, "half-year": 6, "year": 12][period.rawValue] else {
      precondition(period == .week, "\(period)")
      var monday = day
      while monday.weekday != 1, let before = monday.advanced(by: -1) { monday = before }
      return monday
    }
    let text = day.description
    var months = Int(text.prefix(4))! * 12 + Int(text.dropFirst(5).prefix(2))! - 1
    while months % monthCount != 0 { months -= 1 }
    // The first decade begins before the calendar.
    return TradingDay(year: months / 12, month: months % 12 + 1, day: 1) ?? .earliest
  }

  static func cells(_ key: TypedAttribute<Double>, _ parts: Rows, _ market: [TickerSymbol: QuoteColumns]) -> [Double] {
    parts.flatMap { part in part.rows.map { market[part.ticker]?[key][$0] ?? .missing } }
  }

  static func cells(_ key: TypedAttribute<Int64>, _ parts: Rows, _ market: [TickerSymbol: QuoteColumns]) -> [Int64] {
    parts.flatMap { part in part.rows.map { market[part.ticker]?[key][$0] ?? .missing } }
  }

  /// Whether the element of a column is the aggregate of the group.
  func isRight(
    _ column: AggregateColumn, _ index: Int, _ aggregation: Aggregation, _ market: [TickerSymbol: QuoteColumns]
  ) -> Bool {
    guard let name = aggregation.attribute else { return false }
    if let key = TypedAttribute<Double>(name: name) {
      return isRight(column, index, aggregation.function, Self.cells(key, parts, market).filter { !$0.isNaN })
    }
    guard let key = TypedAttribute<Int64>(name: name) else { return false }
    return isRight(column, index, aggregation.function, Self.cells(key, parts, market).filter { $0 != .min })
  }

  private func isRight(
    _ column: AggregateColumn, _ index: Int, _ function: Aggregation.Function, _ values: [Double]
  ) -> Bool {
    if case .integers(let counts) = column { return function == .count && counts[index] == values.count }
    guard case .doubles(let results) = column else { return false }
    let result = results[index]
    if values.isEmpty { return result.isNaN }
    switch function {
    case .count: return false
    case .min: return isSame(result, values.min())
    case .max: return isSame(result, values.max())
    case .first: return isSame(result, values[0])
    case .last: return isSame(result, values[values.count - 1])
    case .sum: return result.isFinite ? isSum(result, of: values) : isSame(result, NaiveSum.sum(values))
    case .mean: return isSame(result, NaiveSum.mean(values))
    default: return false
    }
  }

  private func isRight(
    _ column: AggregateColumn, _ index: Int, _ function: Aggregation.Function, _ values: [Int64]
  ) -> Bool {
    let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
    switch (function, column) {
    case (.count, .integers(let results)): return results[index] == values.count
    case (.min, .integers(let results)): return results[index] == values.min() ?? .min
    case (.max, .integers(let results)): return results[index] == values.max() ?? .min
    case (.first, .integers(let results)): return results[index] == values.first ?? .min
    case (.last, .integers(let results)): return results[index] == values.last ?? .min
    case (.sum, .sums(let results)): return results[index] == (values.isEmpty ? .min : sum)
    case (.mean, .doubles(let results)):
      return values.isEmpty ? results[index].isNaN : results[index] == NaiveSum.mean(values)
    default: return false
    }
  }
}

/// Whether `sum` is the sum of values, rounded once.
func isSum(_ sum: Double, of values: [Double]) -> Bool {
  let infinite = values.filter(\.isInfinite)
  if let first = infinite.first { return infinite.allSatisfy { $0 == first } ? sum == first : sum.isNaN }
  var exact = LongSum()
  for value in values { exact.add(value) }
  return exact.isRounded(to: sum)
}

/// Whether a result is a number; what isn't finite is missing.
func isSame(_ result: Double, _ expected: Double?) -> Bool {
  guard let expected, expected.isFinite else { return result.isNaN }
  return result == expected
}
