/// What is asked of groups of quotes: columns that are aggregates or computed from them, which groups, and in which order.
package struct GroupQuestion: Sendable {
  /// The columns, each of which is an aggregate or computed from aggregates.
  package var columns: [(name: String, expression: QuoteExpression)]
  /// The columns that have a name of their own, by that name in lower case.
  var names: [String: QuoteExpression] = [:]
  /// Which groups are wanted; nil for all.
  package var condition: Predicate?
  /// What groups are ordered by before their keys. Groups without a value come last.
  package var order: [GroupSortKey] = []
  /// Whether the values of the last key are columns.
  package var isPivot = false

  package init(columns: [(name: String, expression: QuoteExpression)]) { self.columns = columns }

  /// What is computed of groups to find and to order them.
  package var hiddenExpressions: [QuoteExpression] {
    (condition.map { [QuoteExpression.truth($0)] } ?? []) + order.compactMap(\.expression)
  }
}

/// Something that groups are ordered by.
package struct GroupSortKey: Hashable, Sendable {
  package enum Value: Hashable, Sendable {
    /// What the quotes of a group share.
    case key(Grouping.Key)
    case expression(QuoteExpression)
  }

  package let value: Value
  package let order: DateOrder

  package init(_ value: Value, _ order: DateOrder) { (self.value, self.order) = (value, order) }

  package var isDescending: Bool { order == .descending }

  package var expression: QuoteExpression? {
    if case .expression(let expression) = value { expression } else { nil }
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
    let expressions = question.columns.map(\.expression) + question.hiddenExpressions
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
    if !question.order.isEmpty {
      let held = try budget.hold(table.rowCount * SortColumns.rowByteCount(question.order.count))
      defer { withExtendedLifetime(held) {} }
      rows = SortColumns(
        question.order, of: table, values[(question.columns.count)...].dropFirst(question.condition == nil ? 0 : 1)
      ).sorted(rows)
    }
    if !question.isPivot { rows = Array(rows.dropFirst(offset).prefix(limit ?? .max)) }
    let groups = table.rows(rows)
    let columns = question.columns.enumerated().map { index, column in
      if case .aggregate(let aggregation) = column.expression.node {
        return (column.name, groups[aggregation], Optional(aggregation))
      }
      return (column.name, AggregateColumn.doubles(rows.map { values[index][$0] }), nil)
    }
    let answer = GroupAnswer(groups: groups, columns: columns, quoteCount: quoteCount)
    return question.isPivot ? try answer.pivoted(offset, limit, within: budget) : answer
  }
}

extension SortColumns {
  /// - Parameter values: those of the keys that are expressions.
  fileprivate init(_ order: [GroupSortKey], of table: AggregateTable, _ values: some Sequence<ColumnMemory<Double>>) {
    var values = values.makeIterator()
    for sortKey in order {
      switch sortKey.value {
      case .expression:
        guard let column = values.next() else { continue }
        append(values: (0..<column.count).lazy.map { column[$0] }, sortKey.isDescending)
      case .key(let key):
        switch table.keyColumn(key) {
        // The symbols of a result ascend.
        case nil: append(table.tickers.places.lazy.map { Int64($0) }, sortKey.isDescending)
        case .days(let days): append(days.lazy.map { Int64($0.daysSince1970) }, sortKey.isDescending)
        case .weekdays(let numbers): append(numbers.lazy.map { Int64($0) }, sortKey.isDescending)
        case .values(let values, _): append(values: values, sortKey.isDescending)
        }
      }
    }
  }
}
