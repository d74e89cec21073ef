/// Rows of one or many tickers as columns: what a scan hands out.
public struct QuoteBatch: Sendable {
  /// The ticker of each row. `Array(batch.tickers)` is a Swift array of them.
  public internal(set) var tickers = TickerColumn()
  /// The rows' days and values; as many rows as there are tickers.
  public internal(set) var columns: QuoteColumns
  /// The columns that the query computed, in its order; as many values in each as there are rows.
  package var computed: [ComputedColumn] = []

  /// No rows yet, of these attributes.
  public init(attributes: AttributeSet = .all) { columns = QuoteColumns(attributes: attributes) }

  /// The rows of one ticker.
  public init(ticker: TickerSymbol, columns: QuoteColumns) {
    tickers = TickerColumn(repeating: ticker, count: columns.rowCount)
    self.columns = columns
  }

  /// The number of rows.
  public var rowCount: Int { columns.rowCount }

  /// Row `row` as a quote; nil if there is no such row. Complexity: O(1).
  public func quote(at row: Int) -> DailyQuoteSummary? {
    tickers.indices.contains(row) ? columns.quote(at: row, of: tickers[row]) : nil
  }

  /// All rows as quotes. Complexity: O(rows).
  public var quotes: [DailyQuoteSummary] { (0..<rowCount).map { columns.quote(at: $0, of: tickers[$0]) } }

  /// The rows at these indices, in this order.
  func gathered(_ rows: [Int]) -> QuoteBatch {
    var batch = QuoteBatch(attributes: columns.attributes)
    (batch.tickers, batch.columns) = (tickers.gathered(rows), columns.gathered(rows))
    batch.computed = computed.map { ComputedColumn(name: $0.name, values: $0.values.gathered(rows)) }
    return batch
  }

  /// The values of the column that the query computed under this name, one a row, NaN where missing; nil if there is none.
  /// Complexity: O(rows) when it is first asked for.
  public func computed(_ name: String) -> [Double]? { computed.first { $0.name == name }?.values.array }
}

/// A column that a query computed.
package struct ComputedColumn: Sendable {
  package let name: String
  package let values: ColumnBuffer<Double>
}
