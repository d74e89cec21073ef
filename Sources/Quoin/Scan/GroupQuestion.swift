/// What is asked of groups of quotes: columns that are aggregates or computed from them, which groups, and in which order.
package struct GroupQuestion: Sendable {
  /// The columns, each of which is an aggregate or computed from aggregates.
  package var columns: [(name: String, expression: QuoteExpression)]
  /// The columns that have a name of their own, by that name in lower case.
  var names: [String: QuoteExpression] = [:]
  /// Which groups are wanted; nil for all.
  package var condition: Predicate?
  /// What groups are ordered by instead of their keys, and whether the largest come first. Groups without a value come last.
  package var order: (expression: QuoteExpression, isDescending: Bool)?

  package init(
    columns: [(name: String, expression: QuoteExpression)], condition: Predicate? = nil,
    order: (expression: QuoteExpression, isDescending: Bool)? = nil
  ) {
    (self.columns, self.condition, self.order) = (columns, condition, order)
  }
}

extension QuoteQuery {
  /// The groups that a question asks for. The query's limit and offset are of these. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  package func answer(_ question: GroupQuestion, by grouping: Grouping?) throws(StoreError) -> GroupAnswer {
    let (query, budget) = begun()
    return try budget.work { () throws(StoreError) in try query.answer(question, by: grouping, within: budget) }
  }

  private func answer(
    _ question: GroupQuestion, by grouping: Grouping?, within budget: QuestionBudget
  ) throws(StoreError) -> GroupAnswer {
    let extra =
      (question.condition.map { [QuoteExpression.truth($0)] } ?? []) + (question.order.map { [$0.expression] } ?? [])
    let expressions = question.columns.map(\.expression) + extra
    let program = try SystemThread.deep(levelCount: expressions.map(\.size.levelCount).max() ?? 0) {
      () throws(StoreError) in try Program(expressions)
    }
    // The number of rows tells whether there are any when there are no groups.
    let aggregations = program.aggregations
    let wanted = aggregations.contains(.count) ? aggregations : aggregations + [.count]
    let table = try limited(to: .max).offset(by: 0).aggregate(wanted, by: grouping)
    let quoteCount = table.integers(.count).reduce(0) { $0 + Int($1 ?? 0) }
    var inputs: [Aggregation: ColumnMemory<Double>] = [:]
    for aggregation in aggregations {
      inputs[aggregation] = ColumnBuffer(table.doubles(aggregation).map { $0 ?? .missing }).shared
    }
    let held = try budget.hold(table.rowCount * MemoryLayout<Double>.size * program.columnCountMax)
    defer { withExtendedLifetime(held) {} }
    let values = try ProgramRun.columns(of: program, overGroups: inputs, count: table.rowCount, within: budget)
    var rows = Array(0..<table.rowCount)
    if question.condition != nil {
      let truths = values[question.columns.count]
      rows.removeAll { truths[$0] != 1 }
    }
    if let (_, isDescending) = question.order { rows.sortRows(by: values[values.count - 1], isDescending) }
    rows = Array(rows.dropFirst(offset).prefix(limit ?? .max))
    let groups = table.rows(rows)
    let columns = question.columns.enumerated().map { index, column in
      if case .aggregate(let aggregation) = column.expression.node {
        return (column.name, groups[aggregation], Optional(aggregation))
      }
      return (column.name, AggregateColumn.doubles(rows.map { values[index][$0] }), nil)
    }
    return GroupAnswer(groups: groups, columns: columns, quoteCount: quoteCount)
  }
}
