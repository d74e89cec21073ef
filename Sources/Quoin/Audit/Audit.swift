// An audit, stage by stage:
//
//   days      the days of all tickers -> how many tickers traded on each day          for missingDay, gap and loneDay
//   twins     rows of the tickers that the manifest can't tell apart                  for equalHistory
//   tickers   the rows of each ticker -> its findings, by day and rule
//
// Several threads take tickers from an `OrderedMap`, and the calling thread hands the findings out in order.

/// The audit of a snapshot.
struct Audit: Sendable {
  private let snapshot: Snapshot
  private let options: AuditOptions
  private let crew: Crew
  private let budget: QuestionBudget
  /// The tickers whose findings are wanted, ascending, in parts that one thread takes at a time.
  private let parts: [Part]
  private let attributes: AttributeSet

  /// Tickers that are read together, and their number of rows.
  private struct Part {
    var tickers: [TickerSymbol] = []
    var rowCount = 0
  }

  /// A part has at least so many rows, so that tickers of a few rows don't take a query each.
  private static let partRowCount = 8192

  init(_ snapshot: Snapshot, _ options: AuditOptions, within budget: QuestionBudget) {
    (self.snapshot, self.options, self.budget) = (snapshot, options, budget)
    crew = Crew(threadCount: options.threads)
    parts = Self.parts(of: snapshot, options.tickers.map(Set.init))
    attributes = options.rules.reduce(into: []) { $0.formUnion($1.attributes) }
  }

  private static func parts(of snapshot: Snapshot, _ tickers: Set<TickerSymbol>?) -> [Part] {
    var parts: [Part] = []
    for (index, ticker) in snapshot.symbols.enumerated() where tickers?.contains(ticker) ?? true {
      if parts.last?.rowCount ?? .max >= partRowCount { parts.append(Part()) }
      parts[parts.count - 1].tickers.append(ticker)
      parts[parts.count - 1].rowCount += snapshot.manifest.runs(ofTickerAt: index).reduce(0) { $0 + $1.rowCount }
    }
    return parts
  }

  /// The rows that are to be checked.
  var rowCount: Int { parts.reduce(0) { $0 + $1.rowCount } }

  /// Calls `body` with each finding, by ticker, day and rule, and `progress` with the rows checked so far and all rows.
  func forEachFinding(progress: (Int, Int) -> Void, _ body: (AuditFinding) throws -> Void) throws {
    let (market, twins) = (try marketDays(), try twins())
    var map = OrderedMap(crew, worker: ()) { [self] _, part throws(StoreError) in
      try findings(in: part, market, twins)
    }
    let rowCount = rowCount
    var (next, checkedCount) = (0, 0)
    for part in parts {
      while !map.isFull, next < parts.count {
        map.push(parts[next])
        next += 1
      }
      for finding in try map.next() ?? [] { try body(finding) }
      checkedCount += part.rowCount
      progress(checkedCount, rowCount)
    }
  }

  private func findings(
    in part: Part, _ market: MarketDays?, _ twins: [TickerSymbol: TickerSymbol]
  ) throws(StoreError) -> [AuditFinding] {
    let batch = try rows(of: part, attributes)
    let columns = AuditedRows(batch.columns)
    var findings: [AuditFinding] = []
    var start = 0
    for (ticker, count) in batch.tickers.runs {
      var audit = TickerAudit(ticker, columns, start..<(start + count), options)
      audit.checkRows()
      if let market { audit.compare(batch.columns.dayValues.array(audit.rows), with: market) }
      if let twin = twins[ticker] { audit.noteTwin(twin) }
      findings += audit.findings.sorted { ($0.day, $0.rule) < ($1.day, $1.rule) }
      start += count
    }
    return findings
  }

  private func rows(of part: Part, _ attributes: AttributeSet) throws(StoreError) -> QuoteBatch {
    try QuoteQuery(snapshot, tickers: part.tickers).selecting(attributes).threads(1).taking(from: budget).fetchColumns()
  }

  private func marketDays() throws(StoreError) -> MarketDays? {
    guard !options.rules.isDisjoint(with: [.missingDay, .gap, .loneDay]) else { return nil }
    let runs = snapshot.manifest.runs
    guard let first = runs.map(\.firstDay).min(), let last = runs.map(\.lastDay).max() else { return nil }
    let all = Self.parts(of: snapshot, nil)
    var market = try crew.reduce(
      all.count, worker: (), into: MarketDays(first...last, today: options.today), merge: Self.count,
      body: { [self] _, index throws(StoreError) in
        try rows(of: all[index], [])
      })
    market.finish()
    return market
  }

  private static func count(_ market: inout MarketDays, _ batch: QuoteBatch) {
    var start = 0
    for (_, count) in batch.tickers.runs {
      market.count(batch.columns.dayValues.array(start..<(start + count)))
      start += count
    }
  }

  private func twins() throws(StoreError) -> [TickerSymbol: TickerSymbol] {
    guard options.rules.contains(.equalHistory) else { return [:] }
    return try TwinHistories(snapshot: snapshot, crew: crew, budget: budget).twins(
      of: Set(parts.flatMap(\.tickers)))
  }
}

extension TickerAudit {
  fileprivate mutating func noteTwin(_ twin: TickerSymbol) {
    note(.equalHistory, columns.days[rows.upperBound - 1], twin: twin)
  }
}
