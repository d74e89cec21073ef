// Headers, found among the first lines.
extension TableFinder {
  private struct Candidate {
    let line: TableLine
    let layout: CellLayout
    let plan: ColumnPlan
    /// How many columns are known.
    let score: Int

    var isComplete: Bool { plan.hasDate && !plan.attributes.isEmpty }
  }

  /// The table below the first line that names a day and an attribute; if there is none, below the line with most names that are known.
  func withHeader(
    _ lines: ArraySlice<TableLine>, before first: TableLine
  ) throws(ImportError) -> TableBeginning {
    guard let best = best(among: lines) else {
      throw .noDateColumn(file: file, header: CSVHeader.shown(first.text))
    }
    if best.score < 2, let found = headerless(lines) { return found }
    return try table(below: best, lines)
  }

  /// The first line that names a day and an attribute, else the one with most names that are known.
  private func best(among lines: ArraySlice<TableLine>) -> Candidate? {
    var best: Candidate?
    for line in lines where !line.isBlank && !isComment(line.text) {
      let candidate = candidate(line)
      if candidate.isComplete { return candidate }
      if candidate.score > (best?.score ?? -1) { best = candidate }
    }
    return best
  }

  /// The table that a text seems to hold although it is refused; nil if no line is like a header.
  func guess(in text: TextView) -> TableBeginning? {
    let lines = Self.lines(of: text, countMax: options.skippedLineCount + Self.lineCountMax)
    guard let best = best(among: lines.dropFirst(options.skippedLineCount)), best.plan.names.count > 1 else {
      return nil
    }
    let (line, header) = (best.line, CSVHeader(best.plan, best.layout, options))
    return TableBeginning(
      header: header, headerLines: line.number...line.number, start: line.next, lineCount: line.number)
  }

  private func candidate(_ line: TableLine) -> Candidate {
    var layouts = [options.layout ?? sign.map { .delimited($0) } ?? Self.layout(of: line.text)]
    if options.layout == nil, sign == nil {
      layouts += ",\t;|".utf8.filter { line.text.contains($0) }.map { .delimited($0) }
      layouts.append(.spaces)
    }
    var best: Candidate?
    for layout in layouts {
      let plan = ColumnPlan(guessing: CSVHeader.names(line.text, layout), uses: options.columnUses)
      let score = plan.attributes.names.count + (plan.hasDate ? 1 : 0) + (plan.hasTicker ? 1 : 0)
      // Prose has words that are names of columns too, but most of its words are others.
      if layout == .spaces, options.layout == nil, score * 2 < plan.names.count { continue }
      let candidate = Candidate(line: line, layout: layout, plan: plan, score: score)
      if candidate.isComplete { return candidate }
      if candidate.score > (best?.score ?? -1) { best = candidate }
    }
    return best ?? Candidate(line: line, layout: layouts[0], plan: ColumnPlan(guessing: []), score: 0)
  }

  private func table(below candidate: Candidate, _ lines: ArraySlice<TableLine>) throws(ImportError) -> TableBeginning {
    let (line, shown) = (candidate.line, CSVHeader.shown(candidate.line.text))
    let rows = lines.drop { $0.number <= line.number }
    if let wide = try wideCloses(candidate.plan, candidate.layout, line, file) { return wide }
    var plan = candidate.plan
    do throws(ImportError) {
      if !plan.hasDate {
        plan = try plan.findingDate(in: rows.map(\.text), candidate.layout, header: shown, file: file)
      }
      try plan.check(header: shown, file: file)
    } catch {
      // One line that isn't a table at all is a message.
      if case .noDateColumn = error, candidate.score == 0, rows.allSatisfy(\.isBlank),
        !line.text.contains(where: { ",;|\t".utf8.contains($0) })
      {
        throw .message(file: file, text: shown)
      }
      throw Self.explained(error, line.text, candidate.layout, file)
    }
    var header = CSVHeader(plan, candidate.layout, options)
    header.lines = [Array(line.text)]
    var beginning = TableBeginning(
      header: header, headerLines: line.number...line.number, start: line.next, lineCount: line.number)
    let before = lines.prefix { $0.number < line.number }.filter { !$0.isBlank }
    if let title = before.first {
      let lineCount = before.count == 1 ? "a line" : "\(before.count) lines"
      beginning.notes.append(
        "\(lineCount) before the header \(before.count == 1 ? "was" : "were") passed over: '\(CSVHeader.shown(title.text).prefix(60))'"
      )
    }
    // A line of units or of dashes.
    if let next = rows.first(where: { !$0.isBlank }), !next.text.contains(where: { $0 &- 0x30 < 10 }),
      next.text.contains(header.delimiter),
      !header.lines.contains(where: { next.text.elementsEqual($0) }), rows.count > 1
    {
      (beginning.start, beginning.lineCount) = (next.next, next.number)
      beginning.notes.append("the line below the header was passed over: '\(CSVHeader.shown(next.text).prefix(60))'")
    }
    return beginning
  }

