// What is known of a question before a store is asked.

extension QuoteQuestion {
  /// The columns of an answer that are keys of groups, its first ones.
  package var keyCount: Int { groups.map { (grouping?.keys.count ?? 0) - ($0.isPivot ? 1 : 0) } ?? 0 }

  /// Whether quotes are compared with others of their day: then some tickers by themselves have other answers than among all.
  package var isByDay: Bool {
    given.contains(.top) && !order.isByTicker || expressions.contains(where: \.isByDay)
  }

  /// Whether quotes are compared with others of the same day: a ticker by itself is alone there.
  var isAmongOthers: Bool { isTopOfDay || expressions.contains(where: \.isByDay) }

  /// The other tickers whose rank among the quotes of their day is asked for: `rank(close by day) of AC`.
  var rankedElsewhere: Set<TickerSymbol> { expressions.reduce(into: []) { $0.formUnion($1.rankedElsewhere) } }

  /// All that is computed of rows. No ranges, for to make their program takes longer than to answer them.
  private var expressions: [QuoteExpression] {
    var expressions = conditions.filter { !$0.areRanges }.map { QuoteExpression.truth($0) }
    expressions += (columns ?? []).compactMap(\.expression) + order.expressions
    expressions += (grouping?.keys ?? []).compactMap(\.expression)
    guard let groups else { return expressions }
    let ofGroups = groups.columns.map(\.expression) + groups.hiddenExpressions
    return expressions + ofGroups.flatMap(\.ofQuotes)
  }
}

extension Predicate {
  /// Whether it is made of ranges of columns alone: one, or several joined with 'and'.
  var areRanges: Bool {
    let parts = if case .all(let parts) = form { parts } else { [self] }
    return parts.allSatisfy { part in
      switch part.form {
      case .double, .integer, .date, .isMissing: true
      default: false
      }
    }
  }
}

extension QuoteExpression {
  /// What an expression of groups is computed from of quotes.
  fileprivate var ofQuotes: [QuoteExpression] {
    (program?.aggregations ?? []).flatMap { aggregation in
      guard let inner = aggregation.inner else { return aggregation.expressions }
      return inner.expressions + aggregation.expressions.flatMap(\.ofQuotes)
    }
  }

  fileprivate var rankedElsewhere: [TickerSymbol] {
    allMarketValues.compactMap { value in
      guard case .ticker(let ticker, let x, _) = value else { return nil }
      let hasRank = (x.program?.marketValues ?? []).contains { if case .rank = $0 { true } else { false } }
      return hasRank ? ticker : nil
    }
  }

  fileprivate var isByDay: Bool {
    allMarketValues.contains { value in
      switch value {
      case .aggregate, .rank, .first: true
      case .ticker, .last, .tickerNumber, .days: false
      }
    }
  }
}
