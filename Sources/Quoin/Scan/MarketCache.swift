import Synchronization

/// The market values that a query has found, and those that occur inside them: each is found once.
final class MarketCache: Sendable {
  /// How many rows of the market are ranked at once, or more if these are fewer of each ticker.
  let rowsAtOnce: Int
  let rowsOfEach: Int
  private let found = Mutex<[Key: MarketSeries]>([:])
  private let foundRows = Mutex<[RowsKey: MarketRows]>([:])

  /// A value, for the rows of these tickers on these days.
  struct Key: Hashable, Sendable {
    let value: MarketValue
    let bounds: Predicate
    let tickers: [TickerSymbol]?
  }

  /// The rows that meet a predicate.
  struct RowsKey: Hashable, Sendable {
    let predicate: Predicate
    let tickers: [TickerSymbol]?
  }

  init(rowsAtOnce: Int = 1 << 20, rowsOfEach: Int = 1024) {
    (self.rowsAtOnce, self.rowsOfEach) = (rowsAtOnce, rowsOfEach)
  }

  subscript(key: Key) -> MarketSeries? {
    get { found.withLock { $0[key] } }
    set { found.withLock { $0[key] = newValue } }
  }

  /// The rows that meet a predicate, so that all values that are ranked among them share their days.
  subscript(key: RowsKey) -> MarketRows? {
    get { foundRows.withLock { $0[key] } }
    set { foundRows.withLock { $0[key] = newValue } }
  }

  var count: Int { found.withLock { $0.count } }
}
