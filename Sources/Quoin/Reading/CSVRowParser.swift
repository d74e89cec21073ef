/// Turns lines of CSV into rows: a pure function of the header and a range of bytes.
///
///     for each line of the text:
///       if all its cells are plain, read them one after the other: each starts where the one before ends
///       else find the line's end, and for each column of the header:
///         read the cell the fast way; if it doesn't end at a delimiter, cut it out and read it the careful way
///       the row counts if every cell is good and the line ends with the last one
struct CSVRowParser: Sendable {
  let header: CSVHeader
  let file: String
  let lineByteCountMax: Int
  let options: ImportOptions
  let cells: CSVCells
  let powers = powersOfTen
  let steps: [Step]
  /// Whether the columns are those of the WIKI table, perhaps with others after them.
  let isWIKI: Bool
  let wikiStepCount = wikiSteps.count
  /// The place of the first int64 attribute among the cells of a row.
  let firstInteger = Attribute.doubleCount
  /// The column of the time of the day, if rows are bars of parts of a day.
  private let clock: Int?
  /// The cells `0.0` and `1.0`, each with the delimiter after it.
  let quietZero: UInt32
  let quietOne: UInt32

  init(header: CSVHeader, file: String, options: ImportOptions = ImportOptions(), lineByteCountMax: Int) {
    self.header = header
    self.options = options
    self.file = file
    self.lineByteCountMax = lineByteCountMax
    cells = CSVCells(delimiter: header.delimiter)
    clock = options.makesDaysOfBars ? header.plan.clock : nil
    let isPlain = options.missingWords.isEmpty && !options.makesDaysOfBars && header.wide.isEmpty
    steps =
      header.layout == .delimited(header.delimiter) && isPlain
      ? zip(header.plan.roles, header.numbers).map { Step($0, $1) } : header.plan.roles.map { _ in .careful }
    isWIKI = steps.starts(with: Self.wikiSteps)
    quietZero = UInt32(header.delimiter) << 24 | 0x30_2E_30
    quietOne = UInt32(header.delimiter) << 24 | 0x30_2E_31
  }

