// From a JSON document to parsed rows.
//
//     a document that isn't long:   its text, checked and read where it stands
//     a long one, of a file:        walk 1: check it, and condense it
//                                   find the tables in the condensed text, and look at their first rows
//                                   walk 2, if these leave something open: look at more rows
//                                   walk 3: read the rows

extension ImportRun {
  mutating func readJSON(_ lines: inout LineReader, _ place: Place, into sink: inout some QuoteSink) throws(ImportError)
  {
    // To read a later file of an archive again, those before it would have to be unpacked again too.
    let byteCountMax = place.entry == 0 ? tuning.wholeDocumentByteCount : tuning.heldByteCountMax
    if place.sourceToReread != nil, try lines.has(moreThan: byteCountMax) {
      let document = try condensed(&lines)
      return try document.text.withText { (text) throws(ImportError) in
        let tables = try JSONQuoteReader.tables(document, text, options, file: file)
        try read(tables, place, lines, into: &sink)
      }
    }
    let document = try lines.readAll(byteCountMax: tuning.documentByteCountMax)
    try document.withText { (text) throws(ImportError) in
      try read(try JSONQuoteReader.tables(text, options, file: file), place, lines, into: &sink)
    }
  }

  private mutating func condensed(_ lines: inout LineReader) throws(ImportError) -> CondensedJSON {
    var (walker, condenser) = (JSONWalker(file: file), JSONCondenser(options, tuning, file: file))
    while try walker.walk(&lines, &condenser) {
      meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
    }
    return condenser.finished(valueCount: walker.valueCount)
  }

  private mutating func read(
    _ found: [JSONTable], _ place: Place, _ lines: borrowing LineReader, into sink: inout some QuoteSink
  ) throws(ImportError) {
    var tables = found
    explain(tables)
    let surveys = try surveys(of: tables, place)
    var told: Set<String> = []
    for index in tables.indices { try settle(&tables[index], surveys[index], &told) }
    noteColumns(JSONTable.columns(of: tables))
    var rows = try rowStream(of: tables, place)
    var (rowCount, part) = (0, try rows?.next())
    for table in tables {
      let fallback = table.plan.hasTicker ? nil : try fileTicker(place, datasetCode: table.place.ticker)
      var reader = JSONRowReader(table, options)
      if rowCount == 0 { explainRows(&reader) }
      guard let shortened = table.shortened else {
        rowCount = try reader.read(after: rowCount) { (rows) throws(ImportError) in
          try take(rows, fallback, into: &sink)
          meter.update(file, lines.byteCount, lines.totalByteCount, summary.rowCount + heldRowCount)
        }
        continue
      }
      guard part?.array == shortened.number else { throw hasChanged }
      while let next = part, next.array == shortened.number {
        rowCount = try next.text.withText { (text) throws(ImportError) in
          try reader.read(JSONNode(sequence: text), after: rowCount) { (rows) throws(ImportError) in
            try take(rows, fallback, into: &sink)
          }
        }
        part = try rows?.next()
        meter.update(file, rows?.byteCount ?? 0, lines.totalByteCount, summary.rowCount + heldRowCount)
      }
    }
    if part != nil || rows?.byteCount ?? lines.byteCount != lines.byteCount { throw hasChanged }
  }

  private var hasChanged: ImportError {
    .unknownShape(file: file, path: "", detail: "it has changed while it was read")
  }

  /// The rows of the tables that aren't there as a whole; nil if all are.
  private func rowStream(of tables: [JSONTable], _ place: Place) throws(ImportError) -> JSONRowStream? {
    let arrays = Set(tables.compactMap(\.shortened?.number))
    guard !arrays.isEmpty, let source = place.sourceToReread else { return nil }
    var input = try InputFile(source)
    input.unpackedByteCountMax = options.unpackedByteCountMax
    var lines = LineReader(input, readByteCount: tuning.readByteCount, lineByteCountMax: tuning.lineByteCountMax)
    for _ in 0..<place.entry {
      while try lines.nextLines() != nil {}
      guard try lines.beginEntry() else { throw hasChanged }
    }
    try lines.recognizeForm(byteCountMax: Limits.recognitionByteCount)
    return JSONRowStream(lines, arrays: arrays)
  }

  /// Looks at the rows of the tables, which say together how their cells are written.
  private func surveys(of tables: [JSONTable], _ place: Place) throws(ImportError) -> [TableSurvey] {
    var surveys = tables.map { TableSurvey($0, options, file: file) }
    var open: [Int: Int] = [:]
    for (index, table) in tables.enumerated() {
      let wantsMore = surveys[index].look(at: table, rowCountMax: table.shortened?.firstCount ?? .max)
      if wantsMore, let number = table.shortened?.number { open[number] = index }
    }
    if open.isEmpty { return surveys }
    // The first rows don't suffice, so all are looked at in their order.
    var cursors = tables.map { JSONRowCursor($0) }
    for index in open.values { surveys[index] = TableSurvey(tables[index], options, file: file) }
    var rows = try rowStream(of: open.values.map { tables[$0] }, place)
    while !open.isEmpty, let part = try rows?.next() {
      guard let index = open[part.array] else { continue }
      let wantsMore = part.text.withText { text in
        cursors[index].goOn(with: JSONNode(sequence: text))
        return surveys[index].look(at: &cursors[index])
      }
      if !wantsMore { open[part.array] = nil }
    }
    return surveys
  }

  /// Takes what a table's rows say.
  ///
  /// - Parameter told: the sentences of the document's tables before.
  private mutating func settle(
    _ table: inout JSONTable, _ survey: TableSurvey, _ told: inout Set<String>
  ) throws(ImportError) {
    explain(survey, nil)
    let forms = try survey.settled()
    table.take(forms)
    for note in forms.notes where told.insert(note).inserted { addNote(note) }
    try note(survey, forms.plan, isOfOneTicker: table.place.ticker != nil)
  }
}
