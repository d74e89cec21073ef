/// Rows of one or many tickers as columns: what a scan hands out.
public struct QuoteBatch: Sendable {
  /// The ticker of each row.
  package var tickerValues = ColumnBuffer<TickerSymbol>()
  /// The rows' days and values; as many rows as there are tickers.
  public internal(set) var columns: QuoteColumns

  /// No rows yet, of these attributes.
  public init(attributes: AttributeSet = .all) { columns = QuoteColumns(attributes: attributes) }

  /// The rows of one ticker.
  public init(ticker: TickerSymbol, columns: QuoteColumns) {
    tickerValues = ColumnBuffer(repeating: ticker, count: columns.rowCount)
    self.columns = columns
  }

  /// The number of rows.
  public var rowCount: Int { columns.rowCount }

  /// The ticker of each row. Complexity: O(rows) when it is first asked for, then O(1).
  public internal(set) var tickers: [TickerSymbol] {
    get { tickerValues.array }
    _modify { yield &tickerValues.array }
  }

  /// Row `row` as a quote; nil if there is no such row. Complexity: O(1).
  public func quote(at row: Int) -> DailyQuoteSummary? {
    tickerValues.indices.contains(row) ? columns.quote(at: row, of: tickerValues[row]) : nil
  }

  /// All rows as quotes. Complexity: O(rows).
  public var quotes: [DailyQuoteSummary] { (0..<rowCount).map { columns.quote(at: $0, of: tickerValues[$0]) } }
}
