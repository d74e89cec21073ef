extension MarketValue {
  /// What is computed of other tickers' rows for it.
  var expressions: [QuoteExpression] {
    switch self {
    case .aggregate(let aggregation, let predicate):
      [aggregation.expression, aggregation.weight].compactMap(\.self) + [.truth(predicate)]
    case .rank(_, _, let x, let predicate): [x, .truth(predicate)]
    case .ticker(_, let x, _): [x]
    case .first(let rows, let predicate): [rows.expression, .truth(predicate)] + rows.grouping.expressions
    case .last(_, let predicate): [.truth(predicate)]
    case .tickerNumber, .days: []
    }
  }
}

extension QuoteExpression {
  /// The steps that compute it; nil for an expression that is too large to be asked.
  var program: Program? { SystemThread.deep(levelCount: size.levelCount) { try? Program([self]) } }

  /// What the value depends on of other tickers, directly or through values of other tickers, each once.
  var allMarketValues: Set<MarketValue> {
    var (found, waiting): (Set<MarketValue>, [QuoteExpression]) = ([], [self])
    while let next = waiting.popLast() {
      for value in next.program?.marketValues ?? [] where found.insert(value).inserted { waiting += value.expressions }
    }
    return found
  }

  /// How many rows after a row its value depends on, or another ticker's value in it.
  var rowsAhead: Int {
    let expressions = [self] + allMarketValues.flatMap(\.expressions)
    return expressions.map { $0.program?.reach.ahead ?? 0 }.max() ?? 0
  }
}
