/// Aggregates of groups of quotes, as columns, with a row for each group that has quotes. Rows come in the order of the
/// grouping's keys: tickers in the order in which the query names them (all tickers: ascending), periods, weekdays and values
/// rising.
/// Without grouping there is one row.
public struct AggregateTable: Sendable {
  /// The grouping of the query; nil if one row stands for all quotes.
  public let grouping: Grouping?
  /// The number of groups that have quotes; 1 without grouping.
  public let rowCount: Int
  /// The ticker of each row; empty if groups have rows of all tickers.
  public let tickers: TickerColumn
  /// The aggregations of the query, in the order of `columns`.
  public let aggregations: [Aggregation]

  /// The values of the grouping's keys but the ticker: days, weekdays as numbers, values of expressions.
  private let keyColumns: [KeyColumn]
  private let groupColumns: [GroupColumn]

  init(
    grouping: Grouping?, rowCount: Int, tickers: TickerColumn, aggregations: [Aggregation],
    keys: [KeyColumn], columns: [GroupColumn]
  ) {
    self.grouping = grouping
    self.rowCount = rowCount
    self.tickers = tickers
    self.aggregations = aggregations
    (keyColumns, groupColumns) = (keys, columns)
  }

  /// The first day of each row's period by the calendar, a Monday for weeks; empty unless grouped by periods. With several
  /// periods in the grouping, it is the first of them. Complexity: O(rows) the first time, then O(1).
  public var periods: [TradingDay] { grouping?.keys.first { $0.period != nil }.map(periods) ?? [] }

  /// The first day of each row's period of this key of the grouping; empty if it isn't one, or no period. Complexity: O(rows)
  /// the first time, then O(1).
  public func periods(_ key: Grouping.Key) -> [TradingDay] {
    guard case .days(let days) = keyColumn(key) else { return [] }
    return days.array
  }

  /// The day of the week of each row, 1 for Monday to 7 for Sunday; empty unless grouped by weekdays. Complexity: O(rows).
  public var weekdays: [Int] {
    guard case .weekdays(let numbers) = keyColumn(.weekday) else { return [] }
    return numbers.map { Int($0) }
  }

  /// The values of an expression of this name by which groups are, one a row, nil where it is missing; empty if there is none.
  /// Complexity: O(rows).
  public func values(_ name: String) -> [Double?] {
    let key = (grouping?.keys ?? []).first { $0.expression != nil && $0.name == name }
    guard let key, case .values(let values, _) = keyColumn(key) else { return [] }
    return values.map { $0.isNaN ? nil : $0 }
  }

  package func keyColumn(_ key: Grouping.Key) -> KeyColumn? {
    let keys = (grouping?.keys ?? []).filter { $0 != .ticker }
    return keys.firstIndex(of: key).map { keyColumns[$0] }
  }

  /// The value of a key of the grouping in a row, as text; nil if it is missing.
  package func text(of key: Grouping.Key, at row: Int) -> String? {
    switch keyColumn(key) {
    case nil: "\(tickers[row])"
    case .days(let days): "\(days[row])"
    case .weekdays(let numbers): "\(numbers[row])"
    case .values(let values, let areWhole):
      values[row].isNaN ? nil : (areWhole ? Int64(exactly: values[row]).map { "\($0)" } : nil) ?? "\(values[row])"
    }
  }

  /// A number for each row, which is the same in rows that share a key's value.
  func codes(of key: Grouping.Key) -> [Int64] {
    switch keyColumn(key) {
    case nil: tickers.places.map { Int64($0) }
    case .days(let days): days.map { Int64($0.daysSince1970) }
    case .weekdays(let numbers): numbers.map { Int64($0) }
    case .values(let values, _): values.map { $0.isNaN ? .max : $0.wholeNumberInOrder }
    }
  }

  /// The same groups with other aggregations: of these, or with these columns.
  func with(_ aggregations: [Aggregation], _ columns: [Aggregation: GroupColumn]) -> AggregateTable {
    let all = columns.merging(zip(self.aggregations, groupColumns)) { first, _ in first }
    return AggregateTable(
      grouping: grouping, rowCount: rowCount, tickers: tickers, aggregations: aggregations, keys: keyColumns,
      columns: aggregations.compactMap { all[$0] })
  }

  /// The rows as groups by the first of their keys alone, without aggregates.
  func by(_ first: some Collection<Grouping.Key>) -> AggregateTable {
    let count = first.count { $0 != .ticker }
    return AggregateTable(
      grouping: Grouping(Array(first)), rowCount: rowCount, tickers: first.contains(.ticker) ? tickers : [],
      aggregations: [], keys: Array(keyColumns.prefix(count)), columns: [])
  }

  /// Some of the rows, in this order.
  package func rows(_ rows: [Int]) -> AggregateTable {
    AggregateTable(
      grouping: grouping, rowCount: rows.count, tickers: tickers.isEmpty ? [] : tickers.gathered(rows),
      aggregations: aggregations, keys: keyColumns.map { $0.gathered(rows) },
      columns: groupColumns.map { $0.gathered(rows) })
  }

