// Aggregates, block by block:
//
//   divide    the block's rows -> segments of rows, one for each group; a block within one group is not looked at
//   measure   each wanted attribute's block -> totals, one element a segment; for a whole block in one group, the
//             statistics have them
//   append    the totals of the first segment are merged into the last group, or begin a new one like those after it
//
// Groups come one after another, because blocks come ticker by ticker in order of days. So the groups are a table that
// grows at its end, and the tables of neighbouring ranges of blocks are put together by appending them in the same way.
// Nothing depends on where the ranges end: sums are exact until they are asked for.

/// The groups of a contiguous range of candidate blocks, and what was measured of them.
///
/// Sound to send: one thread fills a table, and hands it to the one that appends it.
final class GroupTable: @unchecked Sendable {
  let request: AggregateRequest
  private(set) var keys = GroupKeys()
  /// What was measured, in the order of `request.attributes`.
  let totals: [AttributeTotals]
  /// Rows of each group, when they are asked for.
  private var rowCounts: [Int64] = []

  init(_ request: AggregateRequest) {
    self.request = request
    totals = request.attributes.map { AttributeTotals($0.name, $0.measures) }
  }

  /// Makes room for `count` groups.
  func reserveCapacity(_ count: Int) {
    for totals in totals { totals.reserveCapacity(count) }
    if request.countsRows { rowCounts.reserveLargeCapacity(count) }
    if request.grouping?.isPeriod == true { keys.periods.reserveLargeCapacity(count) }
  }

  /// Whether rows of this ticker and period belong to the last group.
  func continues(_ ticker: TickerSymbol, _ period: Int) -> Bool {
    guard keys.count > 0 else { return false }
    return request.grouping == nil || (ticker == keys.lastTicker && period == keys.lastPeriod)
  }

  /// Appends the keys of a block's segments, and how many rows each has.
  func append(
    _ ticker: TickerSymbol, _ segments: Segments, _ rows: BlockRows, _ isContinued: Bool, _ calendar: PeriodCalendar?
  ) {
    if request.countsRows {
      let ranks = rows.isWhole ? nil : RowRanks(rows.mask)
      let counts = (0..<segments.count).lazy.map { index in
        let rows = segments.rows(index)
        return Int64(ranks?.count(in: rows) ?? rows.count)
      }
      rowCounts.append(counts, isContinued) { $0 += $1 }
    }
    keys.append(ticker, segments, isContinued, calendar)
  }

  /// Appends the groups of the blocks after these.
  func append(_ next: GroupTable) {
    guard let (ticker, period) = next.keys.first else { return }
    let isContinued = continues(ticker, period)
    for (totals, next) in zip(totals, next.totals) { totals.append(next, isContinued: isContinued) }
    rowCounts.append(next.rowCounts, isContinued && request.countsRows) { $0 += $1 }
    keys.append(next.keys, isContinued)
  }

  /// The aggregates of all groups. Of no quotes at all there is one group without grouping, and none with it.
  func aggregates(_ aggregations: [Aggregation]) -> AggregateTable {
    let isGrouped = request.grouping != nil
    if !isGrouped, keys.count == 0 {
      rowCounts.append(0)
      for totals in totals { totals.appendNothing() }
    }
    return AggregateTable(
      grouping: request.grouping, rowCount: isGrouped ? keys.count : 1,
      tickers: isGrouped ? keys.tickers : TickerColumn(), periods: keys.periods, aggregations: aggregations,
      columns: aggregations.map(column))
  }

  /// The column of one of the aggregations that were requested.
  private func column(_ aggregation: Aggregation) -> AggregateColumn {
    guard let name = aggregation.attribute else { return .integers(rowCounts) }
    guard let index = request.attributes.firstIndex(where: { $0.name == name }) else {
      preconditionFailure("\(name) was not measured")
    }
    return totals[index].column(aggregation.function)
  }
}

/// The totals of one attribute, of either kind.
enum AttributeTotals {
  case double(GroupTotals<Double>)
  case integer(GroupTotals<Int64>)

  init(_ name: AttributeName, _ measures: Measures) {
    self = name.isInteger ? .integer(GroupTotals(measures)) : .double(GroupTotals(measures))
  }

  func reserveCapacity(_ count: Int) {
    switch self {
    case .double(let totals): totals.reserveCapacity(count)
    case .integer(let totals): totals.reserveCapacity(count)
    }
  }

  func append(_ next: AttributeTotals, isContinued: Bool) {
    switch (self, next) {
    case (.double(let totals), .double(let next)): totals.append(next, isContinued: isContinued)
    case (.integer(let totals), .integer(let next)): totals.append(next, isContinued: isContinued)
    default: preconditionFailure("totals of an attribute appended to those of another")
    }
  }

  /// Appends what the statistics say of a whole block; false when they don't say it.
  @inline(__always)
  func append(_ directory: SectionDirectory, _ block: Int, rowCount: Int, isContinued: Bool) -> Bool {
    switch self {
    case .double(let totals): totals.append(directory, block, rowCount: rowCount, isContinued: isContinued)
    case .integer(let totals): totals.append(directory, block, rowCount: rowCount, isContinued: isContinued)
    }
  }

  func appendNothing() {
    switch self {
    case .double(let totals): totals.appendNothing()
    case .integer(let totals): totals.appendNothing()
    }
  }

  func column(_ function: Aggregation.Function) -> AggregateColumn {
    switch self {
    case .double(let totals): totals.column(function)
    case .integer(let totals): totals.column(function)
    }
  }
}
