// From text to parsed rows.

extension ImportRun {
  /// Reads some chunks of text ahead, which other threads parse, and takes their rows in the order of the file.
  mutating func readCSV(_ lines: inout LineReader, _ place: Place, into sink: inout some QuoteSink) throws(ImportError)
  {
    guard let found = try readHeader(&lines) else { throw .empty(file: file) }
    var header = found.header
    let (first, start, headerLineCount) = (found.first, found.start, found.lineCount)
    header.dates = try first.withText { (text) throws(ImportError) in
      try dateReading(of: header, place, first: text.part(from: start), headerLineCount: headerLineCount)
    }
    let fallback = header.plan.hasTicker ? nil : try fileTicker(place, datasetCode: header.ticker?.description)
    noteColumns(header.plan.columns)
    let parser = CSVChunkParser(CSVRowParser(header: header, file: file, lineByteCountMax: tuning.lineByteCountMax))
    var lineCount = headerLineCount
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

  /// The header, its chunk, the offset of the rows in the chunk, and the number of lines before the rows; nil if all lines are
  /// blank.
  private func readHeader(
    _ lines: inout LineReader
  ) throws(ImportError) -> (header: CSVHeader, first: TextChunk, start: Int, lineCount: Int)? {
    var reader = CSVHeaderReader(file: file, options: options)
    var number = 1
    do throws(ImportError) {
      while let chunk = try lines.nextLines() {
        if !options.columnNames.isEmpty { return (try header(of: chunk), chunk, 0, 0) }
        let found = try chunk.withText { (text) throws(ImportError) in try takeHeader(text, &number, &reader) }
        if let (header, end) = found { return (header, chunk, end, number - 1) }
      }
    } catch { throw error.moved(byLines: number - 1) }
    if number > 1, reader.hasBegun { throw .noDateColumn(file: file, header: reader.shownLine) }
    return nil
  }

  /// The header of a file without one, whose columns have the names of the options.
  private func header(of chunk: TextChunk) throws(ImportError) -> CSVHeader {
    let delimiter = chunk.withText { CSVHeader.delimiter(of: $0.part(0..<$0.lineEnd(from: 0))) }
    let names = options.columnNames
    return try CSVHeader(names, delimiter, options, line: names.joined(separator: ","), file: file)
  }

  /// The header, with any blank lines before it, and where the next line starts; nil if it goes on.
  private func takeHeader(
    _ text: TextView, _ number: inout Int, _ reader: inout CSVHeaderReader
  ) throws(ImportError) -> (header: CSVHeader, end: Int)? {
    var start = 0
    while start < text.count {
      let end = text.lineEnd(from: start)
      let isCRLF = end > start && text[end - 1] == UInt8(ascii: "\r")
      let line = text.part(start..<(isCRLF ? end - 1 : end))
      if !reader.hasBegun, let header = try reader.header(ofBulkRow: line) { return (header, start) }
      start = end + 1
      number += 1
      if line.contains(where: { $0 > UInt8(ascii: " ") }), let header = try reader.take(line) {
        return (header, min(start, text.count))
      }
    }
    return nil
  }

  mutating func readNDJSON(_ lines: inout LineReader, into sink: inout some QuoteSink) throws(ImportError) {
    let parsed = ParsedRows()
    var parser = NDJSONRowParser(
      file: file, options, lineByteCountMax: tuning.lineByteCountMax)
    var line = 1
    let fallback = options.ticker
    while let chunk = try nextLines(&lines, linesBefore: line - 1) {
      var offset = 0
      while offset < chunk.byteCount {
        let (byteCount, lineCount) = try chunk.withText { (text) throws(ImportError) in
          try parser.parse(text.part(from: offset), firstLine: line, needsTicker: fallback == nil, into: parsed)
        }
        offset += byteCount
        line += lineCount
        try take(parsed, fallback, into: &sink)
      }
      meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
    }
    noteColumns(parser.columns)
    let hasRows = !rows.isEmpty || !recordIndices.isEmpty
    if hasRows, !parser.columns.contains(where: \.holdsAttribute) {
      throw .noValueColumn(file: file, header: parser.columns.map(\.name).joined(separator: ","))
    }
  }

  func nextLines(_ lines: inout LineReader, linesBefore: Int) throws(ImportError) -> TextChunk? {
    do throws(ImportError) { return try lines.nextLines() } catch { throw error.moved(byLines: linesBefore) }
  }

  mutating func readJSON(_ lines: inout LineReader, _ place: Place, into sink: inout some QuoteSink)
    throws(ImportError)
  {
    let bytes = try lines.readAll(byteCountMax: tuning.documentByteCountMax)
    let document = try JSONQuoteReader.read(bytes, options, file: file)
    noteColumns(document.columns)
    let fallback = document.hasTickerColumn ? nil : try fileTicker(place, datasetCode: document.datasetCode)
    for parsed in document.rows { try take(parsed, fallback, into: &sink) }
    meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
  }

  /// The ticker of a file that doesn't name one in each row: the caller's, else the file's own code, else its name.
  private func fileTicker(_ place: Place, datasetCode: String? = nil) throws(ImportError) -> TickerSymbol {
    if let wanted = options.ticker {
      if let ticker = try? datasetCode.map(TickerSymbol.init(_:)), ticker != wanted {
        throw .otherTicker(file: file, ticker, wanted: wanted)
      }
      return wanted
    }
    guard let datasetCode else {
      guard let path = place.name else { throw .noTicker(file: file) }
      guard let pattern = options.tickerPattern else { return try TickerSymbol(fileName: path) }
      guard let name = pattern.ticker(in: path) else { throw .otherName(file: file, pattern: "\(pattern)") }
      do throws(TickerSymbolError) { return try TickerSymbol(name) } catch { throw .badTicker(file: file, error) }
    }
    do throws(TickerSymbolError) { return try TickerSymbol(datasetCode) } catch {
      throw .badTicker(file: file, error)
    }
  }

  private mutating func noteColumns(_ columns: [ImportedFile.Column]) {
    currentFile.columns = columns
    for column in columns where column.use == .ignored && !summary.ignoredColumns.contains(column.name) {
      summary.ignoredColumns.append(column.name)
    }
  }
}
