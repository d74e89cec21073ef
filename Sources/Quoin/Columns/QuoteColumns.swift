/// Many quotes of one ticker as columns: one array of days, and one array for each attribute that is present.
///
/// Every present array has `rowCount` elements; an absent one is empty. A missing cell holds `AttributeValue.missing`.
public struct QuoteColumns: Sendable {
  /// The attributes whose arrays are present.
  public let attributes: AttributeSet
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

  public var rowCount: Int { days.count }
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
    DailyQuoteSummary(ticker: ticker, date: days[row]) { key in
      attributes.contains(key.name) ? doubles[key.name.slot][row] : nil
    } integer: { key in
      attributes.contains(key.name) ? integers[key.name.slot][row] : nil
    }
  }
}
