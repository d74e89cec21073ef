/// Turns lines of CSV into rows: a pure function of the header and a range of bytes.
///
///     for each line of the text:
///       if all its cells are plain, read them one after the other: where a cell ends, the next one starts
///       else find the line's end, and for each column of the header:
///         read the cell the fast way; if it does not end at a delimiter, cut it out and read it the careful way
///       the row counts if every cell was good and the line ends with the last one
struct CSVRowParser: Sendable {
  let header: CSVHeader
  let file: String
  let lineByteCountMax: Int
  private let cells: CSVCells
  let powers = powersOfTen
  let steps: [Step]
  let isWIKI: Bool
  /// The cells `0.0` and `1.0` with the delimiter behind them.
  let quietZero: UInt32
  let quietOne: UInt32

  init(header: CSVHeader, file: String, lineByteCountMax: Int) {
    self.header = header
    self.file = file
    self.lineByteCountMax = lineByteCountMax
    cells = CSVCells(delimiter: header.delimiter)
    steps = header.plan.roles.map { Step($0) }
    isWIKI = steps == Self.wikiSteps
    quietZero = UInt32(header.delimiter) << 24 | 0x30_2E_30
    quietOne = UInt32(header.delimiter) << 24 | 0x30_2E_31
  }

  /// Parses lines into `rows` until the text ends or `rows` is full.
  ///
  /// The last line may lack its line feed, but one line feed must be readable after the text's end, and behind it as
  /// many bytes as `DecimalWords` reads.
  ///
  /// - Returns: how many bytes and how many lines were parsed.
  func parse(
    _ text: UnsafeRawBufferPointer, firstLine: Int, into rows: ParsedRows
  ) throws(ImportError) -> (byteCount: Int, lineCount: Int) {
    guard let base = text.baseAddress else { return (0, 0) }
    var state = State(rows: rows)
    var (offset, lineCount) = (0, 0)
    while offset < text.count, !rows.isFull {
      var number = firstLine + lineCount
      unsafe offset = parsePlainLines(from: base + offset, to: base + text.count, &number, &state) - base
      lineCount = number - firstLine
      guard offset < text.count, !rows.isFull else { break }
      let end = unsafe LineReader.lineEnd(in: text, from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let isCRLF = unsafe end > offset && text[end - 1] == UInt8(ascii: "\r")
      let line = unsafe UnsafeRawBufferPointer(start: base + offset, count: end - offset - (isCRLF ? 1 : 0))
      unsafe parseLine(line, number: firstLine + lineCount, &state)
      offset = end + 1
      lineCount += 1
    }
    return (min(offset, text.count), lineCount)
  }

  /// What one row leaves for the next, and what the row has so far.
  struct State {
    let rows: ParsedRows
    var days = DayParser()
    var tickers = TickerParser()
    var ticker: TickerSymbol?
    var day = TradingDay.earliest
    var lineNumber = 0

    init(rows: ParsedRows) { self.rows = rows }
  }

  @inline(__always)
  private func parseLine(_ line: UnsafeRawBufferPointer, number: Int, _ state: inout State) {
    // Sound: offsets stay within the line, behind which there are readable bytes, as `TextPiece` says.
    guard let base = unsafe line.baseAddress?.assumingMemoryBound(to: UInt8.self), unsafe !isBlank(line) else { return }
    state.lineNumber = number
    var offset = 0
    let columnCount = header.plan.roles.count
    for column in 0..<columnCount {
      if column > 0 {
        guard offset < line.count else { return unsafe rejectCount(line, state) }
        offset += 1
      }
      let end =
        unsafe parseFast(base, line.count, offset, column, &state) ?? parseCarefully(line, offset, column, &state)
      guard let end else { return }
      offset = end
    }
    guard offset == line.count else { return unsafe rejectCount(line, state) }
    state.rows.commit(state.ticker, state.day, position: number)
  }

  /// Reads a plain cell, and returns where its delimiter is; nil when the cell is not plain.
  @inline(__always)
  private func parseFast(
    _ base: UnsafePointer<UInt8>, _ count: Int, _ offset: Int, _ column: Int, _ state: inout State
  ) -> Int? {
    let start = unsafe base + offset
    let end: Int
    switch header.plan.roles[column] {
    case .double(let slot):
      let decimal = unsafe PlainDecimal(at: start)
      end = offset + decimal.byteCount
      guard let value = decimal.double(powers) else { return nil }
      state.rows.set(value, double: slot)
    case .integer(let slot):
      let decimal = unsafe PlainDecimal(at: start)
      end = offset + decimal.byteCount
      guard let value = decimal.volume else { return nil }
      state.rows.set(value, integer: slot)
    case .date:
      end = offset + 10
      guard end <= count, let day = unsafe state.days.day(at: start) else { return nil }
      state.day = day
    case .ticker:
      end = offset + state.tickers.byteCount
      guard end <= count, let ticker = unsafe state.tickers.repeated(at: start) else { return nil }
      state.ticker = ticker
    case .ignored:
      return nil
    }
    return unsafe end == count || base[end] == header.delimiter ? end : nil
  }

  /// Reads any cell, and returns where its delimiter is; nil when the cell is bad, which then has been said.
  @inline(never)
  private func parseCarefully(
    _ line: UnsafeRawBufferPointer, _ offset: Int, _ column: Int, _ state: inout State
  ) -> Int? {
    let (content, end) = unsafe cells.cell(of: line, from: offset)
    let text = unsafe UnsafeRawBufferPointer(rebasing: line[content])
    guard let reason = unsafe parse(text, header.plan.roles[column], &state) else { return end }
    unsafe state.rows.reject(.line(state.lineNumber), column: header.plan.names[column], value: text, reason)
    return nil
  }

  /// Reads a cell's content; the reason if it is bad.
  private func parse(_ text: UnsafeRawBufferPointer, _ role: ColumnRole, _ state: inout State) -> String? {
    switch role {
    case .double(let slot):
      switch unsafe DecimalParser.double(text) {
      case .value(let value): state.rows.set(value, double: slot)
      case .missing: state.rows.set(.missing, double: slot)
      case .bad(let reason): return reason
      }
    case .integer(let slot):
      switch unsafe DecimalParser.volume(text) {
      case .value(let value): state.rows.set(value, integer: slot)
      case .missing: state.rows.set(.missing, integer: slot)
      case .bad(let reason): return reason
      }
    case .date:
      switch unsafe state.days.parse(text) {
      case .value(let day): state.day = day
      case .missing: return DayParser.missing
      case .bad(let reason): return reason
      }
    case .ticker:
      do throws(TickerSymbolError) { state.ticker = try unsafe state.tickers.parse(text) } catch {
        return error.description
      }
    case .ignored: break
    }
    return nil
  }

  private func rejectCount(_ line: UnsafeRawBufferPointer, _ state: State) {
    var (count, offset) = (0, 0)
    while offset <= line.count {
      offset = unsafe cells.cell(of: line, from: offset).end + 1
      count += 1
    }
    let reason = "\(count) cell\(count == 1 ? "" : "s") where the header has \(header.plan.roles.count)"
    unsafe state.rows.reject(.line(state.lineNumber), column: nil, value: line, reason)
  }

  private func isBlank(_ line: UnsafeRawBufferPointer) -> Bool {
    guard let first = unsafe line.first else { return true }
    guard first <= UInt8(ascii: " ") else { return false }
    return unsafe line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r") }
  }
}

/// Reads ticker symbols, and knows the last one by its spelling.
struct TickerParser {
  static let missing = "the ticker is missing"
  static let notText = "a ticker is a text in quotes"

