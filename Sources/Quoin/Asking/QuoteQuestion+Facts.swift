// What is known of a question before a store is asked.

extension QuoteQuestion {
  /// The columns of an answer that are keys of groups, its first ones.
  package var keyCount: Int { groups == nil ? 0 : grouping?.keys.count ?? 0 }

  /// Whether quotes are compared with others of their day: then some tickers by themselves have other answers than among all.
  package var isByDay: Bool { given.contains(.top) || expressions.contains(where: \.isByDay) }

  /// All that is computed of rows.
  private var expressions: [QuoteExpression] {
    var expressions = conditions.map { QuoteExpression.truth($0) } + (columns ?? []).compactMap(\.expression)
    if case .values(let expression, _) = order { expressions.append(expression) }
    guard let groups else { return expressions }
    let ofGroups =
      groups.columns.map(\.expression) + (groups.condition.map { [QuoteExpression.truth($0)] } ?? [])
      + (groups.order.map { [$0.expression] } ?? [])
    let aggregations = ofGroups.flatMap { $0.program?.aggregations ?? [] }
    return expressions + aggregations.flatMap { [$0.expression, $0.weight].compactMap(\.self) }
  }
}

extension QuoteExpression {
  /// The steps that compute it; nil for an expression that is too large to be asked.
  fileprivate var program: Program? {
    SystemThread.deep(levelCount: size.levelCount) { try? Program([self]) }
  }

  fileprivate var isByDay: Bool {
    (program?.marketValues ?? []).contains { value in
      switch value {
      case .aggregate, .rank: true
      case .ticker(_, let x, _): x.isByDay
      }
    }
  }
}
