// From a file to parsed rows.

extension ImportRun {
  mutating func readCSV(_ lines: inout LineReader, _ path: String, into sink: inout some QuoteSink) throws {
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

  mutating func readNDJSON(_ lines: inout LineReader, _ path: String, into sink: inout some QuoteSink) throws {
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

  mutating func readJSON(_ lines: inout LineReader, _ path: String, into sink: inout some QuoteSink) throws {
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
