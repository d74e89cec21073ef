// From text to parsed rows.

extension ImportRun {
  /// Reads some chunks of text ahead, which other threads parse, and takes their rows in the order of the file.
  mutating func readCSV(_ lines: inout LineReader, _ place: Place, into sink: inout some QuoteSink) throws(ImportError)
  {
    guard let table = try beginTable(&lines, place) else { throw .empty(file: file) }
    let header = table.header
    let fallback =
      header.plan.hasTicker || !header.wide.isEmpty
      ? nil : try fileTicker(place, datasetCode: header.ticker?.description)
    explainTickers(header)
    noteColumns(header.columns(firstCells))
    for note in table.notes { addNote(note) }
    let parser = CSVChunkParser(
      CSVRowParser(header: header, file: file, options: options, lineByteCountMax: tuning.lineByteCountMax))
    guard let first = try nextLines(&lines, linesBefore: 0) else { return }
    let start = min(table.start, first.byteCount)
    var lineCount = table.lineCount
    // Two for each thread: chunks are large, and each takes about as long as the next.
    var chunks = OrderedMap(crew, itemsPerThread: 2, worker: ()) { (_, chunk: (text: TextChunk, start: Int)) in
      parser.parse(chunk.text, from: chunk.start)
    }
    chunks.push((first, start))
    var readError: ImportError?
    while let chunk = chunks.next() {
      for rows in chunk.rows {
        try take(rows, fallback, linesBefore: lineCount, into: &sink)
        parser.recycle(rows)
      }
      if let error = chunk.error { throw error.moved(byLines: lineCount) }
      lineCount += chunk.lineCount
      do throws(ImportError) {
        while readError == nil, !chunks.isFull, let next = try lines.nextLines() { chunks.push((next, 0)) }
      } catch { readError = error }
      meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
    }
    if let readError { throw readError.moved(byLines: lineCount) }
  }

  mutating func readNDJSON(_ lines: inout LineReader, _ place: Place, into sink: inout some QuoteSink)
    throws(ImportError)
  {
    let parsed = ParsedRows()
    var parser = NDJSONRowParser(file: file, options, lineByteCountMax: tuning.lineByteCountMax)
    var (line, fallback, isNoted) = (1, options.ticker, false)
    while let chunk = try nextLines(&lines, linesBefore: line - 1) {
      var offset = 0
      if line == 1 { explainRows(chunk) }
      while offset < chunk.byteCount {
        let (byteCount, lineCount) = try chunk.withText { (text) throws(ImportError) in
          try parser.parse(text.part(from: offset), firstLine: line, into: parsed)
        }
        if !isNoted, let (survey, plan) = parser.survey {
          try note(survey, plan, isOfOneTicker: false)
          isNoted = true
        }
        offset += byteCount
        line += lineCount
        if parser.namesTicker == false, fallback == nil { fallback = try fileTicker(place) }
        try take(parsed, fallback, into: &sink)
      }
      meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
    }
    explainColumns(parser)
    noteColumns(parser.columns)
    for note in parser.notes { addNote(note) }
    let hasRows = !rows.isEmpty || !recordIndices.isEmpty
    if !hasRows, let message = parser.message { throw message.error(file: file) }
    if hasRows, !parser.columns.contains(where: \.holdsAttribute) {
      throw .noValueColumn(file: file, header: parser.columns.map(\.name).joined(separator: ","))
    }
    if hasRows { try parser.checkNothingIsLeftOut() }
  }

  func nextLines(_ lines: inout LineReader, linesBefore: Int) throws(ImportError) -> TextChunk? {
    do throws(ImportError) { return try lines.nextLines() } catch { throw error.moved(byLines: linesBefore) }
  }

  /// The ticker of a file that doesn't name one in each row: the caller's, else the file's own code, else its name.
  mutating func fileTicker(_ place: Place, datasetCode: String? = nil) throws(ImportError) -> TickerSymbol {
    if let wanted = options.ticker {
      if let ticker = try? datasetCode.map(TickerSymbol.init(_:)), ticker != wanted {
        throw .otherTicker(file: file, ticker, wanted: wanted)
      }
      explain(.ticker, "\(wanted)", ColumnPlan.told, setting: "\(wanted)")
      return wanted
    }
    let (ticker, reason) = try ownTicker(place, datasetCode)
    explain(.ticker, "\(ticker)", reason, setting: "\(ticker)")
    return ticker
  }

  /// The ticker of a file of which the caller doesn't say it, and where it is said.
  private func ownTicker(
    _ place: Place, _ datasetCode: String?
  ) throws(ImportError) -> (ticker: TickerSymbol, reason: String) {
    guard let datasetCode else {
      guard let path = place.name else { throw .noTicker(file: file) }
      guard let pattern = options.tickerPattern else {
        return (try TickerSymbol(fileName: path), "the file's name says so")
      }
      guard let name = pattern.ticker(in: path) else { throw .otherName(file: file, pattern: "\(pattern)") }
      do throws(TickerSymbolError) {
        return (try TickerSymbol(name), "the file's name says so, as '\(pattern)'")
      } catch { throw .badTicker(file: file, error) }
    }
    do throws(TickerSymbolError) {
      return (try TickerSymbol(datasetCode), "it stands in the file, beside the rows")
    } catch {
      throw .badTicker(file: file, error)
    }
  }

  mutating func noteColumns(_ columns: [ImportedFile.Column]) {
    currentFile.columns = columns
    for column in columns where column.use == .ignored && !summary.ignoredColumns.contains(column.name) {
      summary.ignoredColumns.append(column.name)
    }
  }
}
