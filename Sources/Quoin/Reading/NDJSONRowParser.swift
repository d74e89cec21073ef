/// Turns lines such as `{"ticker":"FDX","date":"2005-10-14","open":86.9,"close":null}` into rows.
///
/// A line is one flat object: its values are numbers, null, true, false and texts. Keys may come in any order and may
/// lack; one that no attribute has is passed over and remembered. Numbers are read as in CSV, and no text is unescaped:
/// a ticker or a date needs no escape.
struct NDJSONRowParser {
  let file: String
  let lineByteCountMax: Int
  /// Keys that no attribute has.
  private(set) var ignoredNames: [String] = []

  private struct Key {
    let text: [UInt8]
    let role: ColumnRole
  }

  private static let keyCountMax = 256
  private static let notFlat = "not a flat JSON object"

  private var keys: [Key] = []
  private var days = DayParser()
  private var tickers = TickerParser()
  private let powers = powersOfTen

  init(file: String, lineByteCountMax: Int) {
    self.file = file
    self.lineByteCountMax = lineByteCountMax
  }

  /// Parses lines into `rows`; see `CSVRowParser.parse` for what must be readable and what is returned.
  mutating func parse(
    _ text: UnsafeRawBufferPointer, firstLine: Int, needsTicker: Bool, into rows: ParsedRows
  ) throws(ImportError) -> (byteCount: Int, lineCount: Int) {
    var (offset, lineCount) = (0, 0)
    while offset < text.count, !rows.isFull {
      let end = unsafe LineReader.lineEnd(in: text, from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let line = unsafe CSVHeader.withoutMark(UnsafeRawBufferPointer(rebasing: text[offset..<end]))
      if unsafe line.contains(where: { $0 > UInt8(ascii: " ") }) {
        unsafe parseLine(line, number: firstLine + lineCount, needsTicker: needsTicker, rows)
      }
      offset = end + 1
      lineCount += 1
    }
    return (min(offset, text.count), lineCount)
  }

  /// What an object has said so far.
  private struct Row {
    var ticker: TickerSymbol?
    var day: TradingDay?
  }

  private mutating func parseLine(
    _ line: UnsafeRawBufferPointer, number: Int, needsTicker: Bool, _ rows: ParsedRows
  ) {
    var scanner = unsafe LineScanner(line)
    var row = Row()
    rows.clearNext()
    do throws(BadCell) {
      try parseObject(&scanner, &row, rows)
      guard let day = row.day else { throw BadCell(reason: DayParser.missing) }
      if needsTicker, row.ticker == nil { throw BadCell(reason: TickerParser.missing) }
      rows.commit(row.ticker, day, position: number)
    } catch {
      rows.reject(
        .line(number), column: error.column, value: unsafe error.value ?? Array(line.prefix(ShownText.byteCount)),
        error.reason)
    }
  }

  private mutating func parseObject(
    _ scanner: inout LineScanner, _ row: inout Row, _ rows: ParsedRows
  ) throws(BadCell) {
    guard scanner.take("{") else { throw BadCell(reason: Self.notFlat) }
    var index = 0
    if !scanner.take("}") {
      repeat {
        guard let name = unsafe scanner.takeText(), scanner.take(":") else {
          throw BadCell(reason: Self.notFlat)
        }
        let role = unsafe role(of: name, index: index)
        try unsafe parseValue(&scanner, name, role, &row, rows)
        index += 1
      } while scanner.take(",")
      guard scanner.take("}") else { throw BadCell(reason: Self.notFlat) }
    }
    guard scanner.isAtEnd else { throw BadCell(reason: Self.notFlat) }
  }

  private mutating func parseValue(
    _ scanner: inout LineScanner, _ name: UnsafeRawBufferPointer, _ role: ColumnRole, _ row: inout Row,
    _ rows: ParsedRows
  ) throws(BadCell) {
    if parseFast(&scanner, role, rows) { return }
    let isText = scanner.isAtText
    guard let value = unsafe isText ? scanner.takeText() : scanner.takeWord() else {
      throw BadCell(reason: Self.notFlat)
    }
    let isNull = unsafe !isText && value.elementsEqual("null".utf8)
    guard let reason = unsafe parse(value, isText: isText, isNull: isNull, role, &row, rows) else { return }
    throw unsafe BadCell(
      column: ShownText.sanitized(name), value: Array(value.prefix(ShownText.byteCount)), reason: reason)
  }

  /// Reads a plain number; false leaves the scanner where it is.
  @inline(__always)
  private func parseFast(_ scanner: inout LineScanner, _ role: ColumnRole, _ rows: ParsedRows) -> Bool {
    guard let start = unsafe scanner.valueStart else { return false }
    switch role {
    case .double(let slot):
      let decimal = unsafe PlainDecimal(at: start)
      guard let value = decimal.double(powers), scanner.skipValue(decimal.byteCount) else { return false }
      rows.set(value, double: slot)
    case .integer(let slot):
      let decimal = unsafe PlainDecimal(at: start)
      guard let value = decimal.volume, scanner.skipValue(decimal.byteCount) else { return false }
      rows.set(value, integer: slot)
    case .ticker, .date, .ignored: return false
    }
    return true
  }

  /// Reads any value; the reason if it is bad.
  private mutating func parse(
    _ value: UnsafeRawBufferPointer, isText: Bool, isNull: Bool, _ role: ColumnRole, _ row: inout Row,
    _ rows: ParsedRows
  ) -> String? {
    switch role {
    case .ignored: return nil
    case .date:
      guard isText else { return isNull ? DayParser.missing : DayParser.wrongForm }
      switch unsafe days.parse(value) {
      case .value(let day): row.day = day
      case .missing: return DayParser.missing
      case .bad(let reason): return reason
      }
    case .ticker:
      guard isText else { return isNull ? TickerParser.missing : TickerParser.notText }
      do throws(TickerSymbolError) { row.ticker = try unsafe tickers.parse(value) } catch { return error.description }
    case .double(let slot):
      guard !isText else { return DecimalParser.notANumber }
      switch unsafe DecimalParser.double(value) {
      case .value(let number): rows.set(number, double: slot)
      case .missing: rows.set(.missing, double: slot)
      case .bad(let reason): return reason
      }
    case .integer(let slot):
      guard !isText else { return DecimalParser.notANumber }
      switch unsafe DecimalParser.volume(value) {
      case .value(let number): rows.set(number, integer: slot)
      case .missing: rows.set(.missing, integer: slot)
      case .bad(let reason): return reason
      }
    }
    return nil
  }

  /// The role of a key. Objects repeat their keys in order, so the key at the same index is tried first.
  private mutating func role(of name: UnsafeRawBufferPointer, index: Int) -> ColumnRole {
    if index < keys.count, unsafe name.elementsEqual(keys[index].text) { return keys[index].role }
    if let known = keys.first(where: { unsafe name.elementsEqual($0.text) }) { return known.role }
    let role = ColumnRole(named: unsafe String(decoding: name, as: UTF8.self))
    guard keys.count < Self.keyCountMax else { return role }
    unsafe keys.append(Key(text: Array(name), role: role))
    if role == .ignored { unsafe ignoredNames.append(ShownText.sanitized(name, byteCount: 100)) }
    return role
  }
}

/// Why a value of an object is bad.
private struct BadCell: Error {
  var column: String?
  var value: [UInt8]?
  let reason: String
}
