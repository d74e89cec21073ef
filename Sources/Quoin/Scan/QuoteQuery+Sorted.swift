extension QuoteQuery {
  /// The selected quotes by an expression's values: rising, or falling. Equal ones stay in the query's order, and those without a
  /// value come last. A limit and an offset are of the quotes in this order. Blocks the calling thread.
  ///
  ///     let largest = try store.allQuotes.limited(to: 10).sorted(by: .volume, .descending)
  ///
  /// With a limit, what is looked for is found first, and only then read. Without one, all quotes are in memory at once.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  public func sorted(by expression: QuoteExpression, _ order: DateOrder = .ascending) throws(StoreError) -> QuoteBatch {
    let (name, isDescending) = ("\(expression)", order == .descending)
    let all = begun().query.limited(to: .max).offset(by: 0)
    var query = all
    if let limit {
      let wanted = limit.addingReportingOverflow(offset)
      if !wanted.overflow, let bound = try all.outermost(wanted.partialValue, of: expression, isDescending) {
        query = all.where(isDescending ? expression >= .number(bound.nextDown) : expression <= .number(bound.nextUp))
      }
    }
    return try page(of: query.computing(also: (name, expression)).fetchColumns(), isDescending)
  }

  /// The last selected quote of each ticker, by an expression's values. A limit and an offset are of the quotes in this order.
  /// Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  package func latest(
    sortedBy expression: QuoteExpression, _ order: DateOrder
  ) throws(StoreError) -> QuoteBatch {
    let query = limited(to: .max).offset(by: 0).computing(also: ("\(expression)", expression))
    return try page(of: query.latest(), order == .descending)
  }

  /// The rows that limit and offset let pass, by the last computed column, which is left out.
  private func page(of batch: QuoteBatch, _ isDescending: Bool) -> QuoteBatch {
    guard let values = batch.computed.last?.values else { return batch }
    var rows = Array(0..<batch.rowCount)
    rows.sortRows(by: values.shared, isDescending)
    var result = batch.gathered(Array(rows.dropFirst(offset).prefix(limit ?? .max)))
    result.computed.removeLast()
    return result
  }

  /// The least extreme of the `count` largest values of an expression, or smallest; nil if there aren't so many values.
  private func outermost(
    _ count: Int, of expression: QuoteExpression, _ isDescending: Bool
  ) throws(StoreError) -> Double? {
    guard count > 0 else { return isDescending ? .infinity : -.infinity }
    var best: [Double] = []
    var bound = isDescending ? -Double.infinity : .infinity
    let room = max(1024, count.multipliedReportingOverflow(by: 2).partialValue)
    let cursor = selecting([]).computing(only: [expression]).cursor(rowsPerBatch: 1 << 16)
    while let batch = try cursor.next() {
      for value in batch.computed[0].values where isDescending ? value >= bound : value <= bound {
        best.append(value)
        guard best.count >= room, count < room else { continue }
        best.sort(by: isDescending ? (>) : (<))
        best.removeLast(best.count - count)
        bound = best[count - 1]
      }
    }
    guard best.count >= count else { return nil }
    best.sort(by: isDescending ? (>) : (<))
    return best[count - 1]
  }
}

extension [Int] {
  /// Sorts rows by their values; equal ones stay in order, and those without a value come last.
  mutating func sortRows(by values: ColumnMemory<Double>, _ isDescending: Bool) {
    let known = filter { !values[$0].isNaN }.sorted { (a: Int, b: Int) in
      let (x, y) = (values[a], values[b])
      return x == y ? a < b : isDescending ? x > y : x < y
    }
    self = known + filter { values[$0].isNaN }
  }
}
