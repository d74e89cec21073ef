/// A query on one snapshot of a store: which tickers, which rows, which attributes, in which order.
///
/// A query is a value; each refinement returns a new one. Nothing is read until a result is asked for: `fetch`, `count`,
/// `aggregate`, `batches`. Results come ticker by ticker, in the order in which the tickers were named (all tickers:
/// ascending), and within a ticker by date.
///
///     let hits = try store.quotes(for: .fedEx)
///       .where(.high, above: 80, below: 83)
///       .where(.adjustedLow, in: 70...75)
///       .dates(from: "2005-01-03")
///       .fetch()
public struct QuoteQuery: Sendable {
  let snapshot: Snapshot
  let tickers: [TickerSymbol]?
  private(set) var predicate = Predicate.all([])
  private(set) var attributes = AttributeSet.all
  private(set) var order = DateOrder.ascending
  private(set) var limit: Int?
  private(set) var threadCount = Crew.defaultThreadCount

  /// - Parameter tickers: nil for the whole market.
  init(_ snapshot: Snapshot, tickers: [TickerSymbol]?) {
    self.snapshot = snapshot
    self.tickers = tickers
  }

  /// Keeps the rows that also meet `predicate`. If the predicates together have more than `Limits.predicateLevels`, asking
  /// for results throws `StoreError.predicateTooDeep`.
  public func `where`(_ predicate: Predicate) -> QuoteQuery {
    var query = self
    query.predicate = self.predicate == .all([]) ? predicate : self.predicate && predicate
    return query
  }

  /// Keeps the rows whose attribute lies in `range`: `70...75`, `70..<75`, `70...`.
  public func `where`(_ attribute: TypedAttribute<Double>, in range: some BoundsExpression<Double>) -> QuoteQuery {
    self.where(.range(attribute, range))
  }

  /// Keeps the rows whose attribute lies in `range`.
  public func `where`(_ attribute: TypedAttribute<Int64>, in range: some BoundsExpression<Int64>) -> QuoteQuery {
    self.where(.range(attribute, range))
  }

  /// Keeps the rows whose attribute lies between two bounds, which are themselves outside.
  public func `where`(_ attribute: TypedAttribute<Double>, above lower: Double? = nil, below upper: Double? = nil)
    -> QuoteQuery
  {
    self.where(.double(attribute, Bounds(above: lower, below: upper)))
  }

  /// Keeps the rows whose attribute lies between two bounds, which are themselves outside.
  public func `where`(_ attribute: TypedAttribute<Int64>, above lower: Int64? = nil, below upper: Int64? = nil)
    -> QuoteQuery
  {
    self.where(.integer(attribute, Bounds(above: lower, below: upper)))
  }

  /// Keeps the rows from one day to another, both included.
  public func dates(from first: TradingDay? = nil, to last: TradingDay? = nil) -> QuoteQuery {
    self.where(
      .date(Bounds(lower: first.map(Bound.inclusive) ?? .unbounded, upper: last.map(Bound.inclusive) ?? .unbounded)))
  }

  /// Reads only these attributes; the others are missing in the results.
  public func selecting(_ attributes: AttributeSet) -> QuoteQuery {
    var query = self
    query.attributes = attributes
    return query
  }

  /// Returns each ticker's rows in this order.
  public func ordered(_ order: DateOrder) -> QuoteQuery {
    var query = self
    query.order = order
    return query
  }

  /// Stops after `count` rows.
  public func limited(to count: Int) -> QuoteQuery {
    var query = self
    query.limit = max(0, count)
    return query
  }

  /// Uses at most `count` threads, and no more than `Limits.threads`: by default as many as there are processors.
  public func threads(_ count: Int) -> QuoteQuery {
    var query = self
    query.threadCount = min(max(1, count), Limits.threads)
    return query
  }

  func plan() throws(StoreError) -> ScanPlan { try ScanPlan(snapshot, tickers, predicate, order, threads: threadCount) }
}

extension Bounds {
  fileprivate init(above lower: Value?, below upper: Value?) {
    self.init(lower: lower.map(Bound.exclusive) ?? .unbounded, upper: upper.map(Bound.exclusive) ?? .unbounded)
  }
}
