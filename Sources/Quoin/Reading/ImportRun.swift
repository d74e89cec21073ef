// The states of a row on its way in:
//
//   text      in a chunk of whole lines            LineReader, TextChunk
//   parsed    cells of columns, by chunk           ParsedRows; a bad row ends here, as a `Bad`
//   held      columns of its ticker                TickerRows, until the ticker seems complete or many rows are held
//   handed over   sorted by day, in the sink       QuoteSink.upsert; its day is in HandedRows
//   or dropped    if the import is to be rejected  HandedRows keeps a hash of it
//
// A held row whose day was handed over or dropped before is removed, or is bad if its values differ.

/// One import under way: the rows held of the current file, the days handed over, and the summary so far.
struct ImportRun {
  var summary = ImportSummary()

  let options: ImportOptions
  let tuning: ImportTuning
  let crew: Crew
  var meter: ProgressMeter
  var tickers: Set<TickerSymbol> = []
  var handed = HandedRows()
  /// Where each file can be read again; nil for a text in memory.
  var paths: [String?] = []
  /// The index of the file of each of the summary's periods.
  var periodFiles: [Int] = []
  /// If there is one, rows are only looked for.
  var finder: RowFinder?

  // Of the current file.
  var file = ""
  var rows: [TickerSymbol: TickerRows] = [:]
  var current: TickerSymbol?
  var isGrouped = true
  var heldRowCount = 0
  /// Where each ticker's record stands in the summary.
  var recordIndices: [TickerSymbol: Int] = [:]
  var isByLine = true

  init(options: ImportOptions, tuning: ImportTuning, crew: Crew, progress: ((ImportProgress) -> Void)?) {
    self.options = options
    self.tuning = tuning
    self.crew = crew
    meter = ProgressMeter(report: progress)
  }

  mutating func importFile(_ path: String, into sink: inout some QuoteSink) throws(ImportError) {
    var lines = LineReader(
      try InputFile(path: path), readByteCount: tuning.readByteCount, lineByteCountMax: tuning.lineByteCountMax)
    try importText(&lines, path, into: &sink)
  }

  /// - Parameter name: the name of the text in errors.
  mutating func importBytes(_ bytes: [UInt8], name: String, into sink: inout some QuoteSink) throws(ImportError) {
    var lines = LineReader(bytes, name: name, lineByteCountMax: tuning.lineByteCountMax)
    try importText(&lines, nil, into: &sink)
  }

  /// The summary of the import, unless bad rows reject it.
  mutating func finish() throws(ImportError) -> ImportSummary {
    if let first = summary.files.first, summary.files.allSatisfy(\.isEmpty) { throw .empty(file: first.name) }
    placeRepeatedRows()
    guard summary.badRows.isEmpty || options.skipsBadRows else { throw .rejected(summary.badRows) }
    guard summary.badRows.isEmpty || summary.rowCount > 0 else { throw .noGoodRows(summary.badRows) }
    let names = Set(summary.files.flatMap(\.columns).map(\.name))
    if let name = options.columnUses.keys.sorted().first(where: { !names.contains($0) }) { throw .noSuchColumn(name) }
    meter.finish(summary.rowCount)
    return summary
  }

  /// - Parameter path: the file's path, whose name can say the ticker; nil for a text in memory.
  private mutating func importText(_ lines: inout LineReader, _ path: String?, into sink: inout some QuoteSink)
    throws(ImportError)
  {
    beginFile(lines.file, path)
    let (countsBefore, badCountBefore, periodsBefore) = (summary.counts, summary.badRows.count, summary.periods.count)
    let beginning = try lines.peek(byteCountMax: Limits.recognitionByteCount)
    if Packing(beginning) != nil {
      let reason =
        path == nil ? "it is packed; unpack it first" : "it is packed twice; unpack it once, and import the result"
      throw .cannotUnpack(file: file, offset: 0, reason: reason)
    }
    if beginning.isEmpty { return noteEmpty() }
    if let kind = ForeignFormat.kind(of: beginning) { throw .foreign(file: file, kind: kind) }
    let format = options.format ?? QuoteFormat(recognizing: beginning)
    isByLine = format != .json
    summary.files[summary.files.count - 1].format = format
    do throws(ImportError) {
      switch format {
      case .csv: try readCSV(&lines, path, into: &sink)
      case .json: try readJSON(&lines, path, into: &sink)
      case .ndjson: try readNDJSON(&lines, into: &sink)
      }
    } catch {
      guard case .empty = error else { throw error }
      return noteEmpty()
    }
    try handOver(Array(rows.keys), into: &sink)
    endFile(summary.counts - countsBefore, summary.badRows.count - badCountBefore, periodsBefore)
  }

  private mutating func noteEmpty() { summary.files[summary.files.count - 1].isEmpty = true }

  private mutating func beginFile(_ name: String, _ path: String?) {
    file = name
    summary.files.append(ImportedFile(name: name))
    paths.append(path)
    summary.badRows.beginFile()
    (current, isGrouped, heldRowCount) = (nil, true, 0)
    recordIndices = [:]
  }

  private mutating func endFile(_ counts: UpsertCounts, _ badRowCount: Int, _ firstPeriod: Int) {
    let index = summary.files.count - 1
    let periods = summary.periods[firstPeriod...]
    summary.files[index].counts = counts
    summary.files[index].badRowCount = badRowCount
    summary.files[index].tickerCount = periods.count
    summary.files[index].firstTickers = periods.prefix(ImportedFile.namedTickerCount).map(\.ticker)
    if let first = periods.map(\.firstDay).min(), let last = periods.map(\.lastDay).max() {
      summary.files[index].days = first...last
    }
  }
}

/// Reports progress, at most ten times a second.
struct ProgressMeter {
  let report: ((ImportProgress) -> Void)?
  private var last = ContinuousClock.now
  /// The last text's file, the bytes of it that were read, and all.
  private var text = (file: "", byteCount: 0, totalByteCount: Int?.none)

  init(report: ((ImportProgress) -> Void)?) { self.report = report }

  mutating func update(_ file: String, _ byteCount: Int, _ totalByteCount: Int?, _ rowCount: Int) {
    text = (file, byteCount, totalByteCount)
    guard let report, last.duration(to: .now) >= .milliseconds(100) else { return }
    last = .now
    report(ImportProgress(file: file, byteCount: byteCount, totalByteCount: totalByteCount, rowCount: rowCount))
  }

  func finish(_ rowCount: Int) {
    report?(
      ImportProgress(
        file: text.file, byteCount: text.byteCount, totalByteCount: text.totalByteCount, rowCount: rowCount,
        isComplete: true))
  }
}
