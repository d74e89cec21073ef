import Quoin

/// What is wanted of a time series; whatever is nil is left to the service.
public struct TimeSeriesQuery: Hashable, Sendable {
  /// The oldest row first, or the newest.
  public typealias Order = DateOrder

  /// One row for each period: the last observation of the period stands for it.
  public typealias Collapse = CalendarPeriod.Collapse

  /// What is computed from the values, after collapsing.
  public enum Transform: String, CaseIterable, Hashable, Sendable, Codable {
    /// The values as they are.
    case none
    /// `y[t] - y[t-1]`.
    case difference = "diff"
    /// `(y[t] - y[t-1]) / y[t-1]`.
    case relativeDifference = "rdiff"
    /// `(y[last] - y[t]) / y[t]`.
    case relativeDifferenceFromLatest = "rdiff_from"
    /// `y[0] + ... + y[t]`.
    case cumulative = "cumul"
    /// `y[t] / y[0] * 100`, where `y[0]` is the first value that isn't zero.
    case normalized = "normalize"
  }

  /// How many rows at most.
  public var limit: Int?
  /// One column of values alone, counted from 1; with 0 the dates alone.
  public var columnIndex: Int?
  /// The first day, inclusive.
  public var startDate: TradingDay?
  /// The last day, inclusive.
  public var endDate: TradingDay?
  /// The order of the days.
  public var order: Order?
  /// How rows are collapsed into periods.
  public var collapse: Collapse?
  /// What is computed from the values.
  public var transform: Transform?

  /// A question of these parameters; those left out are left to the service.
  public init(
    limit: Int? = nil, columnIndex: Int? = nil, from startDate: TradingDay? = nil, to endDate: TradingDay? = nil,
    order: Order? = nil, collapse: Collapse? = nil, transform: Transform? = nil
  ) {
    self.limit = limit
    self.columnIndex = columnIndex
    self.startDate = startDate
    self.endDate = endDate
    self.order = order
    self.collapse = collapse
    self.transform = transform
  }

  var items: [(name: String, value: String?)] {
    [
      ("order", order?.rawValue), ("start_date", startDate?.description), ("end_date", endDate?.description),
      ("collapse", collapse?.rawValue), ("transform", transform?.rawValue), ("limit", limit.map { "\($0)" }),
      ("column_index", columnIndex.map { "\($0)" }),
    ]
  }
}
