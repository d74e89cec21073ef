/// What it may take to answer a query, estimated from the number of rows and from what is computed of each, before anything is
/// read. Statistics and limits may make it less.
public struct QuestionCost: Hashable, Sendable {
  /// Rows of the query's tickers.
  public internal(set) var rowCount = 0
  /// Different values that are computed of a row.
  public internal(set) var stepCount = 0
  /// Seconds of one thread.
  public internal(set) var seconds = 0.0
}

extension QuoteQuery {
  /// What it may take to answer the query. Reads nothing of the rows; complexity: O(tickers), and O(steps).
  ///
  /// - Throws: `StoreError` for a question that can't be asked.
  public func estimatedCost() throws(StoreError) -> QuestionCost {
    try SystemThread.deep(levelCount: levelCount) { () throws(StoreError) in
      var estimate = CostEstimate()
      try estimate.add(self)
      return estimate.cost
    }
  }
}

/// What queries cost, those that another one asks first among them.
private struct CostEstimate {
  private(set) var cost = QuestionCost()
  /// What is found once, however often it is used.
  private var known: Set<MarketValue> = []

  mutating func add(_ query: QuoteQuery) throws(StoreError) {
    let conditions = try NormalizedPredicate(query.predicate, hasFractions: query.snapshot.hasFractions).conditions
    let programs = conditions.compactMap(\.program) + [try Program(query.computed.map(\.expression))]
    let rowCount = query.rowCount(of: query.tickers)
    cost.rowCount = max(cost.rowCount, rowCount)
    var nanoseconds = Self.rangeNanoseconds * Double(conditions.count)
    for step in programs.flatMap(\.steps) {
      cost.stepCount += 1
      nanoseconds += step.nanoseconds
    }
    cost.seconds += nanoseconds * Double(rowCount) * 1e-9
    for value in programs.flatMap(\.marketValues) where known.insert(value).inserted { try add(value, of: query) }
  }

  private mutating func add(_ value: MarketValue, of query: QuoteQuery) throws(StoreError) {
    let market = QuoteQuery(query.snapshot, tickers: query.market)
    let perRow: Double
    switch value {
    case .aggregate(let aggregation, let predicate):
      try add(market.where(predicate).computing(only: [aggregation.expression, aggregation.weight].compactMap(\.self)))
      perRow = Self.dayAggregateNanoseconds
    case .rank(_, _, let x, let predicate):
      try add(market.where(predicate).computing(only: [x]))
      perRow = Self.dayRankNanoseconds
    case .first(let top, let predicate):
      try add(market.where(predicate).computing(only: [top.expression] + top.grouping.expressions))
      perRow = Self.dayAggregateNanoseconds
    case .last, .tickerNumber, .days: perRow = 0
    case .ticker(let ticker, let x, _):
      try add(market.keeping([ticker]).computing(only: [x]))
      perRow = 0
    }
    cost.seconds += perRow * Double(query.rowCount(of: query.market)) * 1e-9
  }

  // Nanoseconds for each row: rounded from `scan --threads 1 --count` over 4 million generated rows in the page cache.
  private static let rangeNanoseconds = 0.5
  private static let dayAggregateNanoseconds = 80.0
  private static let dayRankNanoseconds = 150.0
}

extension QuoteQuery {
  /// The rows of some tickers; nil for all.
  fileprivate func rowCount(of tickers: [TickerSymbol]?) -> Int {
    let manifest = snapshot.manifest
    guard let tickers else { return manifest.runs.reduce(0) { $0 + $1.rowCount } }
    return Set(tickers).compactMap(manifest.index(of:)).flatMap(manifest.runs(ofTickerAt:)).reduce(0) {
      $0 + $1.rowCount
    }
  }
}

extension Condition {
  fileprivate var program: Program? {
    if case .computed(let program, _) = self { program } else { nil }
  }
}

extension Program.Step {
  /// For each row.
  fileprivate var nanoseconds: Double {
    switch operation {
    case .attribute, .isMissing, .isInside, .isIntegerInside, .isDayInside, .isTicker, .compare, .not: 2
    case .row(let function): function.nanoseconds
    case .window(let function, .since, _): function.nanoseconds + 500
    case .window(let function, _, _): function.nanoseconds
    case .all, .any, .choose, .shift: 2
    case .calendar, .flag: 6
    case .indicator: 15
    case .aggregate, .market: 4
    }
  }
}
