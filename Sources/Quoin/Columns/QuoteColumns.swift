/// Many quotes of one ticker as columns: one array of days, and one array for each attribute that is present.
///
/// Every present array has `rowCount` elements; an absent one is empty. A missing cell holds `AttributeValue.missing`.
public struct QuoteColumns: Sendable {
  /// The attributes whose arrays are present.
  public let attributes: AttributeSet
  /// The day of each row.
  public internal(set) var days: [TradingDay] = []

  /// The float64 arrays and the int64 arrays, by `AttributeName.slot`.
  var doubles: [[Double]]
  var integers: [[Int64]]

  /// No rows yet, of these attributes.
  public init(attributes: AttributeSet = .all) {
    self.attributes = attributes
    doubles = Array(repeating: [], count: AttributeName.doubleCount)
    integers = Array(repeating: [], count: AttributeName.integerCount)
  }

  /// The number of rows.
  public var rowCount: Int { days.count }
  /// Whether there are no rows.
  public var isEmpty: Bool { days.isEmpty }

  /// The values of a float64 attribute, one a row; empty when it is not among `attributes`. NaN where missing.
  ///
  /// Setting them traps when the attribute is absent or there are not `rowCount` of them.
  public subscript(attribute: Attribute<Double>) -> [Double] {
    get { doubles[attribute.name.slot] }
    _modify {
      yield &doubles[attribute.name.slot]
      checkCount(doubles[attribute.name.slot].count, attribute.name)
    }
  }

  /// The values of an int64 attribute, one a row; empty when it is not among `attributes`. `Int64.min` where missing.
  ///
  /// Setting them traps when the attribute is absent or there are not `rowCount` of them.
  public subscript(attribute: Attribute<Int64>) -> [Int64] {
    get { integers[attribute.name.slot] }
    _modify {
      yield &integers[attribute.name.slot]
      checkCount(integers[attribute.name.slot].count, attribute.name)
    }
  }

  private func checkCount(_ count: Int, _ name: AttributeName) {
    precondition(count == rowCount && attributes.contains(name), "\(count) values of \(name) for \(rowCount) rows")
  }

  /// Row `row` as a quote of `ticker`; attributes that are absent are missing. Traps where there is no such row, as an array
  /// does. Complexity: O(1).
  public func quote(at row: Int, of ticker: TickerSymbol) -> DailyQuoteSummary {
    func double(_ name: AttributeName) -> Double? { attributes.contains(name) ? doubles[name.slot][row] : nil }
    func integer(_ name: AttributeName) -> Int64? { attributes.contains(name) ? integers[name.slot][row] : nil }
    return DailyQuoteSummary(
      ticker: ticker, date: days[row],
      open: double(.open), high: double(.high), low: double(.low), close: double(.close), volume: integer(.volume),
      exDividend: double(.exDividend), splitRatio: double(.splitRatio),
      adjustedOpen: double(.adjustedOpen), adjustedHigh: double(.adjustedHigh), adjustedLow: double(.adjustedLow),
      adjustedClose: double(.adjustedClose), adjustedVolume: integer(.adjustedVolume))
  }
}

extension AttributeName {
  static let doubleCount = 10
  static let integerCount = 2

  /// The attribute's place among the float64 arrays (or, for a volume, among the int64 arrays) of `QuoteColumns`.
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
