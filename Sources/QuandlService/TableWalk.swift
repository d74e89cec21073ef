import Quoin

/// A walk through a table's rows in the order of ticker and day, from any row on.
///
/// Some tickers are asked about at a time, few at first and then more and more: so a page that is soon full is quick
/// wherever it begins, and the pages of a whole market cost together what one scan does; and where few rows match, many
/// tickers are passed over at once.
struct TableWalk {
  /// Where a walk begins: at the row of a key or, when `skipsFirst`, behind it.
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
  /// Rows that may still come.
  private var remaining: Int
  private var batches: QuoteBatches.Iterator?

  private static let tickersAtOnceMax = 1024
  private static let rowsPerBatch = 2048

  /// - Parameter tickers: those that are wanted, ascending.
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

  /// The next rows; nil when there are no more.
  mutating func nextBatch() throws -> QuoteBatch? {
    while remaining > 0 {
      if let batch = try batches?.next()?.get() {
        remaining -= batch.rowCount
        return batch
      }
      guard nextTicker < tickers.count else { return nil }
      let query = nextQuery()
      batches = (remaining < .max ? query.limited(to: remaining) : query).batches(rowsPerBatch: Self.rowsPerBatch)
        .makeIterator()
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