  /// Parses lines into `rows` until the text ends or `rows` is full.
  ///
  /// The text is the rest of a `TextChunk`: its last line may lack its line feed, but bytes after it are readable.
  ///
  /// - Returns: the numbers of bytes and lines that were parsed.
  func parse(
    _ text: TextView, firstLine: Int, into rows: ParsedRows
  ) throws(ImportError) -> (byteCount: Int, lineCount: Int) {
    var state = CellSink(rows: rows, dates: header.dates, options)
    state.tickerSuffix = header.plan.tickerSuffix
    var (offset, lineCount) = (0, 0)
    while offset < text.count, hasRoom(rows) {
      if passBlankLine(of: text, &offset) {
        lineCount += 1
        continue
      }
      var number = firstLine + lineCount
      offset = parsePlainLines(of: text, from: offset, &number, &state)
      lineCount = number - firstLine
      guard offset < text.count, hasRoom(rows) else { break }
      let end = text.lineEnd(from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let isCRLF = end > offset && text[end - 1] == UInt8(ascii: "\r")
      let line = text.part(offset..<(isCRLF ? end - 1 : end))
      let place = LinePlace(number: firstLine + lineCount, isCut: end == text.count)
      try parseLine(line, place, &state)
      offset = end + 1
      // A line break in quotation marks was made another sign, but counts.
      lineCount += 1 + (header.hasQuotedLineBreaks ? line.count { $0 == QuotedLineBreak.sign } : 0)
    }
    return (min(offset, text.count), lineCount)
  }

  /// Passes over the next line if it is empty: there may be very many of them.
  @inline(__always)
  private func passBlankLine(of text: TextView, _ offset: inout Int) -> Bool {
    let isCRLF = text[offset] == UInt8(ascii: "\r") && offset + 1 < text.count
    guard text[isCRLF ? offset + 1 : offset] == UInt8(ascii: "\n") else { return false }
    offset += isCRLF ? 2 : 1
    return true
  }

  private func hasRoom(_ rows: ParsedRows) -> Bool {
    header.wide.isEmpty ? !rows.isFull : rows.count + header.wide.count <= rows.capacity
  }

  /// Where a line is.
  struct LinePlace {
    let number: Int
    /// Whether it is the text's last one, without a line feed, so that something may be missing.
    let isCut: Bool
  }

  /// Reads a line that has something odd in it.
  private func parseLine(_ line: TextView, _ place: LinePlace, _ state: inout CellSink) throws(ImportError) {
    guard !isBlank(line) else { return }
    guard case .delimited = header.layout, header.wide.isEmpty, !header.hasDateParts else {
      return try parseRanges(line, place, &state)
    }
    let badCount = state.rows.badCount
    if parseCells(line, place, &state) { return state.rows.commit(state.ticker, state.day, position: place.number) }
    // Lines that are no rows are looked at only once they aren't good ones.
    if state.rows.badCount == badCount { return }
    try sortOutLine(line, place, &state)
  }

  /// Whether the line is a row; if not, it has been rejected.
  private func parseCells(_ line: TextView, _ place: LinePlace, _ state: inout CellSink) -> Bool {
    var offset = 0
    let columnCount = header.plan.roles.count
    for column in 0..<columnCount {
      if column > 0 {
        guard offset < line.count else { return parseShortRow(line, place, column, &state) }
        offset += 1
      }
      let end = parseFast(line, offset, column, &state) ?? parseCarefully(line, place.number, offset, column, &state)
      guard let end else { return false }
      offset = end
    }
    // Some programs end each line with a delimiter.
    if offset == line.count
      || !line.part(from: offset).contains(where: { $0 != header.delimiter && $0 > UInt8(ascii: " ") })
    {
      return true
    }
    rejectCount(line, place.number, state)
    return false
  }

  /// A row that ends before the header does: what follows is missing, unless it may have been cut off.
  private func parseShortRow(_ line: TextView, _ place: LinePlace, _ column: Int, _ state: inout CellSink) -> Bool {
    let roles = header.plan.roles
    let isEnough = roles[..<column].contains(.date) && roles[..<column].contains(where: \.isNumber)
    guard isEnough, !place.isCut, !roles[column...].contains(.ticker) else {
      rejectCount(line, place.number, state)
      return false
    }
    for role in roles[column...] { state.clear(role) }
    state.rows.notes.shortRowCount += 1
    return true
  }

  /// Reads a plain cell, and returns where its delimiter is; nil if the cell isn't plain.
  @inline(__always)
  private func parseFast(_ line: TextView, _ offset: Int, _ column: Int, _ state: inout CellSink) -> Int? {
    let end: Int
    switch steps[column] {
    case .double, .shares, .integer, .quiet:
      let text = line.part(from: offset)
      guard let byteCount = state.setPlainNumber(header.plan.roles[column], in: text) else { return nil }
      end = offset + byteCount
    case .date:
      end = offset + 10
      guard end <= line.count, let day = state.days.day(line.word(at: offset), line[end - 2], line[end - 1])
      else { return nil }
      state.day = day
    case .ticker:
      end = offset + state.tickers.byteCount
      guard end <= line.count, let ticker = state.tickers.repeated(line.part(offset..<end)) else { return nil }
      state.ticker = ticker
    case .skipped, .careful:
      return nil
    }
    return end == line.count || line[end] == header.delimiter ? end : nil
  }

  /// Reads any cell, and returns where its delimiter is; nil if the cell is bad, after rejecting the row.
  @inline(never)
  private func parseCarefully(
    _ line: TextView, _ number: Int, _ offset: Int, _ column: Int, _ state: inout CellSink
  ) -> Int? {
    let (content, end) = cells.cell(of: line, from: offset)
    return set(column, content, of: line, number, &state) ? end : nil
  }

  /// Sets a cell to the text in a range of the line; false if it is bad, after rejecting the row.
  func set(_ column: Int, _ range: Range<Int>, of line: TextView, _ number: Int, _ state: inout CellSink) -> Bool {
    let text = line.part(range)
    if column == clock, let seconds = TimeSurvey.seconds(ofClock: text) { state.rows.time = Int32(seconds) }
    guard let reason = state.set(header.plan.roles[column], to: text, header.numbers[column]) else { return true }
    state.rows.reject(.line(number), column: header.plan.names[column], value: text, reason)
    return false
  }

  func rejectCount(_ line: TextView, _ number: Int, _ state: CellSink) {
    let count = header.layout.cells(of: line).count
    let reason = "\(count) cell\(count == 1 ? "" : "s") where the header has \(header.plan.roles.count)"
    state.rows.reject(.line(number), column: nil, value: line, reason)
  }

  private func isBlank(_ line: TextView) -> Bool {
    guard let first = line.first else { return true }
    guard first <= UInt8(ascii: " ") else { return false }
    return line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
  }
}
