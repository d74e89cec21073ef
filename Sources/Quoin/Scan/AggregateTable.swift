/// Aggregates of groups of quotes, as columns, with a row for each group that has quotes. Rows come in the order in which the
/// query names the tickers (all tickers: ascending), then by period. Without grouping there is exactly one row.
public struct AggregateTable: Sendable {
  /// The grouping of the query; nil if one row stands for all quotes.
  public let grouping: Grouping?
  /// The number of groups that have quotes; 1 without grouping.
  public let rowCount: Int
  /// The ticker of each row; empty without grouping.
  public let tickers: TickerColumn
  /// The aggregations of the query, in the order of `columns`.
  public let aggregations: [Aggregation]

  private let periodColumn: ColumnBuffer<TradingDay>
  private let groupColumns: [GroupColumn]

  init(
    grouping: Grouping?, rowCount: Int, tickers: TickerColumn, aggregations: [Aggregation],
    periods: ColumnBuffer<TradingDay>, columns: [GroupColumn]
  ) {
    self.grouping = grouping
    self.rowCount = rowCount
    self.tickers = tickers
    self.aggregations = aggregations
    (periodColumn, groupColumns) = (periods, columns)
  }

  /// The first day of each row's period by the calendar, a Monday for weeks; empty unless grouped by periods.
  /// Complexity: O(rows) the first time, then O(1).
  public var periods: [TradingDay] { periodColumn.array }

  /// A column for each of `aggregations`, with `rowCount` values. Complexity: O(rows) for each column the first time, then
  /// O(1).
  public var columns: [AggregateColumn] { groupColumns.map(\.arrays) }

  /// The column of an aggregation. Traps if the query doesn't have it.
  public subscript(aggregation: Aggregation) -> AggregateColumn {
    guard let index = aggregations.firstIndex(of: aggregation) else {
      preconditionFailure("\(aggregation) is not among \(aggregations)")
    }
    return groupColumns[index].arrays
  }
}

/// One value for each group. It is missing if the group has no values: NaN, `Int64.min`, `Int128.min`.
public enum AggregateColumn: Sendable {
  /// Means, and every aggregate of a float64 attribute except the count.
  case doubles([Double])
  /// Counts, and the extremes, first and last values of an int64 attribute.
  case integers([Int64])
  /// Sums of an int64 attribute.
  case sums([Int128])

  /// The value of row `row` as the nearest float64; nil if it is missing. Traps if there is no such row, as an array does.
  public func double(at row: Int) -> Double? {
    switch self {
    case .doubles(let values): values[row].isNaN ? nil : values[row]
    case .integers(let values): values[row] == .min ? nil : Double(values[row])
    case .sums(let values): values[row] == .min ? nil : Double(values[row])
    }
  }

  /// The value of row `row` in the fewest digits that read back as the same value; nil if it is missing. Traps if there is
  /// no such row, as an array does.
  public func text(at row: Int) -> String? {
    switch self {
    case .doubles(let values): values[row].isNaN ? nil : "\(values[row])"
    case .integers(let values): values[row] == .min ? nil : "\(values[row])"
    case .sums(let values): values[row] == .min ? nil : "\(values[row])"
    }
  }
}

extension AggregateColumn {
  /// The value of row `row` of this aggregation as text, like `text(at:)`. Whole numbers of shares have no point, as in
  /// other output.
  package func text(at row: Int, of aggregation: Aggregation) -> String? {
    guard case .doubles(let values) = self, !values[row].isNaN, aggregation.function != .mean,
      let attribute = aggregation.attribute
    else { return text(at: row) }
    return attribute.text(of: values[row])
  }
}

/// The tickers of rows that come ticker by ticker. Each symbol is stored once.
public struct TickerColumn: RandomAccessCollection, Sendable {
  /// The tickers in order, and the row after the last one of each.
  private var symbols: [TickerSymbol] = []
  private var ends: [Int] = []

  init() {}

  /// 0, the first row.
  public var startIndex: Int { 0 }
  /// The number of rows.
  public var endIndex: Int { ends.last ?? 0 }

  /// The ticker of row `row`. Traps if there is no such row, as an array does. Complexity: O(log tickers).
  public subscript(row: Int) -> TickerSymbol {
    precondition(row >= 0 && row < endIndex, "row \(row) of \(endIndex)")
    return symbols[ends.partitioningIndex { $0 > row }]
  }

  /// Each ticker with its number of rows, in order.
  public var runs: [(ticker: TickerSymbol, count: Int)] {
    symbols.indices.map { (symbols[$0], ends[$0] - ($0 > 0 ? ends[$0 - 1] : 0)) }
  }

  /// The ticker of the last row; nil if there are no rows. Complexity: O(1).
  public var last: TickerSymbol? { symbols.last }

  mutating func append(_ ticker: TickerSymbol, count: Int) {
    guard count > 0 else { return }
    if symbols.last == ticker {
      ends[ends.count - 1] += count
    } else {
      ends.append(endIndex + count)
      symbols.append(ticker)
    }
  }
}
