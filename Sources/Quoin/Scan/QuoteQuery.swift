/// A query on one snapshot of a store: which tickers, which rows, which attributes, in which order.
///
/// A query is a value; each refinement returns a new one. Nothing is read until a result is asked for. Results come ticker by
/// ticker, in the order in which the tickers were named (all tickers: ascending), and within a ticker by date.
///
///     let hits = try store.quotes(for: .fedEx)
///       .where(.high, above: 80, below: 83)
///       .where(.adjustedLow, in: 70...75)
///       .dates(from: "2005-01-03")
///       .fetch()
///
/// | to get | ask for |
/// | --- | --- |
/// | quotes | `fetch()` |
/// | quotes as columns | `fetchColumns()` |
/// | the first quote | `fetchOne()` |
/// | the last quote of each ticker | `latest()` |
/// | the quotes with the largest values | `sorted(by:_:)` |
/// | batches of columns, in bounded memory | `cursor(rowsPerBatch:)`, `forEachBatch(rowsPerBatch:_:)` |
/// | the same in an async function | `batches(rowsPerBatch:)` |
/// | the number of quotes, or whether there are none | `count()`, `isEmpty()` |
/// | sums, extremes, means, of all or of groups | `aggregate(_:by:)`, `aggregate(_:)` |
/// | what it takes to answer | `explain()` |
///
/// In a synchronous function each of them blocks the calling thread until it has the result, and other threads help
/// (`threads`). In an async function the forms of the same names are called with `await`. They work on threads of Quoin's own,
/// eight at a time or one for each processor, so that Swift's tasks go on. In a cancelled task they stop soon and throw
/// `StoreError.cancelled`.
public struct QuoteQuery: Sendable {
  let snapshot: Snapshot
  private(set) var tickers: [TickerSymbol]?
  /// The tickers among which a quote is ranked.
  let market: [TickerSymbol]?
  private(set) var predicate = Predicate.all([])
  private(set) var attributes = AttributeSet.all
  private(set) var computed: [(name: String, expression: QuoteExpression)] = []
  private(set) var order = DateOrder.ascending
  private(set) var limit: Int?
  private(set) var offset = 0
  private(set) var threadCount = Crew.defaultThreadCount
  private var limits = QuestionLimits.standard
  private var cancellation: Cancellation?
  /// What is taken from while results are asked for; nil until then, unless several queries share one.
  private(set) var budget: QuestionBudget?
  /// The market values that it shares with the query inside which it is asked.
  private(set) var cache: MarketCache?

  /// - Parameter tickers: nil for the whole market.
  init(_ snapshot: Snapshot, tickers: [TickerSymbol]?) {
    self.snapshot = snapshot
    (self.tickers, market) = (tickers, tickers)
  }

  /// Keeps the rows of these tickers. They are still ranked among all tickers of the query.
  package func keeping(_ tickers: [TickerSymbol]) -> QuoteQuery {
    var query = self
    query.tickers = tickers
    return query
  }

  /// Keeps the rows that also meet `predicate`. If the predicates together have more than 400 levels, asking for results
  /// throws `StoreError.predicateTooDeep`.
  public func `where`(_ predicate: Predicate) -> QuoteQuery {
    var query = self
    query.predicate = self.predicate == .all([]) ? predicate : self.predicate && predicate
    return query
  }

  /// The same query with other conditions.
  func replacing(_ predicate: Predicate) -> QuoteQuery {
    var query = self
    query.predicate = predicate
    return query
  }

  /// Keeps the rows whose attribute lies in `range`: `70...75`, `70..<75`, `70...`.
  ///
  /// The numbers may be of any `Predicate.Number` type, whatever the type of the attribute, and are compared exactly.
  public func `where`(_ attribute: Attribute, in range: some Predicate.NumberRange) -> QuoteQuery {
    self.where(.range(attribute, range))
  }

  /// Keeps the rows whose attribute lies between two numbers, which are themselves outside.
  ///
  /// The numbers may be of any `Predicate.Number` type, also of two, and are compared exactly. No value is above or below a
  /// NaN.
  public func `where`(
    _ attribute: Attribute, above lower: (any Predicate.Number)? = nil, below upper: (any Predicate.Number)? = nil
  ) -> QuoteQuery {
    self.where(.range(attribute, above: lower, below: upper))
  }

  /// Keeps the rows from one day to another, both included.
  public func dates(from first: TradingDay? = nil, to last: TradingDay? = nil) -> QuoteQuery {
    self.where(.dates(from: first, to: last))
  }

