/// Finds tickers that have the same history: the same days with the same opens, highs, lows, closes and volumes.
///
/// The manifest and the last rows tell most tickers apart. Of the others all rows are read.
struct TwinHistories {
  /// A shorter history may well be that of another ticker by chance.
  static let rowCountMin = 5
  static let attributes: AttributeSet = [.open, .high, .low, .close, .volume]

  let snapshot: Snapshot
  let crew: Crew
  let budget: QuestionBudget

  /// What the manifest says of a history.
  private struct Extent: Hashable {
    let rowCount: Int
    let firstDay: TradingDay
    let lastDay: TradingDay
  }

  /// For each of `tickers` that has the history of others, the first of these.
  ///
  /// - Throws: `StoreError` when a block is damaged.
  func twins(of tickers: Set<TickerSymbol>) throws(StoreError) -> [TickerSymbol: TickerSymbol] {
    let groups = try alikeGroups(tickers)
    let alike = groups.flatMap { $0 }
    let prints = try crew.map(alike.count, worker: ()) { [self] _, index throws(StoreError) in
      Self.fingerprint(of: try rows(of: alike[index]))
    }
    let printOf = Dictionary(uniqueKeysWithValues: zip(alike, prints))
    var twins: [TickerSymbol: TickerSymbol] = [:]
    for group in groups {
      let classes = Dictionary(grouping: group) { printOf[$0] ?? nil }
      for (print, members) in classes where print != nil { try pair(members, &twins) }
    }
    return twins
  }

  /// Names to each of some tickers with the same fingerprint the first other one with the same rows.
  private func pair(
    _ members: [TickerSymbol], _ twins: inout [TickerSymbol: TickerSymbol]
  ) throws(StoreError) {
    var rest = members
    while let first = rest.first, rest.count > 1 {
      let history = try rows(of: first)
      var (equal, others): ([TickerSymbol], [TickerSymbol]) = ([], [])
      for ticker in rest.dropFirst() {
        if Self.areEqual(history, try rows(of: ticker)) { equal.append(ticker) } else { others.append(ticker) }
      }
      if let second = equal.first { twins[first] = second }
      for ticker in equal { twins[ticker] = first }
      rest = others
    }
  }

  private func rows(of ticker: TickerSymbol) throws(StoreError) -> QuoteColumns {
    return try QuoteQuery(snapshot, tickers: [ticker]).selecting(Self.attributes).threads(1).taking(from: budget)
      .fetchColumns().columns
  }

  /// Groups of tickers with the same extent and the same last row, if `tickers` has one of them.
  private func alikeGroups(_ tickers: Set<TickerSymbol>) throws(StoreError) -> [[TickerSymbol]] {
    let groups = Dictionary(grouping: snapshot.manifest.tickers.indices, by: extent)
      .filter { $0.key != nil && $0.value.count > 1 }
      .values.map { $0.map { snapshot.symbols[$0] } }
      .filter { $0.contains(where: tickers.contains) }
    let candidates = groups.flatMap { $0 }
    guard !candidates.isEmpty else { return [] }
    let last = try QuoteQuery(snapshot, tickers: candidates).selecting(Self.attributes).taking(from: budget).latest()
    let lastRows = Dictionary(
      uniqueKeysWithValues: last.tickers.enumerated().map { row, ticker in
        (ticker, Self.attributes.map { last.columns[column: $0].bits(row) })
      })
    return groups.flatMap { Dictionary(grouping: $0) { lastRows[$0] }.values }
      .filter { $0.count > 1 && $0.contains(where: tickers.contains) }
  }

  private func extent(ofTickerAt index: Int) -> Extent? {
    let runs = snapshot.manifest.runs(ofTickerAt: index)
    let rowCount = runs.reduce(0) { $0 + $1.rowCount }
    guard rowCount >= Self.rowCountMin, let first = runs.first, let last = runs.last else { return nil }
    return Extent(rowCount: rowCount, firstDay: first.firstDay, lastDay: last.lastDay)
  }

  /// A hash of all cells; nil if there is no price.
  private static func fingerprint(of rows: QuoteColumns) -> Int? {
    let prices: [Attribute] = [.open, .high, .low, .close]
    guard prices.contains(where: { rows[column: $0].doubles.contains { !$0.isMissing } }) else { return nil }
    var hasher = Hasher()
    for day in rows.dayValues { hasher.combine(day) }
    for name in attributes {
      let column = rows[column: name]
      for row in 0..<rows.rowCount { hasher.combine(column.bits(row)) }
    }
    return hasher.finalize()
  }

  private static func areEqual(_ a: QuoteColumns, _ b: QuoteColumns) -> Bool {
    a.dayValues == b.dayValues
      && attributes.allSatisfy { name in
        let column = a[column: name]
        return column.commonCount(with: b[column: name], from: 0, limit: a.rowCount) == a.rowCount
      }
  }
}
