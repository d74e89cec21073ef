// What an import finds out about a file, for those who ask. Nothing here changes what is read.
extension ImportRun {
  private var isExplaining: Bool { explanations != nil }

  /// Notes what was found out about the current file, in place of what was known before.
  mutating func explain(
    _ subject: ImportExplanation.Finding.Subject, _ value: String, _ reason: String, setting: String? = nil
  ) {
    explain([ImportExplanation.Finding(subject: subject, value: value, reason: reason, setting: setting)])
  }

  mutating func explain(_ findings: [ImportExplanation.Finding]) {
    guard var explanation = explanations?.popLast() else { return }
    for finding in findings {
      explanation.findings.removeAll { $0.subject == finding.subject }
      explanation.findings.append(finding)
    }
    let order = ImportExplanation.Finding.Subject.allCases
    explanation.findings.sort { order.firstIndex(of: $0.subject) ?? 0 < order.firstIndex(of: $1.subject) ?? 0 }
    explanations?.append(explanation)
  }

  private mutating func explain(_ columns: [ImportExplanation.Column]) {
    guard var explanation = explanations?.popLast() else { return }
    explanation.columns = columns
    explanations?.append(explanation)
  }

  mutating func explainPacking(_ packing: Packing?) {
    guard isExplaining, let packing else { return }
    explain(.packing, packing == .gzip ? "gzip" : "zip", "its first bytes say so")
  }

  /// - Parameters:
  ///   - beginning: the first bytes of the file.
  ///   - text: the same in UTF-8.
  mutating func explainText(_ beginning: [UInt8], _ text: [UInt8], _ format: QuoteFormat) {
    guard isExplaining else { return }
    explain(TextForm(of: beginning).explained(beginning))
    explain(format.explained(isTold: options.format != nil))
  }

  // MARK: - CSV

  /// Notes the table that is seen in a file which is refused.
  mutating func explainGuess(of finder: TableFinder, _ lines: borrowing LineReader) {
    guard isExplaining else { return }
    let found = try? lines.withLinesAhead { (text, _) throws(ImportError) in finder.guess(in: text) }
    if let table = found ?? nil { explainTable(table, lines) }
  }

  mutating func explainTable(_ table: TableBeginning, _ lines: borrowing LineReader) {
    guard isExplaining else { return }
    explain(table.explained(options))
    explainRows(table, lines)
  }

  mutating func explain(_ survey: TableSurvey, _ order: DayOrder?) {
    if isExplaining { explain(survey.explained(order: order)) }
  }

  /// Notes the columns, with the first rows read as far as the header says how.
  mutating func explainRows(_ table: TableBeginning, _ lines: borrowing LineReader) {
    guard isExplaining else { return }
    let (options, file) = (options, file)
    let columns = try? lines.withLinesAhead { (text, _) throws(ImportError) in
      let sample = RowSample(text.part(from: min(table.start, text.count)), table.header, options, file: file)
      return table.header.explained(sample, table.form)
    }
    explain(columns ?? [])
  }

  mutating func explainTickers(_ header: CSVHeader) {
    guard isExplaining else { return }
    if !header.wide.isEmpty {
      explain(.ticker, "in the header", "each ticker has columns of its own")
    } else if let column = header.plan.roles.firstIndex(of: .ticker) {
      explain(.ticker, "in column '\(header.plan.names[column])'", header.plan.reason(column))
    }
  }

  // MARK: - NDJSON

  /// Notes the columns of lines of objects, and the first rows.
  mutating func explainRows(_ chunk: TextChunk) {
    guard isExplaining else { return }
    var parser = NDJSONRowParser(file: file, options, lineByteCountMax: tuning.lineByteCountMax)
    let sample = chunk.withText { parser.sample(of: $0) }
    explain(parser.explained(sample, options))
    if let (survey, _) = parser.survey { explain(survey, nil) }
    if let ticker = parser.columns.first(where: { $0.use == .ticker }) {
      explain(.ticker, "in '\(ticker.name)'", "its name says so")
    }
  }

