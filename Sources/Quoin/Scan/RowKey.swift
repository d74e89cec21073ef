/// Something that rows are ordered by.
package struct RowKey: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    /// The period of the calendar; the day itself, if that is the period.
    case period(CalendarPeriod)
    /// By its name.
    case ticker
    /// In the order in which the tickers are asked for.
    case askedTicker
    case expression(QuoteExpression)
  }

  package let value: Value
  package let order: DateOrder

  package init(_ value: Value, _ order: DateOrder = .ascending) { (self.value, self.order) = (value, order) }

  /// What the rows of a group share.
  package init(groupedBy key: Grouping.Key) {
    let value: Value =
      switch key {
      case .ticker: .askedTicker
      case .weekday: .expression(.calendar(.weekday))
      case .expression(let x, _): .expression(x)
      case .day, .week, .month, .quarter, .halfYear, .year: .period(key.period ?? .day)
      }
    self.init(value)
  }

  var isDescending: Bool { order == .descending }

  /// What is computed of each row; nil for what it has anyway.
  package var expression: QuoteExpression? {
    if case .expression(let expression) = value { expression } else { nil }
  }
}

/// Columns of whole numbers by which rows are ordered: by the first one, then by the second.
struct SortColumns {
  /// How many bytes a row takes: its number, and one in each column.
  static func rowByteCount(_ columnCount: Int) -> Int { (1 + columnCount) * MemoryLayout<Int64>.size }

  private var columns: [[Int64]] = []

  mutating func append(_ column: some Sequence<Int64>, _ isDescending: Bool) {
    columns.append(isDescending ? column.map { -$0 } : Array(column))
  }

  /// Values, those that are missing last in both orders.
  mutating func append(values: some Sequence<Double>, _ isDescending: Bool) {
    columns.append(
      values.map { $0.isNaN ? .max : isDescending ? -$0.wholeNumberInOrder : $0.wholeNumberInOrder })
  }

  /// Some rows in order. Equal ones stay in the order of their numbers.
  func sorted(_ rows: some Sequence<Int>) -> [Int] {
    guard columns.count > 1, let first = columns.first else {
      guard let column = columns.first else { return Array(rows) }
      return rows.sorted { (a: Int, b: Int) in
        let (x, y) = (column[a], column[b])
        return x == y ? a < b : x < y
      }
    }
    return rows.sorted { (a: Int, b: Int) in
      if first[a] != first[b] { return first[a] < first[b] }
      for column in columns.dropFirst() where column[a] != column[b] { return column[a] < column[b] }
      return a < b
    }
  }
}

extension Double {
  /// A whole number that rises with the value. Both zeros have the same.
  var wholeNumberInOrder: Int64 {
    let bits = Int64(bitPattern: (self + 0).bitPattern)
    return bits >= 0 ? bits : -(bits & .max)
  }
}

extension Sequence<Int32> {
  /// For each place the number of those that came before it first.
  var ranks: [Int64] {
    var ranks: [Int32: Int64] = [:]
    return map { place in
      if let rank = ranks[place] { return rank }
      ranks[place] = Int64(ranks.count)
      return Int64(ranks.count - 1)
    }
  }
}
