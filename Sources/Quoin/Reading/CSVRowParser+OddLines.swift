// Lines that are no rows, rows of tables whose tickers stand beside each other, and rows without delimiters.
extension CSVRowParser {
  /// Takes the rejection of a line back that isn't meant to be a row.
  ///
  /// - Throws: `ImportError.secondHeader` if the line is another table's header, because the rows behind it can't be read like those before.
  func sortOutLine(_ line: TextView, _ place: LinePlace, _ state: inout CellSink) throws(ImportError) {
    let ranges = header.layout.cells(of: line)
    let texts = ranges.map { line.part($0) }
    if texts.allSatisfy(\.isEmpty) {
      state.rows.takeBackBad()
      state.rows.notes.emptyRowCount += 1
    } else if header.lines.contains(where: { line.elementsEqual($0) }) {
      state.rows.takeBackBad()
      state.rows.notes.repeatedHeaderCount += 1
    } else if isHeader(texts) {
      throw .secondHeader(file: file, line: place.number)
    } else if isFooter(line, texts) {
      state.rows.takeBackBad()
      state.rows.notes.footers.append((place.number, ShownText.sanitized(line)))
    }
  }

  /// Whether cells are names of columns: of a day or of a ticker, and of attributes.
  private func isHeader(_ cells: [TextView]) -> Bool {
    if isLineOfTickers(cells) { return true }
    let names = cells.map { ShownText.sanitized($0, byteCount: 100) }
    let attributes = names.count { ColumnRole(named: $0).attribute != nil && Double($0) == nil }
    let hasKey = names.contains { name in
      let role = ColumnRole(named: name)
      return role == .date || role == .ticker
    }
    return attributes >= 2 || attributes == 1 && hasKey
  }

  /// Whether cells are the second line of yfinance's header, of other tickers.
  private func isLineOfTickers(_ cells: [TextView]) -> Bool {
    guard header.lines.count > 1, cells.count == header.plan.names.count, let first = cells.first else { return false }
    let isNamed = first.isEmpty || first.elementsEqual("Ticker".utf8)
    return isNamed && cells.dropFirst().allSatisfy { !$0.isEmpty && NumberParts($0) == nil }
  }

  /// Whether a line has one text, or other cells than a row and no day, or is Ctrl-Z, which old systems put at the end of files.
  private func isFooter(_ line: TextView, _ cells: [TextView]) -> Bool {
    if line.elementsEqual([0x1A]) { return true }
    guard header.plan.roles.count > 1, let column = header.plan.roles.firstIndex(of: .date) else { return false }
    if cells.indices.contains(column), DayText(cells[column]) != nil { return false }
    return cells.count { !$0.isEmpty } == 1 || cells.count != header.plan.roles.count
  }

  /// Reads a line that isn't cut at a sign, has its day in several columns, or holds several tickers' rows.
  func parseRanges(_ line: TextView, _ place: LinePlace, _ state: inout CellSink) throws(ImportError) {
    var ranges = header.layout.cells(of: line)
    let count = header.plan.roles.count
    // Directives of Ledger and Beancount stand among others.
    if ranges.isEmpty { return }
    while ranges.count > count, let last = ranges.last, last.isEmpty { ranges.removeLast() }
    guard ranges.count == count else {
      rejectCount(line, place.number, state)
      return try sortOutLine(line, place, &state)
    }
    let badCount = state.rows.badCount
    let isGood =
      header.wide.isEmpty ? parseRow(ranges, of: line, place, &state) : parseWideRow(ranges, of: line, place, &state)
    if !isGood, state.rows.badCount > badCount { try sortOutLine(line, place, &state) }
  }

  private func parseRow(
    _ ranges: [Range<Int>], of line: TextView, _ place: LinePlace, _ state: inout CellSink
  ) -> Bool {
    if header.hasDateParts, !setDay(ranges, of: line, place, &state) { return false }
    for column in ranges.indices where !set(column, ranges[column], of: line, place.number, &state) { return false }
    state.rows.commit(state.ticker, state.day, position: place.number)
    return true
  }

  /// Sets the day from the columns of the year, the month and the day.
  private func setDay(
    _ ranges: [Range<Int>], of line: TextView, _ place: LinePlace, _ state: inout CellSink
  ) -> Bool {
    let parts = DatePart.allCases.map { part in
      header.plan.roles.firstIndex(of: .datePart(part)).map { String(decoding: line.part(ranges[$0]), as: UTF8.self) }
        ?? ""
    }
    let text = parts.joined(separator: "-")
    let reason = TextView.with(text) { state.set(.date, to: $0) }
    guard let reason else { return true }
    state.rows.reject(.line(place.number), column: "year, month, day", value: text.utf8, reason)
    return false
  }

  /// Adds a row for each ticker that has a value on the line's day.
  private func parseWideRow(
    _ ranges: [Range<Int>], of line: TextView, _ place: LinePlace, _ state: inout CellSink
  ) -> Bool {
    guard let column = header.plan.roles.firstIndex(of: .date),
      set(column, ranges[column], of: line, place.number, &state)
    else { return false }
    for group in header.wide {
      state.beginCells()
      var hasValue = false
      for (index, role) in group.columns {
        let text = line.part(ranges[index])
        if let reason = state.set(role, to: text, header.numbers[index]) {
          state.rows.reject(.line(place.number), column: "\(group.ticker)", value: text, reason)
          return false
        }
        if !DecimalParser.isMissing(text) { hasValue = true }
      }
      state.rows.attributes = group.attributes
      if hasValue { state.rows.commit(group.ticker, state.day, position: place.number) }
    }
    return true
  }
}
