// Aggregates, block by block:
//
//   divide    the block's rows -> stretches of rows, one for each group; a block within one group is not looked at
//   measure   each wanted attribute's block -> its measures, one element a stretch; of whole blocks in one group, the
//             statistics say them
//   append    the measures go on with the last group, or begin new ones
//
// Groups are met one after another, for blocks come ticker by ticker in order of days. So an accumulator is a table
// that grows at its end, and accumulators of neighbouring ranges of blocks are put together by appending them in the same
// way. Nothing depends on where the ranges end: sums are exact until they are asked for.

/// The groups' aggregates of a contiguous range of candidate blocks.
struct GroupAccumulator {
  let request: AggregateRequest
  let plan: ScanPlan
  private let calendar: PeriodCalendar?
  private var groups = GroupKeys()
  /// What was measured so far, by attribute.
  private var doubles: [MeasuredAttribute<Double>] = []
  private var integers: [MeasuredAttribute<Int64>] = []
  /// The file of the last block that was added, and its days, when they matter.
  private var fileIndex: Int?
  private var days: SectionReader?
  /// Rows of each group, when they are asked for.
  private var rowCounts: [Int64] = []
  // Working memory for one block.
  private let scratch = BlockScratch()
  private var stretches = Stretches()
  private var doublePart = MeasurePart<Double>()
  private var integerPart = MeasurePart<Int64>()

  /// - Parameter calendar: the periods of all days that the plan's blocks have, for a grouping by periods.
  init(_ request: AggregateRequest, _ plan: ScanPlan, _ calendar: PeriodCalendar?) {
    self.request = request
    self.plan = plan
    self.calendar = calendar
    for (name, measures) in request.measures {
      if name.isInteger {
        integers.append(MeasuredAttribute(name, measures))
      } else {
        doubles.append(MeasuredAttribute(name, measures))
      }
    }
  }

  /// Makes room for the groups of some candidates.
  mutating func reserveCapacity(_ candidates: ArraySlice<Candidate>) throws(StoreError) {
    let count = try groupCount(candidates)
    for index in doubles.indices { doubles[index].total.reserveCapacity(count) }
    for index in integers.indices { integers[index].total.reserveCapacity(count) }
    if request.countsRows { rowCounts.reserveLargeCapacity(count) }
    if calendar != nil { groups.periods.reserveLargeCapacity(count) }
  }

  /// Adds all rows of a block, which comes after those that were added before.
  mutating func add(_ candidate: Candidate) throws(StoreError) {
    let (block, ticker) = (Int(candidate.block), plan.symbol(of: candidate))
    try enterFile(of: candidate)
    let rowCount = plan.rowCount(of: candidate)
    guard let period = try singlePeriod(block) else {
      return try add(BlockSelection(all: rowCount), of: candidate)
    }
    stretches.setWhole(rowCount: rowCount, period: period)
    let isContinued = continues(ticker, period)
    for index in doubles.indices where !doubles[index].add(block, rowCount, isContinued) {
      try doubles[index].add(block, stretches, BlockSelection(all: rowCount), isContinued, &doublePart, scratch)
    }
    for index in integers.indices where !integers[index].add(block, rowCount, isContinued) {
      try integers[index].add(block, stretches, BlockSelection(all: rowCount), isContinued, &integerPart, scratch)
    }
    if request.countsRows { rowCounts.append([Int64(rowCount)], isContinued) }
    groups.append(ticker, stretches, isContinued, calendar)
  }

  /// Adds the rows of a mask, which has some, of a block, which comes after those that were added before.
  mutating func add(_ mask: RowMask, of candidate: Candidate) throws(StoreError) {
    let selection = BlockSelection(mask, of: plan.rowCount(of: candidate))
    if selection.isWhole { return try add(candidate) }
    try enterFile(of: candidate)
    try add(selection, of: candidate)
  }

  private mutating func add(_ selection: BlockSelection, of candidate: Candidate) throws(StoreError) {
    let (block, ticker) = (Int(candidate.block), plan.symbol(of: candidate))
    try divide(block, selection)
    let isContinued = continues(ticker, stretches.period(0))
    for index in doubles.indices {
      try doubles[index].add(block, stretches, selection, isContinued, &doublePart, scratch)
    }
    for index in integers.indices {
      try integers[index].add(block, stretches, selection, isContinued, &integerPart, scratch)
    }
    if request.countsRows {
      let ranks = selection.isWhole ? nil : RowRanks(selection.mask)
      let counts = (0..<stretches.count).map { index in
        let rows = stretches.rows(index)
        return Int64(ranks?.count(in: rows) ?? rows.count)
      }
      rowCounts.append(counts, isContinued)
    }
    groups.append(ticker, stretches, isContinued, calendar)
  }

