// Aggregates, block by block:
//
//   divide    the block's rows -> segments of rows, one for each group; a block within one group isn't read
//   measure   each wanted attribute's block -> totals, one element for each segment; for a whole block in one group, the
//             statistics have them
//   append    the totals of the first segment are merged into the last group, or begin a new one like those after it
//
// Groups come one after another, because blocks come ticker by ticker in order of days. So the groups are a table that
// grows at its end, and tables of neighboring ranges of blocks are appended to each other in the same way. The result
// doesn't depend on where the ranges end, because sums are exact until they are asked for.

/// The groups of a contiguous range of candidate blocks, and their totals.
struct GroupTable: Sendable {
  let request: AggregateRequest
  private(set) var keys = GroupKeys()
  private(set) var doubles = KindTotals<Double>()
  private(set) var integers = KindTotals<Int64>()
  /// Rows of each group, if they are asked for.
  private var rowCounts = ColumnBuffer<Int64>()

  /// - Parameter hasFractions: whether volumes are float64s.
  init(_ request: AggregateRequest, hasFractions: Bool) {
    self.request = request
    for (name, measures) in request.measures {
      switch name.key {
      case .double: doubles.append(name, measures)
      case .integer where hasFractions: doubles.append(name, measures)
      case .integer: integers.append(name, measures)
      }
    }
  }

  /// Makes room for `count` groups.
  mutating func reserveCapacity(_ count: Int) {
    doubles.reserveCapacity(count)
    integers.reserveCapacity(count)
    if request.countsRows { rowCounts.reserveCapacity(count) }
    keys.reserveCapacity(count, request.grouping)
  }

  /// Appends the groups of a block's segments, which come after those here.
  ///
  /// - Parameter ticker: the place of the block's ticker among the snapshot's.
  mutating func append(
    _ ticker: Int32, _ block: Int, _ segments: Segments, _ rows: BlockRows, _ periods: Periods?,
    _ doubleSources: inout KindSources<Double>, _ integerSources: inout KindSources<Int64>
  ) throws(StoreError) {
    let isContinued = continues(ticker, segments.period(0))
    try doubles.append(block, segments, rows, isContinued: isContinued, from: &doubleSources)
    try integers.append(block, segments, rows, isContinued: isContinued, from: &integerSources)
    if request.countsRows {
      let ranks = rows.isWhole ? nil : RowRanks(rows.mask)
      let counts = (0..<segments.count).lazy.map { index in
        let rows = segments.rows(index)
        return Int64(ranks?.count(in: rows) ?? rows.count)
      }
      rowCounts.append(counts, isContinued) { $0 += $1 }
    }
    keys.append(ticker, segments, isContinued, periods)
  }

  /// Appends the groups of the blocks after these.
  mutating func append(_ next: GroupTable) {
    guard let (ticker, period) = next.keys.first else { return }
    let isContinued = continues(ticker, period)
    doubles.append(next.doubles, isContinued: isContinued)
    integers.append(next.integers, isContinued: isContinued)
    rowCounts.append(next.rowCounts, isContinued && request.countsRows) { $0 += $1 }
    keys.append(next.keys, isContinued)
  }

  /// Whether rows of this ticker and period belong to the last group.
  private func continues(_ ticker: Int32, _ period: Int) -> Bool {
    guard keys.count > 0 else { return false }
    return request.grouping == nil || (ticker == keys.lastTicker && period == keys.lastPeriod)
  }

  /// The aggregates of all groups. If no quotes match, there is one group without grouping, and no group with it.
  ///
  /// - Parameter symbols: the snapshot's tickers.
  consuming func aggregates(_ aggregations: [Aggregation], _ symbols: [TickerSymbol]) -> AggregateTable {
    let isGrouped = request.grouping != nil
    if !isGrouped, keys.count == 0 {
      rowCounts.append(0)
      doubles.appendNothing()
      integers.appendNothing()
    }
    return AggregateTable(
      grouping: request.grouping, rowCount: isGrouped ? keys.count : 1,
      tickers: isGrouped ? TickerColumn(symbols: symbols, places: keys.tickers) : [],
      aggregations: aggregations, keys: request.grouping?.onlyPeriod == nil ? [] : [.days(keys.periods)],
      columns: aggregations.map(column))
  }

  /// The column of one of the aggregations that were requested.
  private func column(_ aggregation: Aggregation) -> GroupColumn {
    if aggregation.attribute == nil { return .integers(rowCounts) }
    guard let column = doubles.column(aggregation) ?? integers.column(aggregation) else {
      preconditionFailure("\(aggregation) was not measured")
    }
    return column
  }
}
