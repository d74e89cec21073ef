// Folding keeps the number of files and of runs small. Each commit's new file takes over the live blocks of older files
// that have no more rows than the new file has so far, newest first. So files grow like the digits of a binary counter, a
// row is rewritten O(log rows) times, and a ticker has O(log rows) runs (the logarithmic method of Bentley and Saxe 1980,
// as in log-structured merge trees). A file that is mostly dead is taken over whatever its size. A file that is large and
// well filled stays as it is. Full blocks are copied unchanged; small ones of the same ticker are joined.

extension Transaction {
  /// Encodes all rows that wait in memory, and takes over the blocks of older files.
  ///
  /// - Parameter everything: whether to take over every file.
  func fold(everything: Bool) throws(StoreError) {
    // Rows that came in by day rather than by ticker are in many small runs, which are joined. The builder's blocks can't
    // be read, so they become a file first.
    let isFragmented = isFragmented
    if isFragmented { try seal() }
    let standing = standing
    let absorbed = everything ? Set(files.indices) : filesToAbsorb(standing, isFragmented: isFragmented)
    for index in absorbed.sorted() where index < base.files.count {
      builder.importRecords += try files[index].importRecords().filter(isCurrent)
    }
    for (ticker, state) in standing
    where !state.tail.isEmpty || state.runs.contains(where: { absorbed.contains($0.fileIndex) }) {
      try settle(ticker, state, absorbing: absorbed)
    }
  }

  /// Whether the ticker of an import's record has not been deleted since that import.
  func isCurrent(_ record: ImportRecord) -> Bool {
    let state = working(record.ticker)
    return !state.isEmpty && record.generation >= state.createdGeneration
  }

  /// Encodes a ticker's waiting rows, joined with its blocks in the `absorbed` files.
  func settle(_ ticker: TickerSymbol, _ state: WorkingTicker, absorbing absorbed: Set<Int>) throws(StoreError) {
    var writer = RunWriter(ticker: ticker, transaction: self)
    for run in state.runs {
      if absorbed.contains(run.fileIndex) {
        for block in run.blocks { try writer.append(block, of: files[run.fileIndex]) }
      } else {
        try writer.append(run)
      }
    }
    try writer.append(state.tail)
    setRuns(try writer.finish(), of: ticker, state)
  }

  /// Whether this transaction has written some ticker's rows in more than one place.
  private var isFragmented: Bool {
    changed.values.contains { $0.runs.count { $0.fileIndex >= base.files.count } > 1 }
  }

  private func filesToAbsorb(
    _ standing: [(ticker: TickerSymbol, state: WorkingTicker)], isFragmented: Bool
  ) -> Set<Int> {
    // The last count is that of the builder's rows.
    var liveRowCounts = Array(repeating: 0, count: files.count + 1)
    var accumulated = 0
    for (_, state) in standing {
      for run in state.runs { liveRowCounts[run.fileIndex] += run.rowCount }
      accumulated += state.tail.rowCount
    }
    accumulated += liveRowCounts[base.files.count...].reduce(0, +)
    var absorbed: Set<Int> = []
    for index in files.indices.reversed() {
      let (file, live) = (files[index], liveRowCounts[index])
      if index >= base.files.count {
        if isFragmented, !file.isWellFilled(live) { absorbed.insert(index) }
      } else if live * 2 < file.totalRowCount || (!file.isSettled(live) && live <= accumulated) {
        absorbed.insert(index)
        accumulated += live
      }
    }
    return absorbed
  }
}

extension ColumnFile {
  fileprivate var totalRowCount: Int { (0..<blockCount).reduce(0) { $0 + rowCount($1) } }

  fileprivate func isWellFilled(_ liveRowCount: Int) -> Bool {
    liveRowCount >= blockCount * Limits.rowsPerBlock / 2
  }

  /// Whether rewriting the file would gain nothing, because it is large and its blocks are full.
  fileprivate func isSettled(_ liveRowCount: Int) -> Bool {
    blockCount * 2 >= Limits.blocksPerFile && isWellFilled(liveRowCount)
  }
}

/// Writes one ticker's rows into the transaction's builder: full blocks unchanged, small ones joined.
private struct RunWriter {
  let ticker: TickerSymbol
  let transaction: Transaction
  private var runs: [Run] = []
  /// Rows from memory, of which the first `encodedCount` are in the builder.
  private var waiting = QuoteColumns()
  private var encodedCount = 0

  init(ticker: TickerSymbol, transaction: Transaction) {
    self.ticker = ticker
    self.transaction = transaction
  }

  /// Takes over a block. It is copied if it is full and no earlier rows wait; otherwise its rows wait too. A compaction copies
  /// none, because blocks may be packed in another way than the store's; nor is a block copied whose volumes are int64s to those
  /// that are float64s.
  mutating func append(_ block: Int, of file: ColumnFile) throws(StoreError) {
    guard !transaction.isCompacting, file.hasFractions == transaction.hasFractions, waiting.rowCount == encodedCount,
      file.rowCount(block) * 4 >= Limits.rowsPerBlock * 3
    else {
      dropEncoded()
      try file.appendRows(ofBlock: block, to: &waiting, transaction.scratch)
      return try encode(all: false)
    }
    let days = try file.days(ofBlock: block)
    try makeRoom()
    try transaction.builder.append(block: block, of: file, ticker: ticker)
    note(rowCount: file.rowCount(block), days)
  }

  /// Takes over rows from memory.
  mutating func append(_ rows: QuoteColumns) throws(StoreError) {
    dropEncoded()
    waiting.adopt(rows)
    try encode(all: false)
  }

  /// Keeps a run in its file.
  mutating func append(_ run: Run) throws(StoreError) {
    try encode(all: true)
    runs.append(run)
  }

  mutating func finish() throws(StoreError) -> [Run] {
    try encode(all: true)
    return runs
  }

  private mutating func encode(all: Bool) throws(StoreError) {
    while waiting.rowCount - encodedCount >= (all ? 1 : Limits.rowsPerBlock) {
      let rows = encodedCount..<min(encodedCount + Limits.rowsPerBlock, waiting.rowCount)
      try makeRoom()
      try transaction.builder.append(waiting, rows: rows, of: ticker)
      note(rowCount: rows.count, waiting.dayValues[rows.lowerBound]...waiting.dayValues[rows.upperBound - 1])
      encodedCount = rows.upperBound
    }
  }

  private mutating func dropEncoded() {
    if encodedCount > 0 { waiting = waiting.sliced(encodedCount..<waiting.rowCount) }
    encodedCount = 0
  }

  private func makeRoom() throws(StoreError) {
    if transaction.builder.isFull { try transaction.seal() }
  }

  /// Adds the builder's newest block to the newest run, or begins one.
  private mutating func note(rowCount: Int, _ days: ClosedRange<TradingDay>) {
    let (file, block) = (transaction.files.count, transaction.builder.blockCount - 1)
    if var last = runs.last, last.fileIndex == file, last.blocks.upperBound == block {
      last.blockCount += 1
      last.rowCount += rowCount
      last.lastDay = days.upperBound
      runs[runs.count - 1] = last
    } else {
      runs.append(
        Run(
          fileIndex: file, firstBlock: block, blockCount: 1, rowCount: rowCount, firstDay: days.lowerBound,
          lastDay: days.upperBound))
    }
  }
}
