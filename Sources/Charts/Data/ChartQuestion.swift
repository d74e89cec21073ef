import Quoin

/// What somebody wants to see of a store. `chart(of:)` asks for it.
package struct ChartQuestion: Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case candles, ohlc, line, area, histogram, scatter
  }

  /// An expression as it was written.
  package struct Value: Sendable {
    package var name: String
    package var expression: QuoteExpression

    package init(_ name: String, _ expression: QuoteExpression) { (self.name, self.expression) = (name, expression) }
  }

  /// At least one. Several are lines that begin at 100, unless the kind is of numbers alone.
  package var tickers: [TickerSymbol]
  /// Nil for candles of one ticker and lines of several.
  package var kind: Kind?
  /// Which rows are drawn; nil for all. Windows see all rows.
  package var condition: Predicate?
  package var isAdjusted = false
  package var isLogarithmic = false
  package var hasVolume = true
  /// What is drawn in place of the close, or, in a histogram and a scatter plot, of its changes.
  package var value: Value?
  /// What a scatter plot has from left to right; nil for the second ticker's value, or the one of the row before.
  package var against: Value?
  package var overlays: [Value] = []
  package var bands: [(lower: Value, upper: Value)] = []
  /// Each is a panel below.
  package var panels: [Value] = []
  /// Days that are marked.
  package var marks: [(name: String, condition: Predicate)] = []
  package var marksSplits = false
  package var marksDividends = false
  /// What the rows are: days, weeks.
  package var rowNoun = "days"

  package init(tickers: [TickerSymbol]) { self.tickers = tickers }

  /// The chart of a store's quotes. Blocks the calling thread while it reads.
  ///
  /// - Throws: `StoreError`, or `ChartError.noRows`.
  package func chart(of store: QuoteStore) throws -> Chart {
    switch kind {
    case .histogram: try histogram(of: store)
    case .scatter: try scatter(of: store)
    default: tickers.count > 1 ? try comparison(of: store) : try history(of: store, tickers[0])
    }
  }

  /// The close, adjusted or not.
  var close: QuoteExpression { isAdjusted ? .adjustedClose : .close }
  var closeName: String { isAdjusted ? "adj_close" : "close" }

  /// The rows of a ticker with these values, one column each.
  func columns(
    of ticker: TickerSymbol, in store: QuoteStore, _ expressions: [QuoteExpression]
  ) throws -> (days: [TradingDay], values: [[Double]]) {
    var query = store.quotes(for: ticker).selecting([])
    if let condition { query = query.where(condition) }
    for (index, expression) in expressions.enumerated() { query = query.computing("\(index)", expression) }
    let batch = try query.fetchColumns()
    return (batch.columns.dayValues.array, expressions.indices.map { batch.computed("\($0)") ?? [] })
  }

  /// `2001-01-05 to 2005-10-14, weeks, adjusted`
  func subtitle(_ days: [TradingDay]) -> String {
    guard let first = days.first, let last = days.last else { return "" }
    let parts = [
      first == last ? "\(first)" : "\(first) to \(last)", rowNoun == "days" ? "" : rowNoun,
      isAdjusted ? "adjusted" : "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: ", ")
  }

  var title: String { tickers.map { "\($0)" }.joined(separator: ", ") }
}
