/// Filters candidates and measures their matching rows, group by group. It has working memory, so each thread needs its own.
struct GroupMeter {
  private let plan: ScanPlan
  /// The periods of all days in the plan's blocks, if groups are periods.
  private let periods: Periods?
  private let ahead: ReadAhead
  private var scanner: BlockScanner
  /// The file of the last block, and the reader of its days if groups are periods.
  private var fileIndex: Int?
  private var days: SectionReader?
  private var doubles: KindSources<Double>
  private var integers: KindSources<Int64>
  private let segments = Segments()
  private let scratch = BlockScratch()

  /// - Parameter ahead: announces what is read of the plan's candidates.
  init(_ plan: ScanPlan, _ periods: Periods?, _ ahead: ReadAhead) {
    self.plan = plan
    self.periods = periods
    self.ahead = ahead
    scanner = BlockScanner(plan)
    (doubles, integers) = (KindSources(segments, scratch), KindSources(segments, scratch))
  }

  /// Adds the groups of the candidates' matching rows to the table. They are the plan's, and come after the table's.
  mutating func add(_ candidates: ArraySlice<Candidate>, to table: inout GroupTable) throws(StoreError) {
    for start in stride(from: candidates.startIndex, to: candidates.endIndex, by: ScanChunks.blockCountMax) {
      try plan.budget.check()
      let window = candidates[start..<min(start + ScanChunks.blockCountMax, candidates.endIndex)]
      ahead.reach(start)
      if window.allSatisfy({ $0.verdict == .all }) {
        for candidate in window { try add(BlockRows(all: Int(candidate.rowCount)), of: candidate, to: &table) }
        continue
      }
      for (mask, candidate) in zip(try scanner.masks(of: window), window) where !mask.isEmpty {
        try add(BlockRows(mask, of: Int(candidate.rowCount)), of: candidate, to: &table)
      }
    }
  }

  /// Adds the selected rows of a block to the table. There must be at least one.
  mutating func add(
    _ rows: BlockRows, of candidate: Candidate, to table: inout GroupTable
  ) throws(StoreError) {
    try enterFile(of: candidate, table)
    let block = Int(candidate.block)
    try divide(block, rows, near: table.keys.lastPeriod)
    try table.append(candidate.ticker, block, segments, rows, periods, &doubles, &integers)
  }

  /// Makes the readers of a block's file, unless the last block was in the same file.
  private mutating func enterFile(of candidate: Candidate, _ table: GroupTable) throws(StoreError) {
    let index = Int(candidate.fileIndex)
    guard index != fileIndex else { return }
    let file = plan.file(index)
    if periods != nil { days = try SectionReader(file, .date) }
    try doubles.enter(file, table.doubles.attributes)
    try integers.enter(file, table.integers.attributes)
    fileIndex = index
  }

  /// Divides a block into segments, one for each group, and keeps those with selected rows. It changes nothing here, but is
  /// called for each block, and a meter that isn't passed in place is copied.
  private mutating func divide(_ index: Int, _ rows: BlockRows, near hint: Int) throws(StoreError) {
    guard let periods, let days else { return segments.setWhole(rowCount: rows.rowCount) }
    if let period = periods.index(ofAll: try days.file.days(ofBlock: index), near: hint) {
      return segments.setWhole(rowCount: rows.rowCount, period: period)
    }
    let block = try days.block(index)
    do throws(Damage) {
      try segments.divide(block, by: periods, near: hint, scratch)
    } catch { throw days.error(error, inBlock: index) }
    if !rows.isWhole { segments.keep(RowRanks(rows.mask)) }
  }
}

extension ScanPlan {
  /// An upper bound of the number of groups that some candidates have: periods from the first day of each ticker to its last.
  func groupCount(
    _ candidates: ArraySlice<Candidate>, by grouping: Grouping?, _ periods: Periods?
  ) throws(StoreError) -> Int {
    guard grouping != nil else { return 1 }
    guard let periods else { return candidates.count }
    var (count, start) = (0, candidates.startIndex)
    while start < candidates.endIndex {
      var (last, rowCount) = (start, Int(candidates[start].rowCount))
      while last + 1 < candidates.endIndex, candidates[last + 1].ticker == candidates[start].ticker {
        last += 1
        rowCount += Int(candidates[last].rowCount)
      }
      let (firstDay, lastDay) = (try days(candidates[start]).lowerBound, try days(candidates[last]).upperBound)
      let first = periods.index(of: Int64(firstDay.daysSince1970))
      count += min(periods.index(of: Int64(lastDay.daysSince1970), near: first) - first + 1, rowCount)
      start = last + 1
    }
    return max(0, count)
  }

  private func days(_ candidate: Candidate) throws(StoreError) -> ClosedRange<TradingDay> {
    try file(Int(candidate.fileIndex)).days(ofBlock: Int(candidate.block))
  }
}
