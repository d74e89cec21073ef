/// Rows of one or many tickers as columns: what a scan hands out.
public struct QuoteBatch: Sendable {
  /// The ticker of each row. `Array(batch.tickers)` is a Swift array of them.
  public internal(set) var tickers = TickerColumn()
  /// The rows' days and values; as many rows as there are tickers.
  public internal(set) var columns: QuoteColumns

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
}
