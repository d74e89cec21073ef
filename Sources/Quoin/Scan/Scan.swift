/// A query under way: it hands out the selected rows of one block after another.
struct Scan {
  private let query: QuoteQuery
  private let rowsPerBatch: Int
  private let isTimed: Bool
  /// Made when the first row is asked for, so that a lazy sequence costs nothing before; gone at the end.
  private var scanner: BlockScanner?
  private var hasBegun = false
  private var nextCandidate = 0
  private var remaining: Int
  private(set) var report = ScanReport()

  init(_ query: QuoteQuery, rowsPerBatch: Int = 8192, isTimed: Bool = false) {
    self.query = query
    self.rowsPerBatch = rowsPerBatch
    self.isTimed = isTimed
    remaining = query.limit ?? .max
  }

  /// The next block that has selected rows, and these; nil when there are no more.
  mutating func nextRows() throws(StoreError) -> (RowMask, Candidate)? {
    if !hasBegun { try begin() }
    while let candidate = scanner?.plan.candidates[at: nextCandidate], remaining > 0 {
      nextCandidate += 1
      let start = moment
      var mask = try scanner?.rows(of: candidate) ?? .none
      report.note(candidate, readByteCount: scanner?.readByteCount ?? 0)
      report.filterTime += elapsed(since: start)
      if mask.isEmpty { continue }
      mask.truncate(to: remaining, query.order)
      remaining -= mask.count
      report.rowCount += mask.count
      return (mask, candidate)
    }
    return nil
  }

  /// How many rows are left to hand out. Where all rows of a block match, they need not be looked at.
  mutating func count() throws(StoreError) -> Int {
    if !hasBegun { try begin() }
    var count = 0
    while count < remaining, let candidate = scanner?.plan.candidates[at: nextCandidate] {
      nextCandidate += 1
      count +=
        candidate.verdict == .all
        ? scanner?.plan.rowCount(of: candidate) ?? 0 : try scanner?.rows(of: candidate).count ?? 0
    }
    stop()
    return min(count, remaining)
  }

  /// The next rows as columns; nil when there are no more.
  mutating func nextBatch() throws(StoreError) -> QuoteBatch? {
    var batch = QuoteBatch(attributes: query.attributes)
    while batch.rowCount < rowsPerBatch, let (mask, candidate) = try nextRows() {
      let start = moment
      try scanner?.materialize(mask, of: candidate, query.order, into: &batch)
      report.readByteCount = scanner?.readByteCount ?? 0
      report.materializeTime += elapsed(since: start)
    }
    return batch.rowCount > 0 ? batch : nil
  }

  /// Ends the scan: there are no more rows.
  mutating func stop() {
    hasBegun = true
    scanner = nil
  }

  private mutating func begin() throws(StoreError) {
    hasBegun = true
    let start = moment
    let plan = try query.plan()
    report.describe(plan, query)
    report.pruneTime = elapsed(since: start)
    scanner = BlockScanner(plan)
  }

  /// The time, when it is wanted: a look at the clock costs as much as a small block.
  private var moment: ContinuousClock.Instant? { isTimed ? .now : nil }

  private func elapsed(since start: ContinuousClock.Instant?) -> Duration { start.map { .now - $0 } ?? .zero }
}

extension [Candidate] {
  /// The candidate at `index`; nil past the end.
  fileprivate subscript(at index: Int) -> Candidate? { index < count ? self[index] : nil }
}

extension RowMask {
  /// Keeps the first `limit` rows in the given order.
  fileprivate mutating func truncate(to limit: Int, _ order: DateOrder) {
    let excess = count - limit
    guard excess > 0 else { return }
    var rows: [Int] = []
    forEachRow { rows.append($0) }
    for row in order == .ascending ? rows.suffix(excess) : rows.prefix(excess) { self[row] = false }
  }
}
