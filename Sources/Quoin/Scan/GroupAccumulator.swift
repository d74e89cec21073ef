// Aggregates, block by block:
//
//   stretches    the day block's rows -> stretches of rows, one for each group; a block within one group is not looked at
//   measure      each wanted attribute's block -> its measures, one element a stretch; of whole blocks in one group,
//                the statistics say them
//   append       the measures go on with the last group, or begin new ones
//
// Groups are met one after another, for blocks come ticker by ticker in order of days. So an accumulator is a table that
// grows at its end, and accumulators of neighbouring ranges of blocks are put together by appending them in the same
// way. Nothing depends on where the ranges end: sums are exact until they are asked for.

/// The groups' aggregates of a contiguous range of candidate blocks.
struct GroupAccumulator {
  let request: AggregateRequest
  let plan: ScanPlan
  private let calendar: PeriodCalendar?
  private let scratch = BlockScratch()
  private let room = MeasureRoom()

  /// The groups: their tickers, their periods' indices, and how many rows they have.
  private var tickers: [TickerSymbol] = []
  private var periods: [Int32] = []
  private var rowCounts: [Int64] = []
  private var groupCount: Int { rowCounts.count }
  /// By attribute, what was measured so far, and room for one block.
  private var doubles: [Measured<Double>] = []
  private var integers: [Measured<Int64>] = []
  private var stretches = Stretches()

  init(_ request: AggregateRequest, _ plan: ScanPlan, _ calendar: PeriodCalendar?) {
    self.request = request
    self.plan = plan
    self.calendar = calendar
    for (name, measures) in request.measures {
      if name.isInteger { integers.append(Measured(name, measures)) } else { doubles.append(Measured(name, measures)) }
    }
  }

  /// Adds the rows of a block, which comes after those that were added before: those of `mask`, which has some, or all.
  mutating func add(_ mask: RowMask?, of candidate: Candidate) throws(StoreError) {
    try divide(candidate)
    if let mask { stretches.keep(mask) }
    let isContinued = continues(candidate.ticker, stretches.periods[0])
    let file = plan.files[candidate.fileIndex]
    for index in doubles.indices {
      try doubles[index].add(candidate.block, of: file, stretches, mask, isContinued: isContinued, scratch, room)
    }
    for index in integers.indices {
      try integers[index].add(candidate.block, of: file, stretches, mask, isContinued: isContinued, scratch, room)
    }
    for index in 0..<stretches.count {
      appendRows(
        mask.map { $0.count(in: stretches.rows(index)) } ?? stretches.rows(index).count, candidate.ticker,
        stretches.periods[index], isContinued: index == 0 && isContinued)
    }
  }

  /// Appends the groups of the blocks after these.
  mutating func append(_ next: GroupAccumulator) {
    guard next.groupCount > 0 else { return }
    let isContinued = continues(next.tickers[0], Int(next.periods[0]))
    let skipped = isContinued ? 1 : 0
    for index in doubles.indices { doubles[index].total.append(next.doubles[index].total, isContinued: isContinued) }
    for index in integers.indices { integers[index].total.append(next.integers[index].total, isContinued: isContinued) }
    if isContinued { rowCounts[groupCount - 1] += next.rowCounts[0] }
    rowCounts += next.rowCounts.dropFirst(skipped)
    tickers += next.tickers.dropFirst(skipped)
    periods += next.periods.dropFirst(skipped)
  }

  /// Whether rows of this ticker and period go on with the last group.
  private func continues(_ ticker: TickerSymbol, _ period: Int) -> Bool {
    guard let last = tickers.last else { return false }
    return request.grouping == nil || (ticker == last && period == Int(periods[groupCount - 1]))
  }

  private mutating func appendRows(_ count: Int, _ ticker: TickerSymbol, _ period: Int, isContinued: Bool) {
    if isContinued {
      rowCounts[groupCount - 1] += Int64(count)
    } else {
      rowCounts.append(Int64(count))
      tickers.append(ticker)
      periods.append(Int32(period))
    }
  }

  /// Finds the stretches of a block that belong to one group each.
  private mutating func divide(_ candidate: Candidate) throws(StoreError) {
    let file = plan.files[candidate.fileIndex]
    let rowCount = file.rowCount(candidate.block)
    guard let calendar else { return stretches.setWhole(rowCount: rowCount) }
    let hint = Int(periods.last ?? 0)
    if let period = calendar.index(ofAll: try file.days(ofBlock: candidate.block), near: hint) {
      return stretches.setWhole(rowCount: rowCount, period: period)
    }
    let directory = try file.directory(.date)
    let block = try file.block(candidate.block, .date, directory)
    try StoreFormat.reading(file.path, at: file.offset(candidate.block, .date, directory)) { () throws(Damage) in
      try stretches.set(block, calendar, near: hint, scratch)
    }
  }
}

extension GroupAccumulator {
  /// The aggregates of all groups; of no quotes at all there is one group without grouping, and none with it.
  func table(_ aggregations: [Aggregation]) -> AggregateTable {
    var accumulator = self
    if request.grouping == nil, groupCount == 0 { accumulator.appendNothing() }
    return AggregateTable(
      grouping: request.grouping, rowCount: accumulator.groupCount,
      tickers: request.grouping == nil ? [] : accumulator.tickers,
      periods: calendar.map { calendar in
        periods.map { TradingDay(unchecked: max(calendar.starts[Int($0)], TradingDay.earliest.daysSince1970)) }
      } ?? [], aggregations: aggregations, columns: aggregations.map(accumulator.column))
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

/// What was measured of an attribute so far, and room for one block.
private struct Measured<Value: AggregableValue> {
  let name: AttributeName
  var total: MeasureColumn<Value>
  private var part: MeasureColumn<Value>

  init(_ name: AttributeName, _ measures: Measures) {
    self.name = name
    total = MeasureColumn(measures)
    part = MeasureColumn(measures)
  }

  /// Measures the attribute's block `index` and goes on with the last group, or not.
  mutating func add(
    _ index: Int, of file: ColumnFile, _ stretches: Stretches, _ mask: RowMask?, isContinued: Bool,
    _ scratch: BlockScratch, _ room: MeasureRoom
  ) throws(StoreError) {
    let section = ColumnSection.attribute(name)
    let directory = try file.directory(section)
    part.removeAll()
    let isWhole = mask == nil && stretches.count == 1
    if !isWhole || !part.measure(directory, index, rowCount: file.rowCount(index)) {
      let block = try file.block(index, section, directory)
      try StoreFormat.reading(file.path, at: file.offset(index, section, directory)) { () throws(Damage) in
        try part.measure(block, stretches, mask, scratch, room)
      }
    }
    total.append(part, isContinued: isContinued)
  }
}
