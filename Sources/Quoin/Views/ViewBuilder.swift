/// Puts rows into files in memory, ticker by ticker.
struct ViewBuilder: ~Copyable {
  private let directory: String
  private let crew: Crew
  private var builder: ColumnFileBuilder
  private var files: [ColumnFile] = []
  private var manifest: Manifest

  /// A view is asked and forgotten, so its blocks aren't packed.
  private static let choice = EncodingChoice(.fast)

  /// - Parameter base: the snapshot of the store that the rows are from.
  init(_ base: Snapshot, _ directory: String, _ crew: Crew) {
    (self.directory, self.crew) = (directory, crew)
    builder = ColumnFileBuilder(Self.choice, crew, hasFractions: base.hasFractions)
    let base = base.manifest
    manifest = Manifest(generation: base.generation, nextFileID: base.nextFileID, committedAt: base.committedAt)
  }

  /// Adds a ticker, which must come after those before it, with its rows, which must rise by day.
  mutating func append(_ ticker: TickerSymbol, _ rows: QuoteColumns) throws(StoreError) {
    let rows = rows.completed
    if rows.isEmpty { return }
    let firstRun = manifest.runs.count
    for start in stride(from: 0, to: rows.rowCount, by: Limits.rowsPerBlock) {
      if builder.isFull { try seal() }
      let block = start..<min(start + Limits.rowsPerBlock, rows.rowCount)
      try builder.append(rows, rows: block, of: ticker)
      note(block, of: rows, isFirst: start == 0)
    }
    manifest.tickers.append(
      TickerRecord(
        symbol: ticker, firstRun: firstRun, runCount: manifest.runs.count - firstRun,
        createdGeneration: manifest.generation))
  }

  /// Adds the builder's newest block to the newest run, or begins one.
  private mutating func note(_ rows: Range<Int>, of columns: QuoteColumns, isFirst: Bool) {
    let (first, last) = (columns.dayValues[rows.lowerBound], columns.dayValues[rows.upperBound - 1])
    if !isFirst, var run = manifest.runs.last, run.fileIndex == files.count {
      (run.blockCount, run.rowCount, run.lastDay) = (run.blockCount + 1, run.rowCount + rows.count, last)
      manifest.runs[manifest.runs.count - 1] = run
    } else {
      manifest.runs.append(
        Run(
          fileIndex: files.count, firstBlock: builder.blockCount - 1, blockCount: 1, rowCount: rows.count,
          firstDay: first, lastDay: last))
    }
  }

  private mutating func seal() throws(StoreError) {
    if builder.isEmpty { return }
    builder.finishEncoding()
    let bytes = OwnedBytes(builder.parts(fileID: manifest.nextFileID).reduce(into: []) { $0 += $1 })
    let path = directory + "/" + FileRecord.name(id: manifest.nextFileID)
    let file = try ColumnFile(path, MappedFile(bytes.view) { withExtendedLifetime(bytes) {} })
    files.append(file)
    manifest.files.append(file.record)
    manifest.nextFileID += 1
    builder = ColumnFileBuilder(Self.choice, crew, hasFractions: builder.hasFractions)
  }

  /// The snapshot of all tickers that were added.
  consuming func finish(asOf day: TradingDay?, barsOf period: CalendarPeriod?) throws(StoreError) -> Snapshot {
    try seal()
    return Snapshot(manifest: manifest, files: files.map { .success($0) }, asOf: day, barsOf: period)
  }
}
