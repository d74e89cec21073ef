import Quoin

/// A walk through a table's rows in the order of ticker and day, starting anywhere.
///
/// Each query is about some tickers: few at first, then more and more. So a page that fills soon is quick wherever it
/// begins, the pages of a whole market together cost what one scan does, and many tickers are skipped at once if few
/// rows match.
struct TableWalk {
  /// Where a walk begins: at the row of a key or, if `skipsFirst`, after it.
  struct Start {
    let key: TableKey
    var skipsFirst = false
  }

  private let store: QuoteStore
  private let tickers: [TickerSymbol]
  private let predicate: Predicate
  private let attributes: AttributeSet
  private let start: Start?
  private var nextTicker = 0
  private var tickersAtOnce = 1
  /// How many more rows the walk may return.
  private var remaining: Int
  private var cursor: QuoteCursor?

  private static let tickersAtOnceMax = 1024
  private static let rowsPerBatch = 2048

  /// - Parameter tickers: the wanted tickers, ascending.
  init(
    _ store: QuoteStore, tickers: [TickerSymbol], where predicate: Predicate, selecting attributes: AttributeSet,
    from start: Start?, limit: Int = .max
  ) {
    self.store = store
    self.tickers = start.map { start in tickers.filter { $0 >= start.key.ticker } } ?? tickers
    self.predicate = predicate
    self.attributes = attributes
    self.start = start
    remaining = limit
  }

  /// The next rows; nil at the end.
  mutating func nextBatch() throws -> QuoteBatch? {
    while remaining > 0 {
      if let batch = try cursor?.next() {
        remaining -= batch.rowCount
        return batch
      }
      guard nextTicker < tickers.count else { return nil }
      let query = nextQuery()
      cursor = (remaining < .max ? query.limited(to: remaining) : query).cursor(rowsPerBatch: Self.rowsPerBatch)
    }
    return nil
  }

  private mutating func nextQuery() -> QuoteQuery {
    let wanted = Array(tickers[nextTicker...].prefix(tickersAtOnce))
    var query = store.quotes(for: wanted).where(predicate).selecting(attributes).threads(1)
    if nextTicker == 0, let start, wanted == [start.key.ticker] {
      let end: Bound = start.skipsFirst ? .exclusive(start.key.day) : .inclusive(start.key.day)
      query = query.where(.date(Bounds(lower: end)))
    }
    nextTicker += wanted.count
    tickersAtOnce = min(tickersAtOnce * 4, Self.tickersAtOnceMax)
    return query
  }
}
