// Aggregates of aggregates, such as the mean of the highs of months:
//
//   divide     the groups are divided by what they share inside, and aggregated -> a table with a row for each part
//   compute    what each part amounts to -> columns
//   slot       parts come group by group, so a part whose keys differ begins the next group
//   measure    each aggregation's columns, by group, as if each part were a quote of its period's first day

extension QuoteQuery {
  /// Aggregates of quotes, and of what groups inside the groups amount to.
  func dividedGroups(_ aggregations: [Aggregation], by grouping: Grouping?) throws(StoreError) -> AggregateTable {
    let (query, budget) = begun()
    return try budget.work { () throws(StoreError) in
      // The number of quotes tells which groups there are.
      let ofQuotes = aggregations.filter { $0.inner == nil } + [.count]
      let table = try query.aggregate(ofQuotes, by: grouping)
      var columns: [Aggregation: GroupColumn] = [:]
      for inner in Set(aggregations.compactMap(\.inner)) {
        let wanted = aggregations.filter { $0.inner == inner }
        let parts = try query.parts(of: wanted, by: grouping, inner, count: table.rowCount, within: budget)
        columns.merge(zip(wanted, parts)) { first, _ in first }
      }
      return table.with(aggregations, columns)
    }
  }

  /// The columns of some aggregations of the same groups inside the groups.
  private func parts(
    of aggregations: [Aggregation], by grouping: Grouping?, _ inner: Grouping, count: Int, within budget: QuestionBudget
  ) throws(StoreError) -> [GroupColumn] {
    let inputs = aggregations.map(\.inputs)
    let expressions = inputs.flatMap(\.self)
    let program = try SystemThread.deep(levelCount: expressions.map(\.size.levelCount).max() ?? 0) {
      () throws(StoreError) in try Program(expressions)
    }
    let parts = try aggregate(
      program.aggregations + [.count], by: grouping?.divided(by: inner) ?? inner)
    var ofParts: [Aggregation: ColumnMemory<Double>] = [:]
    for aggregation in program.aggregations {
      ofParts[aggregation] = ColumnBuffer(parts.doubles(aggregation).map { $0 ?? .missing }).shared
    }
    let held = try budget.hold(
      parts.rowCount * MemoryLayout<Double>.size * (program.columnCountMax + aggregations.count))
    defer { withExtendedLifetime(held) {} }
    let values = try ProgramRun.columns(of: program, overGroups: ofParts, count: parts.rowCount, within: budget)
    let rows = SlottedRows(slots: parts.slots(by: grouping), days: parts.days(of: inner))
    var next = values.startIndex
    return aggregations.enumerated().map { index, aggregation in
      var measure = aggregation.makeMeasure(hasFractions: true)
      measure.grow(to: count)
      measure.add(values[next..<(next + inputs[index].count)].map { .doubles($0) }, rows)
      next += inputs[index].count
      return measure.column
    }
  }
}

extension AggregateTable {
  /// For each row the number of its group by fewer keys, which are the first ones of this table's.
  fileprivate func slots(by outer: Grouping?) -> [Int32] {
    let codes = (outer?.keys ?? []).map(codes)
    var slot: Int32 = 0
    return (0..<rowCount).map { row in
      if row > 0, codes.contains(where: { $0[row] != $0[row - 1] }) { slot += 1 }
      return slot
    }
  }

  /// The first day of each row's period by some keys.
  fileprivate func days(of inner: Grouping) -> ColumnMemory<TradingDay> {
    guard let key = inner.keys.first(where: { $0.period != nil }), case .days(let days) = keyColumn(key) else {
      return ColumnMemory(repeating: .earliest, count: rowCount)
    }
    return days.shared
  }
}
