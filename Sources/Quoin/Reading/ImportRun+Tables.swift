// From the first lines of a table to what is known of all.

extension ImportRun {
  /// Bytes that are looked at before a table's rows are read: at first, and if its cells aren't plain.
  private static let (plainByteCount, surveyByteCount) = (1 << 18, 1 << 20)

  /// Finds the table in the next lines, none of which is taken, and looks at its first rows; nil if all lines are blank.
  mutating func beginTable(_ lines: inout LineReader, _ place: Place) throws(ImportError) -> TableBeginning? {
    try lines.readAhead(byteCount: Self.plainByteCount)
    var found = try findTable(lines)
    if found == nil {
      try lines.readAhead(byteCount: Self.surveyByteCount)
      found = try findTable(lines)
    }
    guard var table = found else { return nil }
    if try isOdd(table, lines) { try lines.readAhead(byteCount: Self.surveyByteCount) }
    try joinQuotedLines(&table, &lines)
    explainTable(table, lines)
    try survey(&table, lines, place)
    return table
  }

  private mutating func findTable(_ lines: borrowing LineReader) throws(ImportError) -> TableBeginning? {
    let finder = TableFinder(options: options, file: file)
    do throws(ImportError) {
      return try lines.withLinesAhead { (text, _) throws(ImportError) in try finder.find(in: text) }
    } catch {
      explainGuess(of: finder, lines)
      throw error
    }
  }

  /// Whether the rows have quotation marks, or other signs between cells than commas.
  private func isOdd(_ table: TableBeginning, _ lines: borrowing LineReader) throws(ImportError) -> Bool {
    let isPlain = table.header.layout == .delimited(UInt8(ascii: ","))
    return try lines.withLinesAhead { (text, _) throws(ImportError) in !isPlain || text.has(UInt8(ascii: "\"")) }
  }

  private func joinQuotedLines(_ table: inout TableBeginning, _ lines: inout LineReader) throws(ImportError) {
    let (layout, start, count) = (table.header.layout, table.start, table.header.plan.roles.count)
    table.header.hasQuotedLineBreaks = try lines.withLinesAhead { (text, _) throws(ImportError) in
      QuotedLineBreak.areIn(text.part(from: min(start, text.count)), layout, columnCount: count)
    }
    if table.header.hasQuotedLineBreaks { lines.joinQuotedLines(from: start) }
  }

  private mutating func survey(_ table: inout TableBeginning, _ lines: borrowing LineReader, _ place: Place)
    throws(ImportError)
  {
    var survey = TableSurvey(table.header, options, file: file)
    let (start, layout) = (table.start, table.header.layout)
    let isWhole = try lines.withLinesAhead { (text, isWhole) throws(ImportError) in
      survey.look(at: text.part(from: min(start, text.count)), layout)
      return isWhole
    }
    let order = survey.wantsMoreDays && !isWhole ? try orderOfAllDays(table, place) : nil
    explain(survey, order)
    let forms = try survey.settled(order: order)
    table.header.take(forms)
    explainRows(table, lines)
    table.notes += forms.notes
    firstCells = survey.examples.map(\.first)
    try note(survey, forms.plan, isOfOneTicker: table.header.ticker != nil)
  }

  /// Notes what tells rows apart. Rows of several securities are refused where nothing says whose they are.
  mutating func note(_ survey: TableSurvey, _ plan: ColumnPlan, isOfOneTicker: Bool) throws(ImportError) {
    tellingColumn = survey.tellingColumn
    if let (column, values) = survey.instrument(plan), options.ticker == nil, !isOfOneTicker {
      throw .severalInstruments(file: file, column: column, values: values)
    }
  }

  /// The order of the numbers of all days of a file, which is read to its end for that; nil if it can't be read twice.
  private func orderOfAllDays(_ table: TableBeginning, _ place: Place) throws(ImportError) -> DayOrder? {
    // An archive of many files would be unpacked up to this one for each of them.
    guard let column = table.header.plan.roles.firstIndex(of: .date), place.entry == 0,
      let source = place.sourceToReread
    else {
      return nil
    }
    var lines = LineReader(
      try InputFile(source), readByteCount: tuning.readByteCount, lineByteCountMax: tuning.lineByteCountMax)
    try lines.recognizeForm(byteCountMax: Limits.recognitionByteCount)
    var order = DayOrder()
    var number = 0
    while !order.isDecided || !order.hasNumbers, let chunk = try nextLines(&lines, linesBefore: number) {
      chunk.withText { text in
        var start = 0
        while start < text.count {
          let end = text.lineEnd(from: start)
          number += 1
          if number > table.lineCount { Self.note(column, of: text.part(start..<end), table.header.layout, &order) }
          start = end + 1
        }
      }
    }
    return order
  }

  private static func note(_ column: Int, of line: TextView, _ layout: CellLayout, _ order: inout DayOrder) {
    let ranges = layout.cells(of: line)
    if column < ranges.count { order.note(line.part(ranges[column])) }
  }
}

// What is told at the end.
extension ImportRun {
  mutating func addNote(_ text: String) { summary.notes.append(ImportNote(file: file, text: text)) }

  /// Adds what was noticed of the current file's rows.
  mutating func addNotes() {
    func count(_ count: Int, _ one: String, _ many: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(many)" }
    if notes.roundedCellCount > 0 {
      addNote(
        "\(count(notes.roundedCellCount, "number is", "numbers are")) rounded by the vendor, such as 12.35M for 12350000"
      )
    }
    if notes.roundedVolumeCount > 0 {
      addNote("\(count(notes.roundedVolumeCount, "volume was", "volumes were")) rounded")
    }
    if notes.fractionalVolumeCount > 0 {
      addNote(
        "\(count(notes.fractionalVolumeCount, "volume has a fraction", "volumes have fractions")), stored exactly")
    }
    if notes.shortRowCount > 0 {
      addNote("\(count(notes.shortRowCount, "row ends", "rows end")) early; the cells that aren't there are missing")
    }
    if notes.emptyRowCount > 0 {
      addNote("\(count(notes.emptyRowCount, "line has", "lines have")) no cells and no row")
    }
    if notes.repeatedHeaderCount > 0 {
      addNote("\(count(notes.repeatedHeaderCount, "line repeats", "lines repeat")) the header, and was passed over")
    }
    let footers = notes.footers.filter { $0.text != "?" }
    if let first = footers.first {
      addNote(
        "\(count(footers.count, "line", "lines")) at the end passed over, from line \(first.line) on: '\(first.text)'")
    }
    let rowCount = currentFile.rowCount
    if weekendCount > 0, weekendCount * 10 < rowCount {
      addNote(
        "\(count(weekendCount, "day is a Saturday or Sunday", "days are Saturdays and Sundays")), which the others avoid"
      )
    }
  }

  /// Notes what was noticed of some rows. Lines that may be a footer are bad rows if one of these is below them.
  mutating func note(_ parsed: ParsedRows, linesBefore: Int) {
    let last = parsed.count > 0 ? parsed.position(parsed.count - 1) + linesBefore : nil
    var more = parsed.notes
    for index in more.footers.indices { more.footers[index].line += linesBefore }
    notes += more
    guard let last else { return }
    for footer in notes.footers where footer.line < last {
      summary.badRows.insert(
        BadRow(
          file: file, position: .line(footer.line), column: nil, value: footer.text,
          reason: "not a row, and rows follow it"))
    }
    notes.footers.removeAll { $0.line < last }
  }
}
