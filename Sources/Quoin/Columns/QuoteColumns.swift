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
    columns = Attribute.allCases.map(Column.init(of:))
  }

  /// The number of rows.
  public var rowCount: Int { dayValues.count }
  /// Whether there are no rows.
  public var isEmpty: Bool { rowCount == 0 }

  /// The column of an attribute; empty when it is not among `attributes`.
  package internal(set) subscript(column name: Attribute) -> Column {
    get { columns[Int(name.rawValue)] }
    _modify { yield &columns[Int(name.rawValue)] }
  }

  /// Row `row`, which must exist, as a quote of `ticker`; attributes that are absent are missing. Complexity: O(1).
  package func quote(at row: Int, of ticker: TickerSymbol) -> DailyQuoteSummary {
    DailyQuoteSummary(
      ticker: ticker, date: dayValues[row],
      double: { attributes.contains($0.name) ? self[column: $0.name].doubles[row] : nil }, volume: volume(at: row))
  }

  private func volume(at row: Int) -> VolumeCell {
    guard attributes.contains(.volume) else { return .absent }
    return switch self[column: .volume] {
    case .integers(let numbers): .whole(numbers[row])
    case .doubles(let values): .exact(values[row])
    }
  }
}