  /// Reads only these attributes; the others are missing in the results.
  public func selecting(_ attributes: Attribute...) -> QuoteQuery { selecting(AttributeSet(attributes)) }

  /// Reads only these attributes; the others are missing in the results.
  public func selecting(_ attributes: AttributeSet) -> QuoteQuery {
    var query = self
    query.attributes = attributes
    return query
  }

  /// Computes a column of this name too. `QuoteBatch.computed(_:)` has its values.
  ///
  ///     let batch = try store.quotes(for: .fedEx).computing("r", .close / .prev(.close) - 1).fetchColumns()
  ///
  /// A column of the same name is replaced. If an expression has more than 400 levels, asking for results throws
  /// `StoreError.predicateTooDeep`.
  public func computing(_ name: String, _ expression: QuoteExpression) -> QuoteQuery {
    var query = self
    query.computed.removeAll { $0.name == name }
    query.computed.append((name, expression))
    return query
  }

  /// Computes another column, which may have the name of one that there is.
  func computing(also column: (name: String, expression: QuoteExpression)) -> QuoteQuery {
    var query = self
    query.computed.append(column)
    return query
  }

  /// Computes these columns and no others. Their names are their places.
  func computing(only expressions: [QuoteExpression]) -> QuoteQuery {
    var query = self
    query.computed = expressions.enumerated().map { ("\($0.offset)", $0.element) }
    return query
  }

  /// Returns each ticker's rows in this order.
  public func ordered(_ order: DateOrder) -> QuoteQuery {
    var query = self
    query.order = order
    return query
  }

  /// Keeps at most `count` rows, as SQL's LIMIT does: in the query's order, after all that `where` has left out and after
  /// those that `offset` leaves out. The last call counts. A negative number is 0: no rows.
  ///
  /// A scan stops once it has them. `count` is the number of kept rows. Of aggregates, as many groups are kept.
  public func limited(to count: Int) -> QuoteQuery {
    var query = self
    query.limit = max(0, count)
    return query
  }

  /// Leaves out the first `count` rows in the query's order, as SQL's OFFSET does, whether or not it is called before
  /// `limited`. The last call counts. A negative number is 0: nothing is left out.
  ///
  /// Blocks before the first kept row are only counted.
  public func offset(by count: Int) -> QuoteQuery {
    var query = self
    query.offset = max(0, count)
    return query
  }

  /// Uses at most `count` threads, and no more than 256: by default as many as there are processors.
  public func threads(_ count: Int) -> QuoteQuery {
    var query = self
    query.threadCount = min(max(1, count), Limits.threads)
    return query
  }

  /// The same query, which is given up when it takes more than this: asking for results throws `StoreError.questionTooLong` or
  /// `StoreError.questionTooBig`. Without it, it may take what `QuestionLimits.standard` says.
  public func within(_ limits: QuestionLimits) -> QuoteQuery {
    var query = self
    query.limits = limits
    return query
  }

  /// The same query, which takes from a budget that others take from too.
  package func taking(from budget: QuestionBudget) -> QuoteQuery {
    var query = self
    query.budget = budget
    return query
  }

  /// The same query, which looks here for market values first.
  func finding(in cache: MarketCache) -> QuoteQuery {
    var query = self
    query.cache = cache
    return query
  }

  /// The same query with a budget, from which all that it takes to answer it is taken.
  func begun() -> (query: QuoteQuery, budget: QuestionBudget) {
    if let budget { return (self, budget) }
    let budget = QuestionBudget(limits, stoppedBy: cancellation ?? Cancellation())
    return (taking(from: budget), budget)
  }

  /// The same query, which throws `StoreError.cancelled` soon after `cancellation` is set.
  package func stopped(by cancellation: Cancellation) -> QuoteQuery {
    var query = self
    query.cancellation = cancellation
    return query
  }

  /// How many expressions and predicates are inside each other in the query.
  var levelCount: Int { computed.reduce(predicate.size.levelCount) { max($0, $1.expression.size.levelCount) } }

  /// - Parameter statistics: the sections whose directories are read besides those of the conditions.
  func plan(statistics: [ColumnSection] = []) throws(StoreError) -> ScanPlan {
    let (begun, budget) = begun()
    let query = begun.withDays()
    try budget.check()
    return try SystemThread.deep(levelCount: levelCount) { () throws(StoreError) in
      try ScanPlan(of: query, statistics: statistics, within: budget)
    }
  }
}
