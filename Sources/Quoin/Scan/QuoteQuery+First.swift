extension QuoteQuery {
  /// Keeps the first rows of each group among the quotes selected so far, by an expression: the largest, unless `order` says
  /// otherwise. Of equal ones, those that come first.
  ///
  ///     let worst = try store.allQuotes.top(3, by: .change(.close), .ascending, per: Grouping(.ticker, .year)).fetch()
  ///
  /// - Parameter grouping: what the quotes of a group share: `Grouping(.month)` are the months of all tickers together.
  public func top(
    _ count: Int, by x: QuoteExpression, _ order: DateOrder = .descending, per grouping: Grouping
  ) -> QuoteQuery {
    if grouping == .day { return topOfDay(count, by: x, order) }
    let rows = TopRows(count: max(0, count), expression: x, order: order, grouping: grouping)
    return self.where(
      .holds(
        .market(.first(rows, among: predicate), around: [x.size, predicate.size] + grouping.expressions.map(\.size))))
  }

  /// Keeps each ticker's last row of some days for which a predicate holds, whether or not other conditions hold for it.
  package func lastRows(_ days: DayBounds = .all, among predicate: Predicate = .all([])) -> QuoteQuery {
    self.where(.holds(.market(.last(days, among: predicate), around: [predicate.size])))
  }
}

// How these rows are found.
extension QuoteQuery {
  /// - Parameter predicate: which rows count.
  func firstRows(_ top: TopRows, among predicate: Predicate) throws(StoreError) -> MarketSeries {
    let query = rows(of: market).where(predicate).computing(only: [top.expression] + top.grouping.expressions)
    let slots = GroupSlots(
      top.grouping, over: snapshot.manifest.days ?? .earliest ... .earliest, barsOf: snapshot.barPeriod)
    var (first, byteCount, held) = (FirstRows(top.count, top.order, slots), 0, [HeldMemory]())
    let cursor = query.cursor(rowsPerBatch: 1 << 16)
    while let batch = try cursor.next() {
      first.add(batch)
      if let budget, first.byteCount > byteCount { held.append(try budget.hold(first.byteCount - byteCount)) }
      byteCount = max(byteCount, first.byteCount)
    }
    defer { withExtendedLifetime(held) {} }
    return MarketSeries(daysOf: first.days(snapshot.symbols))
  }

  /// The last row of each ticker of the market in some days. Only where later rows are left out, it is looked for in the rows.
  func lastRows(in days: DayBounds, _ predicate: Predicate) throws(StoreError) -> MarketSeries {
    let manifest = snapshot.manifest
    guard let newest = manifest.days?.upperBound, let range = days.days(newest: newest) else {
      return MarketSeries(daysOf: [:])
    }
    var (found, waiting): ([TickerSymbol: [TradingDay]], [TickerSymbol]) = ([:], [])
    for ticker in market ?? snapshot.symbols {
      let lastDay = manifest.index(of: ticker).flatMap { manifest.runs(ofTickerAt: $0).map(\.lastDay).max() }
      guard let lastDay, lastDay >= range.lowerBound else { continue }
      if lastDay <= range.upperBound, predicate == .all([]) {
        found[ticker] = [lastDay]
      } else {
        waiting.append(ticker)
      }
    }
    if !waiting.isEmpty {
      let batch = try rows(of: waiting).where(predicate).dates(from: range.lowerBound, to: range.upperBound).latest()
      for (row, ticker) in batch.tickers.enumerated() { found[ticker] = [batch.columns.dayValues[row]] }
    }
    return MarketSeries(daysOf: found)
  }

  /// The same query, whose conditions on days that are counted from the newest one are conditions on days.
  func withDays() -> QuoteQuery {
    let parts = if case .all(let parts) = predicate.form { parts } else { [predicate] }
    guard parts.contains(where: { $0.newestDays != nil }) else { return self }
    let newest = snapshot.manifest.days?.upperBound
    return replacing(
      .all(
        parts.map { part in
          guard let days = part.newestDays else { return part }
          guard let newest, let range = days.days(newest: newest) else { return .any([]) }
          return .dates(from: range.lowerBound, to: range.upperBound)
        }))
  }
}

extension Predicate {
  /// The days, if it is a condition on days that are counted from the newest one.
  fileprivate var newestDays: DayBounds? {
    guard case .holds(let expression) = form, case .market(.days(let days)) = expression.node else { return nil }
    return days
  }

  /// The day is one from `first` to `last`, both included; nil leaves that end open.
  package static func dates(_ bounds: DayBounds) -> Predicate {
    if bounds.isRelative { return .holds(.market(.days(bounds))) }
    return .dates(from: bounds.first?.day(newest: .latest), to: bounds.last?.day(newest: .latest))
  }
}
