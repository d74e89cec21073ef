/// Many quotes of one ticker as columns: one of days, and one for each attribute that is present.
///
/// Every present column has `rowCount` values; an absent one is empty. A missing cell holds `AttributeValue.missing`.
public struct QuoteColumns: Sendable {
  /// The attributes whose columns are present.
  public let attributes: AttributeSet
  /// The days, one a row.
  package var dayValues = ColumnBuffer<TradingDay>()
  /// The attributes' columns, by raw value.
  private(set) var columns: [Column]

  /// No rows yet, of these attributes.
  public init(attributes: AttributeSet = .all) {
    self.attributes = attributes
    columns = AttributeName.allCases.map(Column.init(of:))
  }

  /// The number of rows.
  public var rowCount: Int { dayValues.count }
  /// Whether there are no rows.
  public var isEmpty: Bool { rowCount == 0 }

  /// The column of an attribute; empty when it is not among `attributes`.
  subscript(column name: AttributeName) -> Column {
    get { columns[Int(name.rawValue)] }
    _modify { yield &columns[Int(name.rawValue)] }
  }

  /// Row `row` as a quote of `ticker`; attributes that are absent are missing. Traps where there is no such row, as an array
  /// does. Complexity: O(1).
  public func quote(at row: Int, of ticker: TickerSymbol) -> DailyQuoteSummary {
    func double(_ name: AttributeName) -> Double? { attributes.contains(name) ? self[column: name].doubles[row] : nil }
    func integer(_ name: AttributeName) -> Int64? { attributes.contains(name) ? self[column: name].integers[row] : nil }
    return DailyQuoteSummary(
      ticker: ticker, date: dayValues[row],
      open: double(.open), high: double(.high), low: double(.low), close: double(.close), volume: integer(.volume),
      exDividend: double(.exDividend), splitRatio: double(.splitRatio),
      adjustedOpen: double(.adjustedOpen), adjustedHigh: double(.adjustedHigh), adjustedLow: double(.adjustedLow),
      adjustedClose: double(.adjustedClose), adjustedVolume: integer(.adjustedVolume))
  }
}

extension AttributeName {
  static let doubleCount = 10
  static let integerCount = 2

  /// The attribute's place among the float64 attributes (or, for a volume, among the int64 ones).
  var slot: Int {
    switch self {
    case .open: 0
    case .high: 1
    case .low: 2
    case .close: 3
    case .exDividend: 4
    case .splitRatio: 5
    case .adjustedOpen: 6
    case .adjustedHigh: 7
    case .adjustedLow: 8
    case .adjustedClose: 9
    case .volume: 0
    case .adjustedVolume: 1
    }
  }
}