  /// Notes the columns that only later lines have.
  mutating func explainColumns(_ parser: NDJSONRowParser) {
    guard isExplaining, let known = explanations?.last?.columns else { return }
    let all = parser.explained(RowSample(columnCount: parser.columns.count), options)
    explain(known + all.filter { column in !known.contains { $0.name == column.name } })
  }

  // MARK: - JSON

  mutating func explain(_ tables: [JSONTable]) {
    guard isExplaining, let table = tables.first else { return }
    explain([table.explainedForm(count: tables.count)])
    var reader = JSONRowReader(table, options)
    explain(table.explained(reader.sample(), options))
    if let column = table.plan.roles.firstIndex(of: .ticker) {
      explain(.ticker, "in '\(table.names[column])'", table.plan.reason(column))
    }
  }

  /// Notes the first rows of the first table.
  mutating func explainRows(_ reader: inout JSONRowReader) {
    if isExplaining { explain(reader.table.explained(reader.sample(), options)) }
  }
}

// All files.
extension QuoteImporter {
  /// What the files are taken for, one after the other.
  func explain(_ sources: [ImportSource]) throws(ImportError) -> [ImportExplanation] {
    let files = try ImportSource.expanded(sources).files
    var meter = ProgressMeter(report: progress)
    meter.fileCount = files.count
    let crew = crew ?? Crew(threadCount: options.threads)
    var options = options
    options.skipsBadFiles = false
    var all: [ImportExplanation] = []
    for source in files {
      var run = ImportRun(options: options, tuning: tuning, crew: crew, progress: nil)
      run.meter = meter
      all += run.explained(ShownText.path(source.name)) { (run) throws(ImportError) in
        var sink = NoSink()
        try run.importFile(source, into: &sink)
      }
      meter = run.meter
      meter.finishedFileCount += 1
    }
    addMissingColumn(to: &all)
    return all
  }

  /// What a text in memory is taken for.
  func explain(bytes: [UInt8], name: String) -> ImportExplanation {
    let crew = crew ?? Crew(threadCount: options.threads)
    var run = ImportRun(options: options, tuning: tuning, crew: crew, progress: nil)
    var all = run.explained(name) { (run) throws(ImportError) in
      var sink = NoSink()
      try run.importBytes(bytes, name: name, into: &sink)
    }
    addMissingColumn(to: &all)
    return all[0]
  }

  /// Refuses all files if none has a column of which the options say what it holds.
  private func addMissingColumn(to all: inout [ImportExplanation]) {
    let names = Set(all.flatMap(\.columns).map(\.name))
    if let name = options.columnUses.keys.sorted().first(where: { !names.contains($0) }) {
      for index in all.indices where all[index].error == nil { all[index].error = .noSuchColumn(name) }
    }
  }
}

extension ImportRun {
  /// What a file is taken for, which `body` reads to its end.
  fileprivate mutating func explained(
    _ name: String, _ body: (inout ImportRun) throws(ImportError) -> Void
  ) -> [ImportExplanation] {
    (isTrial, explanations) = (true, [])
    do throws(ImportError) {
      try body(&self)
      if summary.files.allSatisfy(\.isEmpty), let first = summary.files.first { throw .empty(file: first.name) }
      try checkRows()
    } catch {
      if explanations?.isEmpty ?? true { explanations = [ImportExplanation(file: name)] }
      var place = (explanations?.count ?? 1) - 1
      if case .rejected(let rows) = error {
        place = explanations?.lastIndex { $0.file == rows.first.first?.file } ?? place
      }
      explanations?[place].error = error
    }
    return (explanations ?? []).enumerated().map { index, explanation in
      var whole = explanation
      let periods = zip(periodFiles, summary.periods).filter { $0.0 == index }.map(\.1)
      whole.rowCount = periods.reduce(0) { $0 + $1.rowCount }
      whole.tickerCount = periods.count
      whole.firstTickers = periods.prefix(ImportedFile.namedTickerCount).map(\.ticker)
      if let first = periods.map(\.firstDay).min(), let last = periods.map(\.lastDay).max() {
        whole.days = first...last
      }
      whole.notes = summary.notes.filter { $0.file == explanation.file }.map(\.text)
      return whole
    }
  }
}
