/// A query under way. It filters one window of candidates after the other and hands out the selected rows.
struct Scan {
  private let query: QuoteQuery
  private let rowsPerBatch: Int
  /// Made when the first row is asked for, so a lazy sequence costs nothing before; nil again at the end.
  private var plan: ScanPlan?
  private var hasBegun = false
  private var nextCandidate = 0
  /// How many candidates are filtered next: few at first, in case only the first rows are wanted.
  private var windowSize = 1
  /// Rows that may still be selected.
  private var remaining: Int
  /// Selected rows. Those from block `nextBlock` on haven't been handed out yet.
  private var selection = Selection()
  private var nextBlock = 0
  private(set) var report = ScanReport()

  init(_ query: QuoteQuery, rowsPerBatch: Int = 8192) {
    self.query = query
    self.rowsPerBatch = rowsPerBatch
    remaining = query.limit ?? .max
    if rowsPerBatch == .max, query.limit == nil { windowSize = .max }
  }

  /// The number of rows that are left to hand out. Ends the scan.
  mutating func count() throws(StoreError) -> Int {
    guard let plan = try begin() else { return 0 }
    // Blocks whose rows all match are not looked into, and no thread has to wake up for them.
    var rowCount = 0
    var undecided: [Candidate] = []
    for candidate in plan.candidates {
      if candidate.verdict == .all { rowCount += Int(candidate.rowCount) } else { undecided.append(candidate) }
    }
    let (blocks, chunks) = (undecided, ScanChunks.ranges(undecided.count, plan.crew))
    let counts = try plan.crew.map(chunks.count, worker: BlockScanner(plan)) { scanner, index throws(StoreError) in
      try scanner.masks(of: blocks[chunks[index]]).reduce(0) { $0 + $1.count }
    }
    stop()
    return min(counts.reduce(rowCount, +), remaining)
  }

  /// The next rows as columns; nil at the end.
  mutating func nextBatch() throws(StoreError) -> QuoteBatch? {
    guard let plan = try begin() else { return nil }
    if nextBlock == selection.blocks.count { (selection, nextBlock) = (Selection(), 0) }
    let (blocks, rowCount) = try select(min(rowsPerBatch, remaining), plan)
    return rowCount > 0 ? try materialize(selection.blocks[blocks], rowCount, plan) : nil
  }

  /// Selects the next rows until there are `wanted` of them; the last block may have more.
  ///
  /// - Returns: the places of their blocks in the selection, and the number of rows.
  private mutating func select(_ wanted: Int, _ plan: ScanPlan) throws(StoreError) -> (
    blocks: Range<Int>, rowCount: Int
  ) {
    let first = nextBlock
    var rowCount = 0
    while rowCount < wanted {
      if nextBlock == selection.blocks.count, try !filterWindow(plan) { break }
      while rowCount < wanted, nextBlock < selection.blocks.count {
        let excess = rowCount + selection.blocks[nextBlock].rowCount - remaining
        if excess > 0 {
          selection.keep(selection.blocks[nextBlock].rowCount - excess, ofBlockAt: nextBlock, query.order)
        }
        rowCount += selection.blocks[nextBlock].rowCount
        nextBlock += 1
      }
    }
    remaining -= rowCount
    return (first..<nextBlock, rowCount)
  }

  /// Ends the scan: there are no more rows.
  mutating func stop() {
    hasBegun = true
    plan = nil
  }

  /// The plan; nil at the end.
  private mutating func begin() throws(StoreError) -> ScanPlan? {
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
    guard nextCandidate < plan.candidates.count else { return false }
    let start = ContinuousClock.now
    let window = nextCandidate..<(nextCandidate + min(windowSize, plan.candidates.count - nextCandidate))
    nextCandidate = window.upperBound
    windowSize = windowSize < ScanChunks.blockCountMax ? windowSize * 2 : windowSize
    let chunks = ScanChunks.ranges(window.count, plan.crew)
    let parts = try plan.crew.map(chunks.count, worker: BlockScanner(plan)) { scanner, index throws(StoreError) in
      let (first, end) = (window.lowerBound + chunks[index].lowerBound, window.lowerBound + chunks[index].upperBound)
      return try scanner.select(plan.candidates[first..<end])
    }
    for part in parts {
      selection.append(part)
      report.readByteCount += part.readByteCount
    }
    report.note(plan.candidates[window])
    report.filterTime += .now - start
    return true
  }

  /// Materializes the rows of selected blocks as a batch.
  private mutating func materialize(
    _ blocks: ArraySlice<SelectedBlock>, _ rowCount: Int, _ plan: ScanPlan
  ) throws(StoreError) -> QuoteBatch {
    let start = ContinuousClock.now
    var rows = [0]
    for block in blocks { rows.append(rows[rows.count - 1] + block.rowCount) }
    let (starts, selection, query) = (rows, selection, query)
    let chunks = ScanChunks.ranges(blocks.count, plan.crew)
    let output = BatchOutput(
      rowCount: rowCount, attributes: query.attributes, symbols: plan.snapshot.symbols)
    let byteCounts = try plan.crew.map(chunks.count, worker: BlockScanner(plan)) {
      scanner, index throws(StoreError) in
      let chunk = chunks[index]
      let part = blocks[(blocks.startIndex + chunk.lowerBound)..<(blocks.startIndex + chunk.upperBound)]
      return try scanner.materialize(part, of: selection, output, starts[chunk.lowerBound], query.order)
    }
    report.rowCount += rowCount
    report.readByteCount += byteCounts.reduce(0, +)
    report.materializeTime += .now - start
    return output.batch()
  }
}