  /// A header that isn't known may be a row, or in another encoding.
  private static func explained(
    _ error: ImportError, _ line: TextView, _ layout: CellLayout, _ file: String
  ) -> ImportError {
    switch error {
    case .noDateColumn, .unknownDateColumn, .noValueColumn: break
    default: return error
    }
    if String(decoding: line, as: UTF8.self).unicodeScalars.contains("\u{FFFD}") {
      return .foreign(file: file, kind: "text in another encoding than UTF-8")
    }
    let cells = layout.cells(of: line).map { line.part($0) }
    let days = cells.indices.filter { DayText(cells[$0]) != nil || EpochSurvey.isTime(cells[$0]) }
    let numbers = cells.indices.filter { !days.contains($0) && NumberParts(cells[$0]) != nil }
    guard let day = days.first, !numbers.isEmpty else { return error }
    // One number is the close. Of several nothing says which is which.
    let texts = cells.indices.filter { $0 != day && !numbers.contains($0) }
    let guess = cells.indices.map { index -> String in
      switch index {
      case day: "date"
      case numbers[0] where numbers.count == 1: "close"
      case texts.first where (try? TickerSymbol(String(decoding: cells[index], as: UTF8.self))) != nil: "ticker"
      default: "x\(index + 1)"
      }
    }
    return .noHeader(file: file, row: CSVHeader.shown(line), guess: guess)
  }

  /// The matrix of one attribute with a column for each ticker, if the caller says that the table is one.
  private func wideCloses(
    _ plan: ColumnPlan, _ layout: CellLayout, _ line: TableLine, _ file: String
  ) throws(ImportError) -> TableBeginning? {
    guard let attribute = options.wideAttribute else { return nil }
    let shown = CSVHeader.shown(line.text)
    let names = plan.names.map { $0 == "(unnamed)" ? "date" : $0 }
    guard let day = names.firstIndex(where: { ColumnRole(named: $0) == .date }) ?? (names.isEmpty ? nil : 0) else {
      throw .noDateColumn(file: file, header: shown)
    }
    var tickers: [TickerSymbol?] = []
    for (column, name) in names.enumerated() {
      if column == day {
        tickers.append(nil)
        continue
      }
      do throws(TickerSymbolError) { tickers.append(try TickerSymbol(name)) } catch {
        throw .badTicker(file: file, error)
      }
    }
    var fields = names.map { _ in attribute.wikiName }
    fields[day] = "date"
    // The day is the first column here, wherever it stands in the file.
    guard day == 0 else { throw .noDateColumn(file: file, header: shown) }
    var header = try CSVHeader.wide(fields, layout, tickers: tickers, options, line: shown, file: file)
    header.lines = [Array(line.text)]
    return TableBeginning(
      header: header, form: .wide, headerLines: line.number...line.number, start: line.next, lineCount: line.number)
  }
}

extension ColumnPlan {
  /// The plan with the column that holds the days, which its name doesn't say: the only one whose cells are days, if it has no name.
  fileprivate func findingDate(
    in rows: [TextView], _ layout: CellLayout, header: String, file: String
  ) throws(ImportError) -> ColumnPlan {
    let cells = rows.prefix(20).map { row in layout.cells(of: row).map { row.part($0) } }.filter {
      $0.count >= names.count
    }
    let candidates = unknownOrNothing.filter { column in
      !cells.isEmpty && cells.allSatisfy { DayText($0[column]) != nil }
    }
    guard let column = candidates.first else { return self }
    let bare = names[column].lowercased()
    if candidates.count == 1, bare == "(unnamed)" || bare.hasPrefix("unnamed: ") { return having(dateColumn: column) }
    throw .unknownDateColumn(
      file: file, header: header, column: names[column], example: ShownText.sanitized(cells[0][column]))
  }

  /// The columns that hold nothing that is known.
  private var unknownOrNothing: [Int] { roles.indices.filter { roles[$0] == .ignored } }
}
