/// What the beginning of a text says of its table.
struct TableBeginning {
  /// What the lines before the rows are like.
  enum Form: String {
    case header = "CSV"
    case bulk = "CSV, Quandl's file of a whole database"
    case yfinance = "CSV, with yfinance's header of several lines"
    case wide = "CSV, a column for each ticker"
    case amiBroker = "AmiBroker's lines"
    case ledger = "Ledger's prices"
    case beancount = "Beancount's prices"
    case headerless = "CSV, rows without a header"
    case named = "CSV, rows whose columns the options name"
  }

  var header: CSVHeader
  var form = Form.header
  /// The lines that name the columns; nil if none does.
  var headerLines: ClosedRange<Int>?
  /// Where the rows start, and how many lines are before them.
  var start: Int
  var lineCount: Int
  /// What was passed over or guessed, as sentences.
  var notes: [String] = []
}

/// A line of a text, without what ends it.
struct TableLine {
  let text: TextView
  /// Where it and the next line start, and the line's number.
  let start: Int
  let next: Int
  let number: Int

  var isBlank: Bool { !text.contains { $0 > UInt8(ascii: " ") } }
}

/// Finds a table in a text: the lines before it, its header, and how its lines are cut into cells.
struct TableFinder {
  let options: ImportOptions
  let file: String
  /// How far down a header is looked for.
  static let lineCountMax = 200

  /// The table's beginning; nil if all lines are blank.
  ///
  /// - Parameter text: whole lines from the beginning of the file.
  func find(in text: TextView) throws(ImportError) -> TableBeginning? {
    var lines = Self.lines(of: text, countMax: options.skippedLineCount + Self.lineCountMax)[...]
    guard lines.count > options.skippedLineCount || text.isEmpty else { return nil }
    let skipped = lines.prefix(options.skippedLineCount)
    lines = lines.dropFirst(options.skippedLineCount)
    if !options.columnNames.isEmpty { return try withNames(skipped.last, lines.first) }
    while let line = lines.first, line.isBlank || isComment(line.text) { lines = lines.dropFirst() }
    guard let first = lines.first else { return nil }
    if let found = try special(first, lines) { return found }
    return try withHeader(lines, before: first)
  }

  static func lines(of text: TextView, countMax: Int) -> [TableLine] {
    var (lines, start) = ([TableLine](), 0)
    while start < text.count, lines.count < countMax {
      let end = text.lineEnd(from: start)
      let isCRLF = end > start && text[end - 1] == UInt8(ascii: "\r")
      let line = text.part(start..<(isCRLF ? end - 1 : end))
      let bare = lines.isEmpty ? CSVHeader.withoutMark(line) : line
      let next = min(end + 1, text.count)
      lines.append(TableLine(text: bare, start: start + line.count - bare.count, next: next, number: lines.count + 1))
      start = next
    }
    return lines
  }

  func isComment(_ line: TextView) -> Bool {
    let sign = options.comment ?? "#"
    return !sign.isEmpty && line.drop { $0 == UInt8(ascii: " ") }.starts(with: sign.utf8)
  }

  /// A table without a header, whose columns have the names of the options.
  private func withNames(_ before: TableLine?, _ first: TableLine?) throws(ImportError) -> TableBeginning {
    let names = options.columnNames
    let layout = options.layout ?? first.map { Self.layout(of: $0.text) } ?? .delimited(UInt8(ascii: ","))
    let header = try CSVHeader(names, layout, options, line: names.joined(separator: ","), file: file)
    return TableBeginning(header: header, form: .named, start: before?.next ?? 0, lineCount: before?.number ?? 0)
  }

  /// How a line seems to be cut into cells.
  static func layout(of line: TextView) -> CellLayout {
    let delimiter = CSVHeader.delimiter(of: line)
    if line.contains(delimiter) { return .delimited(delimiter) }
    return line.contains(UInt8(ascii: " ")) ? .spaces : .delimited(delimiter)
  }

  /// Tables that are known by their first line.
  private func special(
    _ first: TableLine, _ lines: ArraySlice<TableLine>
  ) throws(ImportError) -> TableBeginning? {
    if let header = try bulkHeader(first.text) {
      return TableBeginning(header: header, form: .bulk, start: first.next, lineCount: first.number).beginning(
        with: first)
    }
    if first.text.starts(with: "sep=".utf8), first.text.count == 5 {
      var next = self
      next.sign = first.text[4]
      return try next.withHeader(lines.dropFirst(), before: first)
    }
    if let found = try directives(first, lines) { return found }
    if let found = try amiBroker(lines) { return found }
    var reader = CSVHeaderReader(file: file, options: options)
    let second = lines.dropFirst().first { !$0.isBlank }
    guard reader.begins(with: first.text, then: second?.text, options.layout ?? Self.layout(of: first.text)) else {
      return nil
    }
    for line in lines.dropFirst() where !line.isBlank {
      if let header = try reader.take(line.text) {
        return TableBeginning(
          header: header, form: .yfinance, headerLines: first.number...line.number, start: line.next,
          lineCount: line.number)
      }
    }
    throw .noDateColumn(file: file, header: reader.shownLine)
  }

  /// The sign that a line `sep=;` says, as Excel writes it.
  private(set) var sign: UInt8?

  init(options: ImportOptions, file: String) { (self.options, self.file) = (options, file) }
}
