/// Turns lines such as `{"ticker":"FDX","date":"2005-10-14","open":86.9,"close":null}` into rows.
///
/// A line is one flat object: its values are numbers, null, true, false and texts. Keys may come in any order or be absent.
/// A key that is no attribute's is ignored and remembered. Numbers are read as in CSV. Texts aren't unescaped, because
/// tickers and dates need no escapes.
struct NDJSONRowParser {
  let file: String
  let lineByteCountMax: Int
  /// The keys so far, and what each was taken for.
  var columns: [ImportedFile.Column] {
    keys.map { ImportedFile.Column(ShownText.sanitized($0.text, byteCount: 100), $0.role) }
  }

  private struct Key {
    let text: [UInt8]
    let role: ColumnRole
    let attribute: Attribute?
  }

  private static let notFlat = "not a flat JSON object"

  private var keys: [Key] = []

  private let uses: [String: ImportedFile.Column.Use]
  private let dates: DateReading

  /// - Parameter options: what the caller says of keys and dates.
  init(file: String, _ options: ImportOptions = ImportOptions(), lineByteCountMax: Int) {
    self.file = file
    (uses, dates) = (options.columnUses, options.dates)
    self.lineByteCountMax = lineByteCountMax
  }

  /// Parses lines into `rows`; see `CSVRowParser.parse` for what is returned.
  mutating func parse(
    _ text: TextView, firstLine: Int, needsTicker: Bool, into rows: ParsedRows
  ) throws(ImportError) -> (byteCount: Int, lineCount: Int) {
    var cells = CellSink(rows: rows, dates: dates)
    var (offset, lineCount) = (0, 0)
    while offset < text.count, !rows.isFull {
      let end = text.lineEnd(from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let line = CSVHeader.withoutMark(text.part(offset..<end))
      if line.contains(where: { $0 > UInt8(ascii: " ") }) {
        parseLine(line, number: firstLine + lineCount, needsTicker: needsTicker, &cells)
      }
      offset = end + 1
      lineCount += 1
    }
    return (min(offset, text.count), lineCount)
  }

  private mutating func parseLine(
    _ line: TextView, number: Int, needsTicker: Bool, _ cells: inout CellSink
  ) {
    var scanner = LineScanner(line)
    cells.beginRow()
    do throws(BadCell) {
      try parseObject(&scanner, &cells)
      guard cells.hasDay else { throw BadCell(reason: DayParser.missing) }
      if needsTicker, cells.ticker == nil { throw BadCell(reason: TickerParser.missing) }
      cells.rows.attributes = cells.attributes
      cells.rows.commit(cells.ticker, cells.day, position: number)
    } catch {
      cells.rows.reject(
        .line(number), column: error.column, value: error.value ?? Array(line.prefix(ShownText.byteCount)),
        error.reason)
    }
  }

  private mutating func parseObject(_ scanner: inout LineScanner, _ cells: inout CellSink) throws(BadCell) {
    guard scanner.take("{") else { throw BadCell(reason: Self.notFlat) }
    var index = 0
    if !scanner.take("}") {
      repeat {
        let (name, role, attribute) = try takeKey(&scanner, index)
        try parseValue(&scanner, name, role, &cells)
        if let attribute { cells.attributes.insert(attribute) }
        index += 1
      } while scanner.take(",")
      guard scanner.take("}") else { throw BadCell(reason: Self.notFlat) }
    }
    guard scanner.isAtEnd else { throw BadCell(reason: Self.notFlat) }
  }

  private func parseValue(
    _ scanner: inout LineScanner, _ name: TextView, _ role: ColumnRole, _ cells: inout CellSink
  ) throws(BadCell) {
    if let rest = scanner.rest, let byteCount = cells.setPlainNumber(role, in: rest), scanner.skipValue(byteCount) {
      return
    }
    let isText = scanner.isAtText
    guard let value = isText ? scanner.takeText() : scanner.takeWord() else {
      throw BadCell(reason: Self.notFlat)
    }
    let isNull = !isText && value.elementsEqual("null".utf8)
    let reason = Self.mismatch(role, isText: isText, isNull: isNull) ?? cells.set(role, to: value)
    guard let reason else { return }
    throw BadCell(
      column: ShownText.sanitized(name), value: Array(value.prefix(ShownText.byteCount)), reason: reason)
  }

  /// The reason why a value of this kind is none of its column's, if so.
  private static func mismatch(_ role: ColumnRole, isText: Bool, isNull: Bool) -> String? {
    switch role {
    case .datePart, .ignored: nil
    case .date: isText ? nil : isNull ? DayParser.missing : DayParser.wrongForm
    case .ticker: isText ? nil : isNull ? TickerParser.missing : TickerParser.notText
    case .double, .shares, .splits, .integer: nil
    }
  }

  /// The next key and its role. Objects repeat their keys in order, so the key at the same index is tried first.
  @inline(__always)
  private mutating func takeKey(_ scanner: inout LineScanner, _ index: Int) throws(BadCell) -> (
    TextView, ColumnRole, Attribute?
  ) {
    let (name, key) =
      if index < keys.count, let name = scanner.takeText(equalTo: keys[index].text) {
        (name, keys[index])
      } else if let name = scanner.takeText() {
        (name, key(named: name))
      } else {
        throw BadCell(reason: Self.notFlat)
      }
    guard scanner.take(":") else { throw BadCell(reason: Self.notFlat) }
    return (name, key.role, key.attribute)
  }

  private mutating func key(named name: TextView) -> Key {
    if let known = keys.first(where: { name.isEqual(to: $0.text) }) { return known }
    let text = String(decoding: name, as: UTF8.self)
    let role = uses[text].map { ColumnRole($0) } ?? ColumnRole(named: text)
    let key = Key(text: Array(name), role: role, attribute: role.attribute)
    guard keys.count < Limits.memberNameCount else { return key }
    keys.append(key)
    return key
  }
}

/// The reason why an object is bad, and the value to show.
private struct BadCell: Error {
  var column: String?
  var value: [UInt8]?
  let reason: String
}
