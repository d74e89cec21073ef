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
    try sorted(by: [RowKey(.expression(expression), order)])
  }

  /// The selected quotes by the first key, those that it doesn't tell apart by the second, and so on; then in the query's order.
  /// A limit and an offset are of the quotes in this order. Blocks the calling thread.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  package func sorted(by keys: [RowKey]) throws(StoreError) -> QuoteBatch {
    var query = begun().query.limited(to: .max).offset(by: 0)
    for key in keys { if let x = key.expression { query = query.computing(also: ("\(x)", x)) } }
    let wanted = limit.map { $0.addingReportingOverflow(offset) }
    guard let wanted, !wanted.overflow, let first = keys.first else { return try page(of: query.fetchColumns(), keys) }
    return try page(of: query.outermost(wanted.partialValue, by: first), keys)
  }

  /// The rows that limit and offset let pass, in order, without the computed columns of the keys, which are the last ones.
  private func page(of batch: QuoteBatch, _ keys: [RowKey]) throws(StoreError) -> QuoteBatch {
    let held = try budget?.hold(batch.rowCount * SortColumns.rowByteCount(keys.count))
    defer { withExtendedLifetime(held) {} }
    let computedCount = keys.count { $0.expression != nil }
    var columns = SortColumns()
    var values = batch.computed.suffix(computedCount).makeIterator()
    for key in keys {
      switch key.value {
      case .period(.day):
        columns.append(batch.columns.dayValues.lazy.map { Int64($0.daysSince1970) }, key.isDescending)
      case .period(let period):
        columns.append(batch.columns.dayValues.map { Int64(period.first(of: $0).daysSince1970) }, key.isDescending)
      case .askedTicker: columns.append(batch.tickers.places.ranks, key.isDescending)
      // The symbols of a result ascend.
      case .ticker: columns.append(batch.tickers.places.lazy.map { Int64($0) }, key.isDescending)
      case .expression: if let column = values.next() { columns.append(values: column.values, key.isDescending) }
      }
    }
    let rows = columns.sorted(0..<batch.rowCount)
    var result = batch.gathered(Array(rows.dropFirst(offset).prefix(limit ?? .max)))
    result.computed.removeLast(computedCount)
    return result
  }
}

// What comes first is found before all of it is read.
extension QuoteQuery {
  /// Some of the selected quotes, among which are the first `count` by a key, with all that are equal to the last of these.
  private func outermost(_ count: Int, by key: RowKey) throws(StoreError) -> QuoteBatch {
    if count == 0 { return try limited(to: 0).fetchColumns() }
    switch key.value {
    case .period(let period): return try outermost(count, by: period, key.order)
    case .ticker: return try outermost(count, of: (tickers ?? snapshot.symbols).sorted(), key.order)
    case .askedTicker: return try outermost(count, of: tickers ?? snapshot.symbols, key.order)
    case .expression(let x):
      guard let bound = try outermost(count, of: x, key.isDescending) else { return try fetchColumns() }
      return try self.where(key.isDescending ? x >= .number(bound.nextDown) : x <= .number(bound.nextUp))
        .fetchColumns()
    }
  }

  /// Looks at one day, then at eight times as many, and so on.
  private func outermost(_ count: Int, by period: CalendarPeriod, _ order: DateOrder) throws(StoreError) -> QuoteBatch {
    guard let days = snapshot.manifest.days else { return try fetchColumns() }
    var dayCount = 1
    while true {
      let edge = (order == .descending ? days.upperBound : days.lowerBound)
        .advanced(by: (dayCount - 1) * (order == .descending ? -1 : 1))
      guard let edge, days.contains(edge) else { return try fetchColumns() }
      let batch = try (order == .descending ? dates(from: period.first(of: edge)) : dates(to: period.last(of: edge)))
        .fetchColumns()
      if batch.rowCount >= count { return batch }
      dayCount *= 8
    }
  }

  /// Looks at one ticker, then at eight times as many, and so on.
  private func outermost(
    _ count: Int, of rising: [TickerSymbol], _ order: DateOrder
  ) throws(StoreError) -> QuoteBatch {
    let ordered = order == .descending ? rising.reversed() : rising
    var tickerCount = 1
    while tickerCount < ordered.count {
      let wanted = Set(ordered.prefix(tickerCount))
      // In the query's order.
      let batch = try keeping((tickers ?? snapshot.symbols).filter(wanted.contains)).fetchColumns()
      if batch.rowCount >= count { return batch }
      tickerCount *= 8
    }
    return try fetchColumns()
  }

  /// The least extreme of the `count` largest values of an expression, or smallest; nil if there aren't so many values.
  private func outermost(
    _ count: Int, of expression: QuoteExpression, _ isDescending: Bool
  ) throws(StoreError) -> Double? {
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
