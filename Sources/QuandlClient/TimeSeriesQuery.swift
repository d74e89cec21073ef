import Quoin

/// A query on a time series. The service decides everything that is nil.
public struct TimeSeriesQuery: Hashable, Sendable {
  /// The oldest row first, or the newest.
  public typealias Order = DateOrder

  /// Reduces the rows to one for each period, its last observation.
  public typealias Collapse = CalendarPeriod.Collapse

  /// A computation on the values, after collapsing.
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

  /// The largest number of rows.
  public var limit: Int?
  /// The only column of values to return, counted from 1; 0 returns the dates alone.
  public var columnIndex: Int?
  /// The first day, inclusive.
  public var startDate: TradingDay?
  /// The last day, inclusive.
  public var endDate: TradingDay?
  /// The order of the days.
  public var order: Order?
  /// The period to collapse rows to.
  public var collapse: Collapse?
  /// The computation on the values.
  public var transform: Transform?

  /// A query with these parameters. The service decides those that are left out.
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
