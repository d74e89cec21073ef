/// A query under way. It filters one window of candidates after the other and hands out the selected rows.
struct Scan: Sendable {
  private let query: QuoteQuery
  let budget: QuestionBudget
  private let rowsPerBatch: Int
  /// Made when the first row is asked for, so a lazy sequence costs nothing before; nil again at the end.
  private var plan: ScanPlan?
  private var hasBegun = false
  private var nextCandidate = 0
  /// How many candidates are filtered next: few at first, in case only the first rows are wanted.
  private var windowSize: Int
  /// Rows that may still be selected.
  private(set) var remaining: Int
  /// Selected rows that are still left out.
  private(set) var offset: Int
  /// Selected rows. Those from block `nextBlock` on haven't been handed out yet.
  var selection = Selection()
  private var nextBlock = 0
  /// What filtering and materializing announce to the disk, and how many selected blocks were announced.
  private var filterAhead: ReadAhead?
  private var outputAhead: ReadAhead?
  private var announcedCount = 0
  private(set) var report = ScanReport()
  /// Whether the selected rows of each block are counted, which only a reader of the report needs.
  var countsBlocks = false
  /// The numbers of selected rows, of blocks that have some, and how many candidates were looked at.
  private(set) var blockRowCounts: [CandidatePlace: Int] = [:]
  var lookedAtCount: Int { nextCandidate }

  init(_ query: QuoteQuery, rowsPerBatch: Int = 8192) {
    (self.query, budget) = query.begun()
    self.rowsPerBatch = rowsPerBatch
    remaining = query.limit ?? .max
    offset = query.offset
    // Without a limit, most tickers are one window, and a cold disk is waited for once in each stage.
    windowSize = query.limit != nil ? 1 : rowsPerBatch == .max ? .max : 16
  }

  /// The number of rows that are left to hand out. Ends the scan.
  mutating func count() throws(StoreError) -> Int {
    try budget.work { () throws(StoreError) in try countedRows() }
  }

  private mutating func countedRows() throws(StoreError) -> Int {
    guard let plan = try begin() else { return 0 }
    // Blocks whose rows all match are not looked into, and no thread has to wake up for them.
    var rowCount = 0
    var undecided: [Candidate] = []
    for candidate in plan.candidates {
      if candidate.verdict == .all { rowCount += Int(candidate.rowCount) } else { undecided.append(candidate) }
    }
    let (blocks, chunks) = (undecided, ScanChunks.ranges(undecided.count, plan.crew))
    let ahead = ReadAhead(plan, undecided, plan.conditions.parts)
    let counts = try plan.crew.map(chunks.count, worker: BlockScanner(plan)) { scanner, index throws(StoreError) in
      ahead.reach(chunks[index].lowerBound)
      return try scanner.masks(of: blocks[chunks[index]]).reduce(0) { $0 + $1.count }
    }
    stop()
    return min(max(0, counts.reduce(rowCount, +) - offset), remaining)
  }

  /// Whether no rows are left to hand out. Ends the scan.
  mutating func isEmpty() throws(StoreError) -> Bool {
    try budget.work { () throws(StoreError) in try hasNoRows() }
  }

  private mutating func hasNoRows() throws(StoreError) -> Bool {
    guard remaining > 0, let plan = try begin() else { return true }
    defer { stop() }
    // Blocks whose rows all match are not looked into.
    var rowCount = 0
    for candidate in plan.candidates where candidate.verdict == .all { rowCount += Int(candidate.rowCount) }
    guard rowCount <= offset else { return false }
    return try select(1, plan).rowCount == 0
  }

  /// The next rows as columns; nil at the end.
  mutating func nextBatch() throws(StoreError) -> QuoteBatch? {
    try budget.work { () throws(StoreError) in try readBatch() }
  }

  private mutating func readBatch() throws(StoreError) -> QuoteBatch? {
    guard let plan = try begin() else { return nil }
    let (blocks, rowCount) = try select(min(rowsPerBatch, remaining), plan)
    return rowCount > 0 ? try materialize(selection.blocks[blocks], rowCount, plan) : nil
  }

  /// Selects the next rows until there are `wanted` of them; the last block may have more.
  ///
  /// - Returns: the places of their blocks in the selection, and the number of rows.
  private mutating func select(_ wanted: Int, _ plan: ScanPlan) throws(StoreError) -> (
    blocks: Range<Int>, rowCount: Int
  ) {
    var first = nextBlock
    var rowCount = 0
    while rowCount < wanted {
      if nextBlock == selection.blocks.count {
        if rowCount == 0 { (selection, nextBlock, first, announcedCount) = (Selection(), 0, 0, 0) }
        guard try filterWindow(plan) else { break }
      }
      while rowCount < wanted, nextBlock < selection.blocks.count {
        rowCount += takeBlock(remaining - rowCount)
        if rowCount == 0 { first = nextBlock }
      }
    }
    remaining -= rowCount
    return (first..<nextBlock, rowCount)
  }

