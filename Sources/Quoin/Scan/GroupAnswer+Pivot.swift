extension GroupAnswer {
  /// A row for each group by all keys but the last one, and beside it the columns of each value of that key. Rows come in the order
  /// of their first groups, values rising. A group that isn't there has missing cells.
  ///
  /// - Throws: `StoreError.tooManyColumns`; `StoreError.questionTooBig` for too many cells.
  func pivoted(_ offset: Int, _ limit: Int?, within budget: QuestionBudget) throws(StoreError) -> GroupAnswer {
    guard let keys = groups.grouping?.keys, let last = keys.last, keys.count > 1 else { return self }
    let (values, valueOf) = groups.values(of: last)
    let count = values.count * columns.count
    if count > Limits.pivotColumns {
      throw .tooManyColumns(key: last.name, count: count, countMax: Limits.pivotColumns)
    }
    let codes = keys.dropLast().map(groups.codes)
    var (rows, places): ([Int], [[Int64]: Int]) = ([], [:])
    let rowOf = (0..<groups.rowCount).map { group in
      let key = codes.map { $0[group] }
      if let row = places[key] { return row }
      places[key] = rows.count
      rows.append(group)
      return rows.count - 1
    }
    let shown = offset..<max(offset, min(rows.count, offset + min(limit ?? .max, rows.count)))
    let held = try budget.hold(shown.count * count * MemoryLayout<Double>.size)
    defer { withExtendedLifetime(held) {} }
    var groupAt = Array(repeating: Array(repeating: -1, count: shown.count), count: values.count)
    for group in rowOf.indices where shown.contains(rowOf[group]) {
      groupAt[valueOf[group]][rowOf[group] - offset] = group
    }
    let cells = zip(values, groupAt).flatMap { value, groups in
      columns.map { column in
        let text = self.groups.text(of: last, at: value) ?? "missing"
        return (
          columns.count == 1 ? text : "\(text) \(column.name)", column.values.gathered(groups), column.aggregation
        )
      }
    }
    return GroupAnswer(
      groups: groups.rows(Array(rows[shown.clamped(to: rows.indices)])).by(keys.dropLast()), columns: cells,
      quoteCount: quoteCount)
  }
}

extension AggregateTable {
  /// A row of each value of a key, values rising, and for each row the number of its value.
  fileprivate func values(of key: Grouping.Key) -> (rows: [Int], valueOf: [Int]) {
    let codes = codes(of: key)
    var (rows, valueOf) = ([Int](), Array(repeating: 0, count: rowCount))
    for row in (0..<rowCount).sorted(by: { (codes[$0], $0) < (codes[$1], $1) }) {
      if codes[row] != rows.last.map({ codes[$0] }) { rows.append(row) }
      valueOf[row] = rows.count - 1
    }
    return (rows, valueOf)
  }
}

extension AggregateColumn {
  /// The values of some groups; missing for -1.
  fileprivate func gathered(_ groups: [Int]) -> AggregateColumn {
    switch self {
    case .doubles(let values): .doubles(groups.map { $0 < 0 ? .missing : values[$0] })
    case .integers(let values): .integers(groups.map { $0 < 0 ? .missing : values[$0] })
    case .sums(let values): .sums(groups.map { $0 < 0 ? .min : values[$0] })
    case .days(let values): .days(groups.map { $0 < 0 ? nil : values[$0] })
    }
  }
}