  /// Makes the readers of a block's file, unless the last block was of the same file.
  private mutating func enterFile(of candidate: Candidate) throws(StoreError) {
    let index = Int(candidate.fileIndex)
    guard index != fileIndex else { return }
    let file = plan.file(index)
    if calendar != nil { days = try SectionReader(file, .date) }
    for index in doubles.indices { try doubles[index].enter(file) }
    for index in integers.indices { try integers[index].enter(file) }
    fileIndex = index
  }

  /// Appends the groups of the blocks after these.
  mutating func append(_ next: GroupAccumulator) {
    guard let (ticker, period) = next.groups.first else { return }
    let isContinued = continues(ticker, period)
    for index in doubles.indices { doubles[index].total.append(next.doubles[index].total, isContinued: isContinued) }
    for index in integers.indices { integers[index].total.append(next.integers[index].total, isContinued: isContinued) }
    rowCounts.append(next.rowCounts, isContinued && request.countsRows)
    groups.append(next.groups, isContinued)
  }

  /// Whether rows of this ticker and period go on with the last group.
  private func continues(_ ticker: TickerSymbol, _ period: Int) -> Bool {
    guard groups.count > 0 else { return false }
    return request.grouping == nil || (ticker == groups.lastTicker && period == groups.lastPeriod)
  }

  /// The one period that all rows of a block lie in; nil when there are several.
  private func singlePeriod(_ block: Int) throws(StoreError) -> Int? {
    guard let calendar, let days else { return 0 }
    return calendar.index(ofAll: try days.file.days(ofBlock: block), near: groups.lastPeriod)
  }

  /// Finds the stretches of a block that belong to one group each and have selected rows.
  private mutating func divide(_ index: Int, _ selection: BlockSelection) throws(StoreError) {
    let period = try singlePeriod(index)
    guard period == nil, let calendar, let days else {
      return stretches.setWhole(rowCount: selection.rowCount, period: period ?? 0)
    }
    let block = try days.block(index)
    do throws(Damage) {
      try stretches.set(block, calendar, near: groups.lastPeriod, scratch)
    } catch { throw days.error(error, inBlock: index) }
    if !selection.isWhole { stretches.keep(RowRanks(selection.mask)) }
  }

  /// As many groups as some candidates can have, or more.
  private func groupCount(_ candidates: ArraySlice<Candidate>) throws(StoreError) -> Int {
    guard request.grouping != nil else { return 1 }
    guard let calendar else { return candidates.count }
    var (count, hint) = (0, 0)
    for candidate in candidates {
      let days = try plan.file(Int(candidate.fileIndex)).days(ofBlock: Int(candidate.block))
      let first = calendar.index(of: Int64(days.lowerBound.daysSince1970), near: hint)
      hint = calendar.index(of: Int64(days.upperBound.daysSince1970), near: first)
      count += min(hint - first + 1, plan.rowCount(of: candidate))
    }
    return max(0, count)
  }
}

/// Sound: its working memory is used by whoever adds blocks, and a range of blocks is added by one thread.
extension GroupAccumulator: @unchecked Sendable {}

extension GroupAccumulator {
  /// The aggregates of all groups; of no quotes at all there is one group without grouping, and none with it.
  consuming func table(_ aggregations: [Aggregation]) -> AggregateTable {
    let isGrouped = request.grouping != nil
    if !isGrouped, groups.count == 0 { appendNothing() }
    return AggregateTable(
      grouping: request.grouping, rowCount: isGrouped ? groups.count : 1,
      tickers: isGrouped ? groups.tickers : TickerColumn(), periods: groups.periods, aggregations: aggregations,
      columns: aggregations.map(column))
  }

  /// The column of one of the aggregations that were requested.
  private func column(_ aggregation: Aggregation) -> AggregateColumn {
    guard let name = aggregation.attribute else { return .integers(rowCounts) }
    if let measured = integers.first(where: { $0.name == name }) { return measured.total.column(aggregation.function) }
    guard let measured = doubles.first(where: { $0.name == name }) else {
      preconditionFailure("\(name) was not measured")
    }
    return measured.total.column(aggregation.function)
  }

  /// Adds one group without rows.
  private mutating func appendNothing() {
    rowCounts.append(0)
    for index in doubles.indices { doubles[index].total.appendNothing() }
    for index in integers.indices { integers[index].total.appendNothing() }
  }
}

extension [Int64] {
  /// Appends counts; the first one goes on with the last one here when `isContinued`.
  fileprivate mutating func append(_ next: [Int64], _ isContinued: Bool) {
    if isContinued { self[count - 1] += next[0] }
    self += next.dropFirst(isContinued ? 1 : 0)
  }
}
