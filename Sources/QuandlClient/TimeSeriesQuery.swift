import Quoin

/// What is wanted of a time series; whatever is nil is left to the service.
public struct TimeSeriesQuery: Hashable, Sendable {
  /// The oldest row first, or the newest.
  public typealias Order = DateOrder

  /// One row for each period: the last observation of the period stands for it.
  public typealias Collapse = CalendarPeriod.Collapse

  /// What is computed from the values, after collapsing.
  public enum Transform: String, CaseIterable, Hashable, Sendable, Codable {
    case none
    case difference = "diff"
    case relativeDifference = "rdiff"
    case relativeDifferenceFromLatest = "rdiff_from"
    case cumulative = "cumul"
    case normalized = "normalize"
  }

  /// How many rows at most.
  public var limit: Int?
  /// One column of values alone, counted from 1; with 0 the dates alone.
  public var columnIndex: Int?
  /// The first day and the last, both inclusive.
  public var startDate: TradingDay?
  public var endDate: TradingDay?
  public var order: Order?
  public var collapse: Collapse?
  public var transform: Transform?

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
