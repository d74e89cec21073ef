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
  private let cells: CSVCells
  let powers = powersOfTen
  let steps: [Step]
  /// Whether the columns are those of the WIKI table, perhaps with others after them.
  let isWIKI: Bool
  let wikiStepCount = wikiSteps.count
  /// The place of the first int64 attribute among the cells of a row.
  let firstInteger = Attribute.doubleCount
  /// The cells `0.0` and `1.0`, each with the delimiter after it.
  let quietZero: UInt32
  let quietOne: UInt32

  init(header: CSVHeader, file: String, lineByteCountMax: Int) {
    self.header = header
    self.file = file
    self.lineByteCountMax = lineByteCountMax
    cells = CSVCells(delimiter: header.delimiter)
    steps = header.plan.roles.map { Step($0) }
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
    var state = CellSink(rows: rows, dates: header.dates)
    var (offset, lineCount) = (0, 0)
    while offset < text.count, !rows.isFull {
      var number = firstLine + lineCount
      offset = parsePlainLines(of: text, from: offset, &number, &state)
      lineCount = number - firstLine
      guard offset < text.count, !rows.isFull else { break }
      let end = text.lineEnd(from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let isCRLF = end > offset && text[end - 1] == UInt8(ascii: "\r")
      let line = text.part(offset..<(isCRLF ? end - 1 : end))
      parseLine(line, number: firstLine + lineCount, &state)
      offset = end + 1
      lineCount += 1
    }
    return (min(offset, text.count), lineCount)
  }

  @inline(__always)
  private func parseLine(_ line: TextView, number: Int, _ state: inout CellSink) {
    guard !isBlank(line) else { return }
    var offset = 0
    let columnCount = header.plan.roles.count
    for column in 0..<columnCount {
      if column > 0 {
        guard offset < line.count else { return rejectCount(line, number, state) }
        offset += 1
      }
      let end = parseFast(line, offset, column, &state) ?? parseCarefully(line, number, offset, column, &state)
      guard let end else { return }
      offset = end
    }
    guard offset == line.count else { return rejectCount(line, number, state) }
    state.rows.commit(state.ticker, state.day, position: number)
  }

  /// Reads a plain cell, and returns where its delimiter is; nil if the cell isn't plain.
  @inline(__always)
  private func parseFast(_ line: TextView, _ offset: Int, _ column: Int, _ state: inout CellSink) -> Int? {
    let end: Int
    switch header.plan.roles[column] {
    case .double, .shares, .integer, .splits:
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
    case .ignored:
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
    let text = line.part(content)
    let role = header.plan.roles[column]
    let reason =
      if header.hasDecimalCommas, role.attribute != nil, let number = DecimalParser.withDecimalPoint(text) {
        TextView.with(number) { state.set(role, to: $0) }
      } else {
        state.set(role, to: text)
      }
    guard let reason else { return end }
    state.rows.reject(.line(number), column: header.plan.names[column], value: text, reason)
    return nil
  }

  private func rejectCount(_ line: TextView, _ number: Int, _ state: CellSink) {
    var (count, offset) = (0, 0)
    while offset <= line.count {
      offset = cells.cell(of: line, from: offset).end + 1
      count += 1
    }
    let reason = "\(count) cell\(count == 1 ? "" : "s") where the header has \(header.plan.roles.count)"
    state.rows.reject(.line(number), column: nil, value: line, reason)
  }

  private func isBlank(_ line: TextView) -> Bool {
    guard let first = line.first else { return true }
    guard first <= UInt8(ascii: " ") else { return false }
    return line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
  }
}