  private(set) var symbol: TickerSymbol?
  private var spelling: [UInt8] = []
  /// The spelling's first bytes, at most 8, and which bits of a word they take.
  private var word: UInt64 = 0
  private var mask: UInt64 = 0

  /// Bytes of the last spelling.
  var byteCount: Int { spelling.count }

  /// The last symbol if its spelling is at `start`, where `byteCount` bytes can be read.
  @inline(__always)
  func repeated(at start: UnsafePointer<UInt8>) -> TickerSymbol? {
    for index in spelling.indices where unsafe start[index] != spelling[index] { return nil }
    return symbol
  }

  /// Whether the last symbol's spelling is at `start`, where 8 bytes can be read, and as many as there are before the
  /// next line feed. What follows it has to be looked at.
  @inline(__always)
  func isRepeated(at start: UnsafeRawPointer) -> Bool {
    let text = unsafe UInt64(littleEndian: start.loadUnaligned(as: UInt64.self))
    guard (text ^ word) & mask == 0, mask != 0 else { return false }
    return unsafe byteCount <= 8 || repeated(at: start.assumingMemoryBound(to: UInt8.self)) != nil
  }

  mutating func parse(_ text: UnsafeRawBufferPointer) throws(TickerSymbolError) -> TickerSymbol {
    let parsed = try unsafe TickerSymbol(utf8: text)
    unsafe spelling.replaceSubrange(0..., with: text)
    symbol = parsed
    word = spelling.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    mask = .max >> UInt64(64 - 8 * min(spelling.count, 8))
    return parsed
  }
}
