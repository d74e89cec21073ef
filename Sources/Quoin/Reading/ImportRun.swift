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
  /// Where a file is.
  struct Place {
    /// Nil for a text in memory that is read once.
    var source: ImportSource?
    /// The name in the archive, and the number of files before it.
    var entryName: String?
    var entry = 0

    /// The file's name, which can say the ticker.
    var name: String? { source?.isStandardInput == true && entryName == nil ? nil : entryName ?? source?.name }
    /// Where the file can be read again.
    var sourceToReread: ImportSource? { source.flatMap { $0.isRepeatable ? $0 : nil } }
  }

  var summary = ImportSummary()

  private(set) var options: ImportOptions
  let tuning: ImportTuning
  let crew: Crew
  var meter: ProgressMeter
  var tickers: Set<TickerSymbol> = []
  var handed = HandedRows()
  /// Where each file is.
  var places: [Place] = []
  /// The index of the file of each of the summary's periods.
  var periodFiles: [Int] = []
  /// If there is one, rows are only looked for.
  var finder: RowFinder?
  /// Whether rows are read and checked, and none goes to the sink.
  var isTrial = false
  /// What each file is taken for; nil if nobody wants to know.
  var explanations: [ImportExplanation]?

  // Of the current file.
  var file = ""
  var rows: [TickerSymbol: TickerRows] = [:]
  var current: TickerSymbol?
  var isGrouped = true
  var heldRowCount = 0
  /// Where each ticker's record stands in the summary.
  var recordIndices: [TickerSymbol: Int] = [:]
  var isByLine = true
  /// A column of the current file that holds nothing of a quote's, and tells rows apart.
  var tellingColumn: String?
  /// The first cell of each of its columns.
  var firstCells: [String?] = []
  /// What was noticed of its lines and cells, and its days on Saturdays and Sundays.
  var notes = RowNotes()
  var weekendCount = 0
  /// How the rows of this import spell tickers that they don't spell in upper case, and the tickers that rows of earlier files name.
  var spellings: [TickerSymbol: [UInt8]] = [:]
  var namedTickers: Set<TickerSymbol> = []

  init(options: ImportOptions, tuning: ImportTuning, crew: Crew, progress: ((ImportProgress) -> Void)?) {
    self.options = options
    self.tuning = tuning
    self.crew = crew
    meter = ProgressMeter(report: progress)
  }

  mutating func importFile(_ source: ImportSource, into sink: inout some QuoteSink) throws(ImportError) {
    if options.skipsBadFiles, let error = errorOfTrial(source) {
      beginFile(ShownText.path(source.name), Place(source: source))
      currentFile.error = error
      return
    }
    var input = try InputFile(source)
    input.unpackedByteCountMax = options.unpackedByteCountMax
    if try input.beginEntry() == nil, !input.passedOver.isEmpty {
      throw .noFiles(directory: ShownText.path(source.name))
    }
    var lines = LineReader(
      input, readByteCount: tuning.readByteCount, lineByteCountMax: tuning.lineByteCountMax)
    var entry = 0
    repeat {
      let place = Place(source: source, entryName: lines.entryName, entry: entry)
      if let name = lines.entryName, ForeignFormat.isNoTable(name) {
        beginFile(lines.file, place)
        currentFile.isEmpty = true
        addNote("'\(name.printable)' in the archive isn't a table, and was passed over")
        while try lines.nextLines() != nil {}
      } else {
        try importText(&lines, place, into: &sink)
      }
      entry += 1
    } while try lines.beginEntry()
    let passedOver = lines.takePassedOver()
    if !passedOver.isEmpty {
      let text = "not looked at: \(InputPaths.list(passedOver)), hidden in the archive"
      summary.notes.append(ImportNote(file: ShownText.path(source.name), text: text))
    }
  }

  /// What is wrong with a file, which is read to its end for that; nil too if it can't be read twice.
  private func errorOfTrial(_ source: ImportSource) -> ImportError? {
    if source.isStandardInput { return nil }
    if case .path(let path) = source, PathKind(of: path) == .other { return nil }
    var trial = ImportRun(options: options, tuning: tuning, crew: crew, progress: nil)
    trial.options.skipsBadFiles = false
    trial.isTrial = true
    var sink = NoSink()
    do throws(ImportError) {
      try trial.importFile(source, into: &sink)
      try trial.checkRows()
    } catch { return error }
    return nil
  }

  /// - Parameter name: the name of the text in errors.
  mutating func importBytes(_ bytes: [UInt8], name: String, into sink: inout some QuoteSink) throws(ImportError) {
    var lines = LineReader(bytes, name: name, lineByteCountMax: tuning.lineByteCountMax)
    try importText(&lines, Place(), into: &sink)
  }

  /// The summary of the import, unless bad rows reject it.
  mutating func finish() throws(ImportError) -> ImportSummary {
    if let first = summary.files.first, summary.files.allSatisfy(\.isEmpty) { throw .empty(file: first.name) }
    if let error = summary.files.first(where: { $0.error != nil })?.error, summary.rowCount == 0 { throw error }
    try checkRows()
    let names = Set(summary.files.flatMap(\.columns).map(\.name))
    if let name = options.columnUses.keys.sorted().first(where: { !names.contains($0) }) { throw .noSuchColumn(name) }
    meter.finish(summary.rowCount)
    return summary
  }

  mutating func checkRows() throws(ImportError) {
    placeRepeatedRows()
    summary.badRows.areAll = summary.rowCount == 0
    guard summary.badRows.isEmpty || options.skipsBadRows else { throw .rejected(summary.badRows) }
    guard summary.badRows.isEmpty || summary.rowCount > 0 else { throw .noGoodRows(summary.badRows) }
  }

  private mutating func importText(
    _ lines: inout LineReader, _ place: Place, into sink: inout some QuoteSink
  ) throws(ImportError) {
    beginFile(lines.file, place)
    explainPacking(lines.packing)
    let (countsBefore, badCountBefore, periodsBefore) = (summary.counts, summary.badRows.count, summary.periods.count)
    let beginning = try lines.peek(byteCountMax: Limits.recognitionByteCount)
    if Packing(beginning) != nil {
      let reason =
        place.source == nil
        ? "it is packed; unpack it first" : "it is packed twice; unpack it once, and import the result"
      throw .cannotUnpack(file: file, offset: 0, reason: reason)
    }
    if beginning.isEmpty {
      currentFile.isEmpty = true
      return
    }
    try lines.recognizeForm(byteCountMax: Limits.recognitionByteCount)
    let text = try lines.peek(byteCountMax: Limits.recognitionByteCount)
    if let kind = ForeignFormat.kind(of: text) { throw .foreign(file: file, kind: kind) }
    let format = options.format ?? QuoteFormat(recognizing: text)
    isByLine = format != .json
    currentFile.format = format
    explainText(beginning, text, format)
    do throws(ImportError) {
      switch format {
      case .csv: try readCSV(&lines, place, into: &sink)
      case .json: try readJSON(&lines, place, into: &sink)
      case .ndjson: try readNDJSON(&lines, place, into: &sink)
      }
    } catch {
      guard case .empty = error else { throw error }
      currentFile.isEmpty = true
      return
    }
    try handOver(Array(rows.keys), into: &sink)
    endFile(summary.counts - countsBefore, summary.badRows.count - badCountBefore, periodsBefore)
  }

  /// What the summary says of the current file.
  var currentFile: ImportedFile {
    get { summary.files[summary.files.count - 1] }
    set { summary.files[summary.files.count - 1] = newValue }
  }

  private mutating func beginFile(_ name: String, _ place: Place) {
    file = name
    summary.files.append(ImportedFile(name: name))
    explanations?.append(ImportExplanation(file: name))
    places.append(place)
    summary.badRows.beginFile()
    (current, isGrouped, heldRowCount) = (nil, true, 0)
    recordIndices = [:]
    (notes, weekendCount, tellingColumn, firstCells) = (RowNotes(), 0, nil, [])
  }

  private mutating func endFile(_ counts: UpsertCounts, _ badRowCount: Int, _ firstPeriod: Int) {
    let periods = summary.periods[firstPeriod...]
    currentFile.counts = counts
    currentFile.badRowCount = badRowCount
    addNotes()
    if currentFile.columns.contains(where: { $0.use == .ticker }) { namedTickers.formUnion(periods.map(\.ticker)) }
    currentFile.tickerCount = periods.count
    currentFile.firstTickers = periods.prefix(ImportedFile.namedTickerCount).map(\.ticker)
    if let first = periods.map(\.firstDay).min(), let last = periods.map(\.lastDay).max() {
      currentFile.days = first...last
    }
  }
}
