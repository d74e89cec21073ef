/// Reads the rows of a table.
struct JSONRowReader {
  let table: JSONTable
  private let attributes: [Attribute?]
  private let needsTicker: Bool
  private var cells: CellSink
  private var cursor: JSONRowCursor

  init(_ table: JSONTable, _ options: ImportOptions) {
    self.table = table
    attributes = table.plan.roles.map(\.attribute)
    needsTicker = table.plan.hasTicker
    cursor = JSONRowCursor(table)
    cells = CellSink(rows: ParsedRows(), dates: table.dates, options, secondsEast: table.place.secondsEast)
    cells.rows.attributes = table.plan.attributes
  }

  /// Reads rows, and hands them to `take`, some thousands at a time.
  ///
  /// - Parameters:
  ///   - rows: the rows of the table's array that come next; nil for all rows of the table.
  ///   - count: how many rows the document has before these.
  /// - Returns: how many rows it has up to here.
  mutating func read(
    _ rows: JSONNode? = nil, after count: Int, _ take: (ParsedRows) throws(ImportError) -> Void
  ) throws(ImportError) -> Int {
    if let rows { cursor.goOn(with: rows) }
    var position = count
    while true {
      do throws(JSONRowCursor.BadRow) {
        guard try cursor.next() else { break }
        position += 1
        readRow(cursor.cells, position)
      } catch {
        position += 1
        cells.rows.reject(.row(position), column: nil, value: error.value.utf8, error.reason)
      }
      if cells.rows.isFull { try take(cells.rows) }
    }
    try take(cells.rows)
    return position
  }

  /// The first rows, read as all are.
  mutating func sample() -> RowSample {
    var (cursor, sample, tries) = (JSONRowCursor(table), RowSample(columnCount: table.names.count), 0)
    var (lines, badLines) = ([[String?]](), [[String?]]())
    while lines.count < RowSample.rowCount, tries < 100 {
      tries += 1
      do throws(JSONRowCursor.BadRow) { if try !cursor.next() { break } } catch { continue }
      let count = cells.rows.count
      readRow(cursor.cells, tries)
      let texts = cursor.cells.map { RowSample.shown($0) }
      if cells.rows.count > count { lines.append(texts) } else { badLines.append(texts) }
    }
    let read = ReadRows(cells.rows)
    for (row, texts) in lines.enumerated() { sample.add(texts, table.plan.roles, row, of: read) }
    if lines.isEmpty {
      for texts in badLines.prefix(RowSample.rowCount) { sample.add(texts, table.plan.roles, nil, of: nil) }
    }
    cells.rows.removeAll()
    return sample
  }

  private mutating func readRow(_ nodes: [JSONNode?], _ position: Int) {
    cells.beginRow()
    for (column, role) in table.plan.roles.enumerated() where role != .ignored {
      guard let node = nodes[column] else { continue }
      if let reason = set(node, role, column) { return reject(position, column, node, reason) }
      if table.isRagged, let attribute = attributes[column] { cells.attributes.insert(attribute) }
    }
    guard cells.hasDay else { return reject(position, nil, nil, DayParser.missing) }
    if needsTicker, cells.ticker == nil { return reject(position, nil, nil, TickerParser.missing) }
    setEvents()
    if table.isRagged { cells.rows.attributes = cells.attributes }
    cells.rows.commit(cells.ticker, cells.day, position: position)
  }

  private func reject(_ position: Int, _ column: Int?, _ node: JSONNode?, _ reason: String) {
    let value = node?.withText { Array($0.prefix(ShownText.byteCount)) } ?? []
    cells.rows.reject(.row(position), column: column.map { table.names[$0] }, value: value, reason)
  }

  /// Sets a cell, and returns the reason if it is bad.
  @inline(__always)
  private mutating func set(_ node: JSONNode, _ role: ColumnRole, _ column: Int) -> String? {
    switch role {
    case .date: setDay(node)
    case .ticker: setTicker(node)
    case .datePart, .ignored: nil
    case .double, .shares, .splits, .integer: setNumber(node, role, column)
    }
  }

  @inline(__always)
  private mutating func setNumber(_ node: JSONNode, _ role: ColumnRole, _ column: Int) -> String? {
    if cells.readsPlainNumbers, let count = cells.setPlainNumber(role, in: node.text.part(from: node.start)) {
      let end = node.start + count
      if end == node.text.count || !JSONNode.isInWord(node.text[end]) { return nil }
    }
    if node.isContainer { return DecimalParser.notANumber }
    let style = node.kind == .text ? table.numbers[column] : .plain
    return node.withText { cells.set(role, to: $0, style) }
  }

  private mutating func setDay(_ node: JSONNode) -> String? {
    switch node.kind {
    case .null: return DayParser.missing
    case .truth, .array, .object: return DayParser.wrongForm
    case .text, .number: break
    }
    return node.withText { cells.set(.date, to: $0) }
  }

  private mutating func setTicker(_ node: JSONNode) -> String? {
    switch node.kind {
    case .text: node.withText { cells.set(.ticker, to: $0) }
    case .null: TickerParser.missing
    case .number, .truth, .array, .object: TickerParser.notText
    }
  }

  /// Sets the cells of the day's dividends and splits.
  private mutating func setEvents() {
    if table.events.isEmpty { return }
    let day = "\(cells.day)"
    for (index, events) in table.events.enumerated() {
      let role = table.plan.roles[table.eventColumn(index)]
      _ = TextView.with(events.cells[day] ?? events.quiet) { cells.set(role, to: $0) }
    }
  }
}
