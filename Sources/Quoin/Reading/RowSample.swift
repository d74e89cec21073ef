/// The first rows of a table with what an import makes of their cells: they are read by the parser that reads all.
struct RowSample {
  typealias Cell = ImportExplanation.Column.Cell

  static let rowCount = 3
  private static let cellByteCount = 24
  private static let lineByteCount = 1 << 16

  /// The cells of each column, at most three.
  private(set) var cells: [[Cell]]

  /// No rows of so many columns.
  init(columnCount: Int) { cells = Array(repeating: [], count: columnCount) }

  /// Adds a row.
  ///
  /// - Parameters:
  ///   - texts: the cells as they are written; nil for one that isn't there.
  ///   - row: the place among the rows that were read; nil if the row is bad.
  mutating func add(_ texts: [String?], _ roles: [ColumnRole], _ row: Int?, of read: ReadRows?) {
    for column in cells.indices where column < texts.count {
      guard let text = texts[column] else { continue }
      let value = row.flatMap { row in read?.text(of: roles[column], at: row) }
      cells[column].append(Cell(text: text, value: value))
    }
  }

  /// A cell's text, as it is shown.
  static func shown(_ text: TextView) -> String { ShownText.sanitized(text, byteCount: cellByteCount) }

  /// A value's text; nil if the row has none.
  static func shown(_ node: JSONNode?) -> String? {
    guard let node else { return nil }
    return node.isContainer ? JSONNode.shownContainer : node.withText { shown($0) }
  }

  /// Calls `body` with the first lines of a text, in memory as a reader hands it out.
  static func withFirstLines(of text: TextView, _ body: (TextView) -> Void) {
    var byteCount = min(text.count, lineByteCount)
    if byteCount < text.count {
      let whole = text.part(0..<byteCount).lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
      byteCount = whole ?? min(text.lineEnd(from: 0) + 1, text.count)
    }
    let chunk = TextChunk(capacity: byteCount)
    chunk.append(text.part(0..<byteCount))
    chunk.end(at: byteCount)
    chunk.withText { body($0) }
  }

  /// The rows of a table under a header.
  ///
  /// - Parameter text: the lines from the first row on.
  init(_ text: TextView, _ header: CSVHeader, _ options: ImportOptions, file: String) {
    let wide = header.wide.prefix(CSVHeader.shownTickerCount)
    let roles = header.wide.isEmpty ? header.plan.roles : [.date] + wide.flatMap { $0.columns.map(\.role) }
    let day = header.plan.roles.firstIndex(of: .date) ?? 0
    let places =
      header.wide.isEmpty ? Array(roles.indices) : [day] + wide.flatMap { $0.columns.map(\.index) }
    let owners: [TickerSymbol?] =
      header.wide.isEmpty
      ? [] : [nil] + wide.flatMap { group in group.columns.map { _ in group.ticker as TickerSymbol? } }
    self.init(columnCount: roles.count)
    var sample = self
    Self.withFirstLines(of: text) { text in
      let rows = ParsedRows(capacity: Self.rowCount * max(1, header.wide.count))
      rows.attributes = header.plan.attributes
      let parser = CSVRowParser(header: header, file: file, options: options, lineByteCountMax: Limits.csvLineByteCount)
      _ = try? parser.parse(text, firstLine: 1, into: rows)
      let read = ReadRows(rows)
      let wanted = Array(read.positions.prefix(Self.rowCount))
      for (number, line) in header.numberedLines(of: text)
      where wanted.isEmpty ? sample.count < Self.rowCount : wanted.contains(number) {
        let ranges = header.layout.cells(of: line)
        if ranges.count < 2 { continue }
        let texts = places.map { $0 < ranges.count ? Self.shown(line.part(ranges[$0])) : nil }
        guard owners.isEmpty else {
          sample.add(texts, roles, owners, read, at: number)
          continue
        }
        sample.add(texts, roles, read.row(at: number), of: read)
      }
    }
    self = sample
  }

  private var count: Int { cells.map(\.count).max() ?? 0 }

  /// Adds a line on which each ticker has a row of its own, or none.
  private mutating func add(
    _ texts: [String?], _ roles: [ColumnRole], _ owners: [TickerSymbol?], _ read: ReadRows, at number: Int
  ) {
    for column in cells.indices {
      guard let text = texts[column] else { continue }
      let row = read.row(at: number, of: owners[column])
      let value = row.flatMap { read.text(of: roles[column], at: $0) }
      cells[column].append(Cell(text: text, value: value))
    }
  }
}

/// Rows that a parser has read, to be asked for their cells.
struct ReadRows {
  private var columns = QuoteColumns()
  private var places: [Int] = []
  private var tickers: [TickerSymbol?] = []

  init(_ rows: ParsedRows) {
    for index in rows.tickerRanges.indices {
      let range = rows.rows(ofTickerRange: index)
      rows.append(rows: range, to: &columns, positions: &places)
      tickers += Array(repeating: rows.tickerRanges[index].ticker, count: range.count)
    }
  }

  var rowCount: Int { places.count }

  /// Where the rows are, each place once.
  var positions: [Int] {
    var positions: [Int] = []
    for place in places where positions.last != place { positions.append(place) }
    return positions
  }

  /// The row at a place, of any ticker or of this one.
  func row(at position: Int, of ticker: TickerSymbol? = nil) -> Int? {
    places.indices.first { places[$0] == position && (ticker == nil || tickers[$0] == ticker) }
  }

  /// What a cell was read as; nil if its column holds nothing of a quote's.
  func text(of role: ColumnRole, at row: Int) -> String? {
    switch role {
    case .ticker: return tickers[row].map { "\($0)" }
    case .date, .datePart: return "\(columns.dayValues[row])"
    case .ignored: return nil
    case .double, .shares, .splits, .integer: break
    }
    guard let attribute = role.attribute else { return nil }
    switch columns[column: attribute] {
    case .doubles(let values): return values[row].isNaN ? "missing" : attribute.text(of: values[row])
    case .integers(let values): return values[row] == .missing ? "missing" : "\(values[row])"
    }
  }
}

extension CSVHeader {
  /// The lines of a text, each with its number as the parser counts them.
  fileprivate func numberedLines(of text: TextView) -> [(number: Int, line: TextView)] {
    var (lines, start, number) = ([(number: Int, line: TextView)](), 0, 1)
    while start < text.count, lines.count < 1000 {
      let end = text.lineEnd(from: start)
      let line = text.part(start..<(end > start && text[end - 1] == UInt8(ascii: "\r") ? end - 1 : end))
      lines.append((number, line))
      number += 1 + (hasQuotedLineBreaks ? line.count { $0 == QuotedLineBreak.sign } : 0)
      start = end + 1
    }
    return lines
  }
}
