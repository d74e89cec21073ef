// From text to parsed rows.

extension ImportRun {
  /// Reads some chunks of text ahead, which other threads parse, and takes their rows in the order of the file.
  mutating func readCSV(_ lines: inout LineReader, _ path: String?, into sink: inout some QuoteSink) throws {
    guard let (header, first, start, headerLineCount) = try readHeader(&lines) else {
      throw ImportError.empty(file: file)
    }
    let fallback = header.plan.hasTicker ? nil : try fileTicker(path)
    noteIgnored(header.plan.ignoredNames)
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
  ) throws(ImportError) -> (CSVHeader, first: TextChunk, start: Int, lineCount: Int)? {
    var number = 1
    do throws(ImportError) {
      while let chunk = try lines.nextLines() {
        var text = unsafe chunk.text
        let header = unsafe try takeHeader(&text, &number)
        if let header { return unsafe (header, chunk, chunk.text.count - text.count, number - 1) }
      }
    } catch { throw error.moved(byLines: number - 1) }
    return nil
  }

  /// Takes the header off the front of the text, with any blank lines before it; nil if all lines are blank.
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

  mutating func readNDJSON(_ lines: inout LineReader, into sink: inout some QuoteSink) throws {
    let parsed = ParsedRows()
    var parser = NDJSONRowParser(file: file, lineByteCountMax: tuning.lineByteCountMax)
    var line = 1
    let fallback = options.ticker
    while let chunk = try nextLines(&lines, linesBefore: line - 1) {
      defer { withExtendedLifetime(chunk) {} }
      var text = unsafe chunk.text
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

  private func nextLines(_ lines: inout LineReader, linesBefore: Int) throws(ImportError) -> TextChunk? {
    do throws(ImportError) { return try lines.nextLines() } catch { throw error.moved(byLines: linesBefore) }
  }

  mutating func readJSON(_ lines: inout LineReader, _ path: String?, into sink: inout some QuoteSink) throws {
    let bytes = try lines.readAll(byteCountMax: tuning.documentByteCountMax)
    let document = try JSONQuoteReader.read(bytes, file: file)
    noteIgnored(document.ignoredNames)
    let fallback = document.hasTickerColumn ? nil : try fileTicker(path, datasetCode: document.datasetCode)
    for parsed in document.rows { try take(parsed, fallback, into: &sink) }
    meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
  }

  /// The ticker of a file that doesn't name one in each row: the caller's, else the file's own code, else its name.
  private func fileTicker(_ path: String?, datasetCode: String? = nil) throws(ImportError) -> TickerSymbol {
    if let ticker = options.ticker { return ticker }
    guard let datasetCode else {
      guard let path else { throw .noTicker(file: file) }
      return try TickerSymbol(fileName: path)
    }
    do throws(TickerSymbolError) { return try TickerSymbol(datasetCode) } catch {
      throw .badTicker(file: file, error)
    }
  }

  private mutating func noteIgnored(_ names: [String]) {
    for name in names where !summary.ignoredColumns.contains(name) { summary.ignoredColumns.append(name) }
  }
}
