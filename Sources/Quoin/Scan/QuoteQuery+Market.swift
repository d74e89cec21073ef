extension QuoteQuery {
  /// What is taken from quotes of other tickers, or of all of them together, by day.
  ///
  /// The market is the query's tickers, with all of their rows: neither conditions nor limits narrow it, and for another ticker
  /// (`of`) it is the same one. A ticker that isn't in it has no rank there.
  ///
  /// - Parameter programs: those of the query. If none looks at other days than its row's, only days that the query selects are
  ///   looked at.
  /// - Throws: `StoreError`: `unknownTicker` for one that the store has no quotes of.
  func marketSeries(of programs: [Program]) throws(StoreError) -> [MarketValue: MarketSeries] {
    var series: [MarketValue: MarketSeries] = [:]
    let values = programs.flatMap(\.marketValues)
    if values.isEmpty { return series }
    let bounds = programs.allSatisfy { $0.reach == Reach() } ? predicate.dayBounds.widened(by: meeting) : .all([])
    let cache = cache ?? MarketCache()
    for value in values where series[value] == nil {
      let key = MarketCache.Key(value: value, bounds: value.isOfDay ? bounds : .all([]), tickers: market)
      if cache[key] == nil { cache[key] = try finding(in: cache).marketSeries(value, bounds, cache) }
      series[value] = cache[key]
    }
    return series
  }

  private var meeting: Meeting { Meeting(barPeriod: snapshot.barPeriod) }

  private func marketSeries(
    _ value: MarketValue, _ bounds: Predicate, _ cache: MarketCache
  ) throws(StoreError) -> MarketSeries {
    switch value {
    case .aggregate(let aggregation, let predicate):
      let table = try rows(of: market).where(bounds).where(predicate).aggregate([aggregation], by: meeting.grouping)
      let values = table.doubles(aggregation).map { $0 ?? .missing }
      return MarketSeries(
        ColumnBuffer(table.periods).shared, ColumnBuffer(values).shared, otherwise: aggregation.ofNobody, by: meeting)
    case .ticker(let ticker, let x, let days):
      guard snapshot.manifest.index(of: ticker) != nil else { throw .unknownTicker(ticker) }
      let bounds = bounds.beginning(earlier: days).widened(by: meeting)
      let batch = try rows(of: market).keeping([ticker]).where(bounds).computing(only: [x]).fetchColumns()
      return MarketSeries(
        batch.columns.dayValues.shared, batch.computed[0].values.shared, within: days, by: meeting)
    case .first(let top, let predicate): return try firstRows(top, among: predicate)
    case .last(let days, let predicate): return try lastRows(in: days, predicate)
    case .tickerNumber: return MarketSeries(numbersOf: snapshot.symbols)
    case .days(let days):
      return MarketSeries(days: snapshot.manifest.days.flatMap { days.days(newest: $0.upperBound) })
    case .rank(let rank, let order, let x, let predicate):
      var parts: [RankedDays] = []
      for days in marketDays(x, predicate, cache) {
        let query = rows(of: market).where(bounds).where(predicate).where(days).computing(only: [x])
        parts.append(try query.ranked(rank, order, cache))
      }
      return MarketSeries(parts, by: meeting)
    }
  }

  /// The ranks of the rows' only column.
  private func ranked(_ rank: DayRank, _ order: DateOrder, _ cache: MarketCache) throws(StoreError) -> RankedDays {
    let batch = try fetchColumns()
    let heldForNow = try budget?.hold(batch.rowCount * BatchOutput.rowByteCount([], computedCount: 1))
    defer { withExtendedLifetime(heldForNow) {} }
    let key = MarketCache.RowsKey(predicate: predicate, tickers: market)
    let known = cache[key]
    let rows = if let known { known } else { try marketRows(batch) }
    cache[key] = rows
    let held = try budget?.hold(batch.rowCount * MemoryLayout<UInt32>.size)
    try budget?.check()
    let ranks = DayRanks(batch.computed[0].values.shared, on: rows.days, of: batch.tickers.runRanges, order)
    let doubled = try ranks.doubled(rank, Crew(threadCount: threadCount), within: budget)
    return RankedDays(
      rank: rank, rows: rows, doubled: doubled, rankedDays: ranks.days, starts: ranks.starts, held: held)
  }

  private func marketRows(_ batch: QuoteBatch) throws(StoreError) -> MarketRows {
    let held = try budget?.hold(batch.rowCount * MemoryLayout<TradingDay>.size)
    let tickers = batch.tickers.runRanges.map { (batch.tickers[$0.lowerBound], $0) }
    return MarketRows(
      days: meeting.days(batch.columns.dayValues.shared), tickers: Dictionary(uniqueKeysWithValues: tickers), held: held
    )
  }

  /// A query of all rows of some tickers, without their attributes.
  func rows(of tickers: [TickerSymbol]?) -> QuoteQuery {
    var query = QuoteQuery(snapshot, tickers: tickers).threads(threadCount).selecting([])
    if let budget { query = query.taking(from: budget) }
    if let cache { query = query.finding(in: cache) }
    return query
  }
}

extension QuoteQuery {
  /// Keeps those of the quotes selected so far that come first on their day, by an expression: the largest, unless `order` says
  /// otherwise. Of equal ones, those of the query's first tickers.
  ///
  ///     let gainers = try store.allQuotes.where(.volume > 1_000_000).topOfDay(3, by: .change(.close)).fetch()
  public func topOfDay(_ count: Int, by x: QuoteExpression, _ order: DateOrder = .descending) -> QuoteQuery {
    self.where(.placeByDay(x, order, among: predicate) <= .number(Double(count)))
  }
}

extension MarketValue {
  /// Whether it is found day by day, so that other days don't matter.
  fileprivate var isOfDay: Bool {
    switch self {
    case .aggregate, .rank, .ticker: true
    case .first, .last, .tickerNumber, .days: false
    }
  }
}

extension Predicate {
  /// Bounds of the days for which it may hold.
  fileprivate var dayBounds: Predicate {
    var (bounds, seen): ([Predicate], Set<Predicate>) = ([], [])
    var waiting = [self]
    while let next = waiting.popLast() {
      guard seen.insert(next).inserted else { continue }
      switch next.form {
      case .date: bounds.append(next)
      case .all(let parts): waiting += parts
      default: break
      }
    }
    return .all(bounds)
  }

  /// Bounds of all days of the periods that days in the bounds lie in.
  fileprivate func widened(by meeting: Meeting) -> Predicate {
    switch form {
    case .date(let bounds): .date(meeting.widened(bounds))
    case .all(let parts): .all(parts.map { $0.widened(by: meeting) })
    default: self
    }
  }

  /// Bounds of days that begin so many days earlier.
  fileprivate func beginning(earlier days: Int) -> Predicate {
    switch form {
    case .date(let bounds): .date(Bounds(lower: bounds.lower.earlier(by: days), upper: bounds.upper))
    case .all(let parts): .all(parts.map { $0.beginning(earlier: days) })
    default: self
    }
  }
}

extension Bound<TradingDay> {
  fileprivate func earlier(by days: Int) -> Bound {
    switch self {
    case .unbounded: .unbounded
    case .inclusive(let day): day.advanced(by: -days).map { .inclusive($0) } ?? .unbounded
    case .exclusive(let day): day.advanced(by: -days).map { .exclusive($0) } ?? .unbounded
    }
  }
}