  /// The rows after an offset, `limit` at most.
  func page(_ offset: Int, _ limit: Int?) -> AggregateTable {
    if offset == 0, limit ?? .max >= rowCount { return self }
    let first = min(offset, rowCount)
    return rows(Array(first..<(first + min(limit ?? .max, rowCount - first))))
  }

  /// The values of an aggregation as float64s, one a row; nil in the rows of groups without values, and in every row if the
  /// query didn't ask for it.
  ///
  /// A count, or an aggregate of volumes, is given as the nearest float64, which is the value itself up to 2^53. What isn't finite,
  /// as a sum beyond the numbers or the largest of infinite values, is nil. Complexity: O(rows).
  public func doubles(_ aggregation: Aggregation) -> [Double?] {
    switch self[aggregation] {
    case .doubles(let values): values.map { $0.isNaN ? nil : $0 }
    case .integers(let values): values.map { $0.isMissing ? nil : Double($0) }
    case .sums(let values): values.map { $0 == .min ? nil : Double($0) }
    case .days: Array(repeating: nil, count: rowCount)
    }
  }

  /// The days of an `argmax` or `argmin`, one a row; nil in the rows of groups without values, and in every row if the
  /// aggregation is a number or the query didn't ask for it. Complexity: O(rows).
  public func days(_ aggregation: Aggregation) -> [TradingDay?] {
    guard case .days(let days) = self[aggregation] else { return Array(repeating: nil, count: rowCount) }
    return days
  }

  /// The exact values of an aggregation in whole numbers, one a row: counts, and the extremes, first and last values and sums of
  /// volumes. Nil in the rows of groups without values, and in every row if the aggregation is a float64 or the query didn't
  /// ask for it. Complexity: O(rows).
  public func integers(_ aggregation: Aggregation) -> [Int128?] {
    switch self[aggregation] {
    case .integers(let values): values.map { $0.isMissing ? nil : Int128($0) }
    case .sums(let values): values.map { $0 == .min ? nil : $0 }
    case .doubles, .days: Array(repeating: nil, count: rowCount)
    }
  }

  /// The column of an aggregation; missing values if the query didn't ask for it.
  package subscript(aggregation: Aggregation) -> AggregateColumn {
    guard let index = aggregations.firstIndex(of: aggregation) else {
      return .doubles(Array(repeating: .missing, count: rowCount))
    }
    return groupColumns[index].arrays
  }

  /// A column for each of `aggregations`, with `rowCount` values. Complexity: O(rows) for each column the first time, then
  /// O(1).
  package var columns: [AggregateColumn] { groupColumns.map(\.arrays) }
}

/// One value for each group. It is missing if the group has no values: NaN, `Int64.min`, `Int128.min`.
package enum AggregateColumn: Sendable {
  /// Means, and every aggregate of a float64 attribute except the count.
  case doubles([Double])
  /// Counts, and the extremes, first and last values of an int64 attribute.
  case integers([Int64])
  /// Sums of an int64 attribute.
  case sums([Int128])
  /// Days of extremes; nil is missing.
  case days([TradingDay?])

  /// The value of row `row` in the fewest digits that read back as the same value; nil if it is missing.
  package func text(at row: Int) -> String? {
    switch self {
    case .doubles(let values): values[row].isNaN ? nil : "\(values[row])"
    case .integers(let values): values[row] == .min ? nil : "\(values[row])"
    case .sums(let values): values[row] == .min ? nil : "\(values[row])"
    case .days(let values): values[row].map { "\($0)" }
    }
  }
}

extension Aggregation {
  /// Whether the result is one of the values, or a sum of them.
  fileprivate var isOfAValue: Bool {
    switch function {
    case .count, .min, .max, .sum, .first, .last: true
    default: false
    }
  }
}

extension AggregateColumn {
  /// The value of row `row` of this aggregation as text, like `text(at:)`. Whole numbers of shares have no point, as in
  /// other output.
  package func text(at row: Int, of aggregation: Aggregation) -> String? {
    guard case .doubles(let values) = self, !values[row].isNaN, aggregation.isOfAValue,
      let attribute = aggregation.attribute
    else { return text(at: row) }
    return attribute.text(of: values[row])
  }
}

/// What the quotes of each group share, beside a ticker.
package enum KeyColumn: Sendable {
  /// The first days of periods.
  case days(ColumnBuffer<TradingDay>)
  case weekdays(ColumnBuffer<Int32>)
  /// The values of an expression, which are whole numbers if it shows; NaN is missing.
  case values(ColumnBuffer<Double>, areWhole: Bool)

  func gathered(_ rows: [Int]) -> KeyColumn {
    switch self {
    case .days(let days): .days(days.gathered(rows))
    case .weekdays(let numbers): .weekdays(numbers.gathered(rows))
    case .values(let values, let areWhole): .values(values.gathered(rows), areWhole: areWhole)
    }
  }
}
