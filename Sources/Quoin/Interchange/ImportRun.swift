/// One import under way: what it holds of the current file, and the summary so far.
struct ImportRun {
  private(set) var summary = ImportSummary()

  private let options: ImportOptions
  private let tuning: ImportTuning
  private var meter: ProgressMeter
  private var tickers: Set<TickerSymbol> = []

  // Of the current file.
  private var file = ""
  private var rows: [TickerSymbol: TickerRows] = [:]
  private var current: TickerSymbol?
  private var isGrouped = true
  private var heldRowCount = 0
  private var handed = HandedRows()
  private var periods: [TickerSymbol: Int] = [:]
  private var isByLine = true

  init(options: ImportOptions, tuning: ImportTuning, progress: ((ImportProgress) -> Void)?) {
    self.options = options
    self.tuning = tuning
    meter = ProgressMeter(report: progress)
  }

  mutating func importFile(_ path: String, into sink: inout some QuoteSink) throws {
    var lines = LineReader(
      try InputFile(path: path), readByteCount: tuning.readByteCount, lineByteCountMax: tuning.lineByteCountMax)
    beginFile(lines.file)
    let beginning = try lines.peek(byteCountMax: QuoteFormat.recognitionByteCount)
    if Packing(beginning) != nil { throw ImportError.packedStream(file: file) }
    let format = options.format ?? QuoteFormat(recognizing: beginning)
    isByLine = format != .json
    switch format {
    case .csv: try readCSV(&lines, path, into: &sink)
    case .json: try readJSON(&lines, path, into: &sink)
    case .ndjson: try readNDJSON(&lines, path, into: &sink)
    }
    try handOver(Array(rows.keys), into: &sink)
  }

  private mutating func beginFile(_ name: String) {
    file = name
    summary.files.append(name)
    summary.badRows.beginFile()
    (current, isGrouped, heldRowCount) = (nil, true, 0)
    handed = HandedRows()
    periods = [:]
  }
}

// MARK: - Reading

extension ImportRun {
  private mutating func readCSV(_ lines: inout LineReader, _ path: String, into sink: inout some QuoteSink) throws {
    let parsed = ParsedRows()
    var parser: CSVRowParser?
    var fallback: TickerSymbol?
    var line = 1
    while var text = unsafe try lines.nextLines(number: line) {
      if parser == nil {
        guard let header = unsafe try takeHeader(&text, &line) else { continue }
        parser = CSVRowParser(header: header, file: file, lineByteCountMax: tuning.lineByteCountMax)
        fallback = header.plan.hasTicker ? nil : try fileTicker(path)
        noteIgnored(header.plan.ignoredNames)
      }
      while let parser, unsafe !text.isEmpty {
        let (byteCount, lineCount) = unsafe try parser.parse(text, firstLine: line, into: parsed)
        unsafe text = UnsafeRawBufferPointer(rebasing: text[byteCount...])
        line += lineCount
        try take(parsed, fallback, into: &sink)
      }
      meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
    }
    if parser == nil { throw ImportError.empty(file: file) }
  }

  /// Takes the header off the text's front, with blank lines before it; nil when there are only those.
  private func takeHeader(_ text: inout UnsafeRawBufferPointer, _ number: inout Int) throws(ImportError) -> CSVHeader? {
    while unsafe !text.isEmpty {
      let end = unsafe LineReader.lineEnd(in: text, from: 0)
      var line = unsafe UnsafeRawBufferPointer(rebasing: text[..<end])
      unsafe text = UnsafeRawBufferPointer(rebasing: text[min(end + 1, text.count)...])
      number += 1
      if unsafe line.last == UInt8(ascii: "\r") { unsafe line = UnsafeRawBufferPointer(rebasing: line.dropLast()) }
      if unsafe line.contains(where: { $0 > UInt8(ascii: " ") }) { return try unsafe CSVHeader(line, file: file) }
    }
    return nil
  }

  private mutating func readNDJSON(_ lines: inout LineReader, _ path: String, into sink: inout some QuoteSink) throws {
    let parsed = ParsedRows()
    var parser = NDJSONRowParser(file: file, lineByteCountMax: tuning.lineByteCountMax)
    var line = 1
    let fallback = options.ticker
    while var text = unsafe try lines.nextLines(number: line) {
      while unsafe !text.isEmpty {
        let (byteCount, lineCount) = unsafe try parser.parse(
          text, firstLine: line, needsTicker: fallback == nil, into: parsed)
        unsafe text = UnsafeRawBufferPointer(rebasing: text[byteCount...])
        line += lineCount
        try take(parsed, fallback, into: &sink)
      }
      meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
    }
    noteIgnored(parser.ignoredNames)
  }

  private mutating func readJSON(_ lines: inout LineReader, _ path: String, into sink: inout some QuoteSink) throws {
    let bytes = try lines.readAll(byteCountMax: tuning.documentByteCountMax)
    let document = try JSONQuoteReader.read(bytes, file: file)
    noteIgnored(document.ignoredNames)
    let fallback = document.hasTickerColumn ? nil : try fileTicker(path, datasetCode: document.datasetCode)
    for parsed in document.pieces { try take(parsed, fallback, into: &sink) }
    meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
  }

  /// Whose quotes the file holds: what the caller says, else the file's own code, else its name.
  private func fileTicker(_ path: String, datasetCode: String? = nil) throws(ImportError) -> TickerSymbol {
    if let ticker = options.ticker { return ticker }
    guard let datasetCode else { return try TickerSymbol(fileName: path) }
    do throws(TickerSymbolError) { return try TickerSymbol(datasetCode) } catch {
      throw .badTicker(file: file, error)
    }
  }

