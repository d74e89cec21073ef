/// Filters candidates and measures their matching rows, group by group. One for each thread: it has working memory.
final class GroupMeter {
  private let plan: ScanPlan
  private let request: AggregateRequest
  /// The periods of all days that the plan's blocks have, for a grouping by periods.
  private let calendar: PeriodCalendar?
  private var scanner: BlockScanner
  /// The file of the last block, and the readers of its days, when they matter, and of the attributes.
  private var fileIndex: Int?
  private var days: SectionReader?
  private var attributes: [AttributeReader] = []
  private let segments = Segments()
  private let doubles = SegmentTotals<Double>()
  private let integers = SegmentTotals<Int64>()
  private let scratch = BlockScratch()

  /// An attribute's section of a file.
  private struct AttributeReader {
    let directory: SectionDirectory
    let reader: SectionReader

    init(_ name: AttributeName, of file: ColumnFile) throws(StoreError) {
      directory = try file.directory(.attribute(name))
      reader = try SectionReader(file, .attribute(name))
    }
  }

  init(_ request: AggregateRequest, _ plan: ScanPlan, _ calendar: PeriodCalendar?) {
    self.request = request
    self.plan = plan
    self.calendar = calendar
    scanner = BlockScanner(plan)
  }

  /// Candidates that are filtered before they are measured.
  private static let windowSize = 64

  /// The groups of the matching rows of some candidates.
  func table(of candidates: ArraySlice<Candidate>) throws(StoreError) -> GroupTable {
    let table = GroupTable(request)
    table.reserveCapacity(try groupCount(candidates))
    for start in stride(from: candidates.startIndex, to: candidates.endIndex, by: Self.windowSize) {
      let window = candidates[start..<min(start + Self.windowSize, candidates.endIndex)]
      if window.allSatisfy({ $0.verdict == .all }) {
        for candidate in window { try add(candidate, to: table) }
        continue
      }
      for (mask, candidate) in zip(try scanner.masks(of: window), window) where !mask.isEmpty {
        if candidate.verdict == .all {
          try add(candidate, to: table)
        } else {
          try add(mask, of: candidate, to: table)
        }
      }
    }
    return table
  }

  /// Adds the rows of a mask, which has some, of a block that comes after those added before.
  func add(_ mask: RowMask, of candidate: Candidate, to table: GroupTable) throws(StoreError) {
    let rows = BlockRows(mask, of: plan.rowCount(of: candidate))
    if rows.isWhole { return try add(candidate, to: table) }
    try enterFile(of: candidate)
    try add(rows, of: candidate, to: table)
  }

  /// Adds all rows of a block that comes after those added before.
  private func add(_ candidate: Candidate, to table: GroupTable) throws(StoreError) {
    try enterFile(of: candidate)
    let (block, rows) = (Int(candidate.block), BlockRows(all: plan.rowCount(of: candidate)))
    guard let period = try singlePeriod(block, near: table.keys.lastPeriod) else {
      return try add(rows, of: candidate, to: table)
    }
    segments.setWhole(rowCount: rows.rowCount, period: period)
    let ticker = plan.symbol(of: candidate)
    let isContinued = table.continues(ticker, period)
    for (index, totals) in table.totals.enumerated() {
      let directory = attributes[index].directory
      if totals.append(directory, block, rowCount: rows.rowCount, isContinued: isContinued) { continue }
      try measure(index, block, rows, into: totals, isContinued: isContinued)
    }
    table.append(ticker, segments, rows, isContinued, calendar)
  }

  private func add(_ rows: BlockRows, of candidate: Candidate, to table: GroupTable) throws(StoreError) {
    let (block, ticker) = (Int(candidate.block), plan.symbol(of: candidate))
    try divide(block, rows, near: table.keys.lastPeriod)
    let isContinued = table.continues(ticker, segments.period(0))
    for (index, totals) in table.totals.enumerated() {
      try measure(index, block, rows, into: totals, isContinued: isContinued)
    }
    table.append(ticker, segments, rows, isContinued, calendar)
  }

  /// Measures a block of attribute `index` and appends the totals of its segments.
  private func measure(
    _ index: Int, _ block: Int, _ rows: BlockRows, into totals: AttributeTotals, isContinued: Bool
  ) throws(StoreError) {
    let reader = attributes[index].reader
    let encoded = try reader.block(block)
    do throws(Damage) {
      switch totals {
      case .double(let totals):
        try doubles.measure(totals.measures, encoded, segments, rows, scratch)
        totals.append(doubles, isContinued: isContinued)
      case .integer(let totals):
        try integers.measure(totals.measures, encoded, segments, rows, scratch)
        totals.append(integers, isContinued: isContinued)
      }
    } catch { throw reader.error(error, inBlock: block) }
  }

  /// Makes the readers of a block's file, unless the last block was of the same file.
  private func enterFile(of candidate: Candidate) throws(StoreError) {
    let index = Int(candidate.fileIndex)
    guard index != fileIndex else { return }
    let file = plan.file(index)
    if calendar != nil { days = try SectionReader(file, .date) }
    attributes = []
    for attribute in request.attributes { attributes.append(try AttributeReader(attribute.name, of: file)) }
    fileIndex = index
  }

  /// The one period that all rows of a block lie in; nil when there are several.
  private func singlePeriod(_ block: Int, near hint: Int) throws(StoreError) -> Int? {
    guard let calendar, let days else { return 0 }
    return calendar.index(ofAll: try days.file.days(ofBlock: block), near: hint)
  }

  /// Finds the segments of a block that belong to one group each and have selected rows.
  private func divide(_ index: Int, _ rows: BlockRows, near hint: Int) throws(StoreError) {
    let period = try singlePeriod(index, near: hint)
    guard period == nil, let calendar, let days else {
      return segments.setWhole(rowCount: rows.rowCount, period: period ?? 0)
    }
    let block = try days.block(index)
    do throws(Damage) {
      try segments.divide(block, by: calendar, near: hint, scratch)
    } catch { throw days.error(error, inBlock: index) }
    if !rows.isWhole { segments.keep(RowRanks(rows.mask)) }
  }

  /// As many groups as some candidates can have, or more.
  func groupCount(_ candidates: ArraySlice<Candidate>) throws(StoreError) -> Int {
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