  /// Takes the next block's rows after the offset, `limit` at most. Returns how many they are.
  private mutating func takeBlock(_ limit: Int) -> Int {
    let count = selection.blocks[nextBlock].rowCount
    let first = min(offset, count)
    let places = first..<(first + min(limit, count - first))
    if !places.isEmpty, places.count < count { selection.keep(places, ofBlockAt: nextBlock, query.order) }
    offset -= first
    nextBlock += 1
    return places.count
  }

  /// Ends the scan: there are no more rows.
  mutating func stop() {
    hasBegun = true
    plan = nil
  }

  /// The plan; nil at the end.
  mutating func begin() throws(StoreError) -> ScanPlan? {
    guard !hasBegun else { return plan }
    hasBegun = true
    let start = ContinuousClock.now
    let plan = try query.plan()
    report.describe(plan, query)
    report.pruneTime = .now - start
    self.plan = plan
    return plan
  }

  /// Filters the next candidates; false if there are none.
  private mutating func filterWindow(_ plan: ScanPlan) throws(StoreError) -> Bool {
    skipWholeBlocks(plan)
    guard nextCandidate < plan.candidates.count else { return false }
    let start = ContinuousClock.now
    if filterAhead == nil, !plan.hasReadConditions(of: plan.candidates[...]) {
      filterAhead = ReadAhead(plan, plan.candidates, plan.conditions.parts)
    }
    let ahead = filterAhead
    let window = nextCandidate..<(nextCandidate + min(windowSize, plan.candidates.count - nextCandidate))
    nextCandidate = window.upperBound
    windowSize = windowSize < ScanChunks.blockCountMax ? windowSize * 2 : windowSize
    let chunks = ScanChunks.ranges(window.count, plan.crew)
    let parts = try plan.crew.map(chunks.count, worker: BlockScanner(plan)) { scanner, index throws(StoreError) in
      let (first, end) = (window.lowerBound + chunks[index].lowerBound, window.lowerBound + chunks[index].upperBound)
      ahead?.reach(first)
      return try scanner.select(plan.candidates[first..<end])
    }
    for part in parts {
      selection.append(part)
      report.readByteCount += part.readByteCount
      if countsBlocks { for block in part.blocks { blockRowCounts[CandidatePlace(block.candidate)] = block.rowCount } }
    }
    report.note(plan.candidates[window])
    report.filterTime += .now - start
    return true
  }

  /// Leaves out the next blocks whose rows all match, as many as lie before the offset.
  private mutating func skipWholeBlocks(_ plan: ScanPlan) {
    let first = nextCandidate
    while nextCandidate < plan.candidates.count {
      let candidate = plan.candidates[nextCandidate]
      guard candidate.verdict == .all, candidate.rowCount <= offset else { break }
      offset -= Int(candidate.rowCount)
      nextCandidate += 1
    }
    report.note(plan.candidates[first..<nextCandidate])
  }

  /// Announces the output's sections of the blocks selected since the last time: of the first ones now, of others as these
  /// are materialized.
  private mutating func announceOutput(_ plan: ScanPlan) {
    let blocks = selection.blocks[announcedCount...]
    guard !blocks.isEmpty else { return }
    announcedCount = selection.blocks.count
    outputAhead = nil
    if plan.hasRead(blocks, query.attributes) { return }
    outputAhead = ReadAhead(plan, blocks.map(\.candidate), from: blocks.startIndex, query.outputParts)
    outputAhead?.reach(blocks.startIndex)
  }

  /// Materializes the rows of selected blocks as a batch.
  mutating func materialize(
    _ blocks: ArraySlice<SelectedBlock>, _ rowCount: Int, _ plan: ScanPlan
  ) throws(StoreError) -> QuoteBatch {
    let start = ContinuousClock.now
    announceOutput(plan)
    var rows = [0]
    for block in blocks { rows.append(rows[rows.count - 1] + block.rowCount) }
    let (starts, selection, query) = (rows, selection, query)
    let chunks = ScanChunks.ranges(blocks.count, plan.crew)
    let held = try budget.hold(
      rowCount * BatchOutput.rowByteCount(query.attributes, computedCount: query.computed.count))
    defer { withExtendedLifetime(held) {} }
    let output = BatchOutput(
      rowCount: rowCount, attributes: query.attributes, symbols: plan.snapshot.symbols,
      computed: query.computed.map(\.name), hasFractions: plan.snapshot.hasFractions)
    let ahead = outputAhead
    let byteCounts = try plan.crew.map(chunks.count, worker: BlockScanner(plan)) {
      scanner, index throws(StoreError) in
      let chunk = chunks[index]
      ahead?.reach(blocks.startIndex + chunk.lowerBound)
      let part = blocks[(blocks.startIndex + chunk.lowerBound)..<(blocks.startIndex + chunk.upperBound)]
      return try scanner.materialize(part, of: selection, output, starts[chunk.lowerBound], query.order)
    }
    report.rowCount += rowCount
    report.readByteCount += byteCounts.reduce(0, +)
    report.materializeTime += .now - start
    return output.batch()
  }
}