  private mutating func noteIgnored(_ names: [String]) {
    for name in names where !summary.ignoredColumns.contains(name) { summary.ignoredColumns.append(name) }
  }
}

// MARK: - Holding rows and handing them over

extension ImportRun {
  /// Takes parsed rows out of `parsed`; rows without a ticker are those of `fallback`.
  private mutating func take(
    _ parsed: ParsedRows, _ fallback: TickerSymbol?, into sink: inout some QuoteSink
  ) throws {
    for bad in parsed.firstBad {
      let row = BadRow(
        file: file, position: bad.position, column: bad.column, value: bad.value, reason: bad.reason)
      summary.badRows.insert(row)
    }
    summary.badRows.insertUnnamed(parsed.badCount - parsed.firstBad.count)
    for index in parsed.runs.indices {
      guard let ticker = parsed.runs[index].ticker ?? fallback else { throw ImportError.noTicker(file: file) }
      let range = parsed.rows(ofRun: index)
      if ticker != current {
        if periods[ticker] != nil || rows[ticker] != nil { isGrouped = false }
        current = ticker
      }
      rows[ticker, default: TickerRows()].append(parsed, range)
      heldRowCount += range.count
      if heldRowCount >= tuning.bufferRowCount { try handOverComplete(into: &sink) }
    }
    parsed.removeAll()
  }

  /// Hands over the tickers that no more rows are to be expected of; all of them when that would be none.
  private mutating func handOverComplete(into sink: inout some QuoteSink) throws {
    let isCurrentComplete = !isGrouped || rows.count <= 1
    try handOver(rows.keys.filter { $0 != current || isCurrentComplete }, into: &sink)
  }

  private mutating func handOver(_ symbols: [TickerSymbol], into sink: inout some QuoteSink) throws {
    for ticker in symbols.sorted() {
      guard var held = rows.removeValue(forKey: ticker) else { continue }
      heldRowCount -= held.columns.rowCount
      for (position, day) in held.settle() { reject(ticker, position, day) }
      try removeHandedBefore(&held, ticker, sink)
      if held.columns.isEmpty { continue }
      note(ticker, held.columns)
      if !options.skipsBadRows && !summary.badRows.isEmpty {
        handed.drop(ticker, held.columns)
      } else {
        summary.counts += try sink.upsert(ticker, held.columns)
      }
    }
  }

  /// Takes out the rows whose day was handed over before; those with other values are bad.
  private mutating func removeHandedBefore(
    _ held: inout TickerRows, _ ticker: TickerSymbol, _ sink: some QuoteSink
  ) throws {
    let known = handed.insert(ticker, held.columns)
    guard let first = known.first, let last = known.last else { return }
    let stored = try sink.stored(ticker, from: held.columns.days[first], to: held.columns.days[last])
    for row in known {
      let day = held.columns.days[row]
      let index = stored.days.partitioningIndex { $0 >= day }
      let isSame =
        handed.isLikeDropped(ticker, held.columns, row: row)
        ?? (index < stored.rowCount && held.columns.isIdentical(row: row, to: stored, row: index))
      if !isSame { reject(ticker, held.positions[row], day) }
    }
    let repeated = Set(known)
    held.keep((0..<held.columns.rowCount).filter { !repeated.contains($0) })
  }

  private mutating func reject(_ ticker: TickerSymbol, _ position: Int, _ day: TradingDay) {
    let reason = "\(ticker) has this day twice, with different values"
    summary.badRows.insert(
      BadRow(
        file: file, position: isByLine ? .line(position) : .row(position), column: "date", value: "\(day)",
        reason: reason))
  }

  /// Counts good rows, whose days rise strictly.
  private mutating func note(_ ticker: TickerSymbol, _ columns: QuoteColumns) {
    guard let first = columns.days.first, let last = columns.days.last else { return }
    summary.rowCount += columns.rowCount
    summary.suspicious.count(columns)
    if tickers.insert(ticker).inserted { summary.tickerCount += 1 }
    if let index = periods[ticker] {
      summary.periods[index].firstDay = min(summary.periods[index].firstDay, first)
      summary.periods[index].lastDay = max(summary.periods[index].lastDay, last)
      summary.periods[index].rowCount += columns.rowCount
    } else {
      periods[ticker] = summary.periods.count
      summary.periods.append(
        ImportSummary.Period(
          ticker: ticker, firstDay: first, lastDay: last, rowCount: columns.rowCount, source: options.source ?? file))
    }
  }
}

extension TickerRows {
  mutating func append(_ parsed: ParsedRows, _ range: Range<Int>) {
    parsed.append(rows: range, to: &columns, positions: &positions)
  }
}

/// Reports progress, at most ten times a second.
struct ProgressMeter {
  let report: ((ImportProgress) -> Void)?
  private var last = ContinuousClock.now

  init(report: ((ImportProgress) -> Void)?) { self.report = report }

  mutating func update(_ file: String, _ byteCount: Int, _ totalByteCount: Int?, _ rowCount: Int) {
    guard let report, last.duration(to: .now) >= .milliseconds(100) else { return }
    last = .now
    report(ImportProgress(file: file, byteCount: byteCount, totalByteCount: totalByteCount, rowCount: rowCount))
  }
}
