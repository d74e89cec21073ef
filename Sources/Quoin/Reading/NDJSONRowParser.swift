/// Turns lines such as `{"ticker":"FDX","date":"2005-10-14","open":86.9,"close":null}` into rows.
///
/// A line is one object, whose values are numbers, null, true, false and texts. Keys may come in any order or be absent. A key
/// that is no attribute's is ignored and remembered; its value may also be an array or an object. Numbers are read as in CSV.
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

  private static let notAnObject = "not a JSON object"

  private var keys: [Key] = []
  private let options: ImportOptions
  /// Whether the first line was looked at, and whether its names are short ones.
  private var hasBegun = false
  private var namesAreShort = false
  private var times = EpochReader()
  /// What the first line says in place of quotes.
  private(set) var message: JSONMessage?
  /// Whether the first row names its ticker; nil as long as there is none. If it does, all rows have to.
  private(set) var namesTicker: Bool?

  /// - Parameter options: what the caller says of keys and dates.
  init(file: String, _ options: ImportOptions = ImportOptions(), lineByteCountMax: Int) {
    self.file = file
    self.options = options
    self.lineByteCountMax = lineByteCountMax
  }

  /// Parses lines into `rows`; see `CSVRowParser.parse` for what is returned.
  mutating func parse(
    _ text: TextView, firstLine: Int, into rows: ParsedRows
  ) throws(ImportError) -> (byteCount: Int, lineCount: Int) {
    var cells = CellSink(rows: rows, dates: options.dates)
    var (offset, lineCount) = (0, 0)
    while offset < text.count, !rows.isFull {
      let end = text.lineEnd(from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let line = CSVHeader.withoutMark(text.part(offset..<end))
      if line.contains(where: { $0 > UInt8(ascii: " ") }) {
        if !hasBegun { begin(line) }
        parseLine(line, number: firstLine + lineCount, &cells)
      }
      offset = end + 1
      lineCount += 1
    }
    return (min(offset, text.count), lineCount)
  }

  private mutating func parseLine(_ line: TextView, number: Int, _ cells: inout CellSink) {
    var scanner = LineScanner(line)
    cells.beginRow()
    do throws(BadCell) {
      try parseObject(&scanner, &cells)
      guard cells.hasDay else { throw BadCell(reason: DayParser.missing) }
      if namesTicker == true, options.ticker == nil, cells.ticker == nil { throw BadCell(reason: TickerParser.missing) }
      namesTicker = namesTicker ?? (cells.ticker != nil)
      cells.rows.attributes = cells.attributes
      cells.rows.commit(cells.ticker, cells.day, position: number)
    } catch {
      cells.rows.reject(
        .line(number), column: error.column, value: error.value ?? Array(line.prefix(ShownText.byteCount)),
        error.reason)
    }
  }

  private mutating func parseObject(_ scanner: inout LineScanner, _ cells: inout CellSink) throws(BadCell) {
    guard scanner.take("{") else { throw BadCell(reason: Self.notAnObject) }
    var index = 0
    if !scanner.take("}") {
      repeat {
        let (name, role, attribute) = try takeKey(&scanner, index)
        try parseValue(&scanner, name, role, &cells)
        if let attribute { cells.attributes.insert(attribute) }
        index += 1
      } while scanner.take(",")
      guard scanner.take("}") else { throw BadCell(reason: Self.notAnObject) }
    }
    guard scanner.isAtEnd else { throw BadCell(reason: Self.notAnObject) }
  }

  private mutating func parseValue(
    _ scanner: inout LineScanner, _ name: TextView, _ role: ColumnRole, _ cells: inout CellSink
  ) throws(BadCell) {
    if let rest = scanner.rest, let byteCount = cells.setPlainNumber(role, in: rest), scanner.skipValue(byteCount) {
      return
    }
    let isText = scanner.isAtText
    guard let value = isText ? scanner.takeText() : scanner.takeWord() ?? scanner.takeContainer() else {
      throw BadCell(reason: Self.notAnObject)
    }
    if role == .ignored { return }
    let isContainer = !isText && JSONNode.isContainer(value)
    let shown = isContainer ? Array(JSONNode.shownContainer.utf8) : Array(value.prefix(ShownText.byteCount))
    guard let reason = isContainer ? Self.mismatch(role) : set(role, to: value, isText: isText, &cells) else { return }
    throw BadCell(column: ShownText.sanitized(name), value: shown, reason: reason)
  }

  private mutating func set(_ role: ColumnRole, to value: TextView, isText: Bool, _ cells: inout CellSink) -> String? {
    let isNull = !isText && value.elementsEqual("null".utf8)
    if let reason = Self.mismatch(role, isText: isText, isNull: isNull) { return reason }
    if isText, value.contains(UInt8(ascii: "\\")) {
      return TextView.with(JSONNode.unescaped(value)) { set(role, to: $0, isText: true, &cells) }
    }
    guard role == .date, options.dateFormat == nil, value.count > 8 else { return cells.set(role, to: value) }
    switch times.day(value) {
    case .value(let day): return TextView.with(day) { cells.set(role, to: $0) }
    case .missing: return cells.set(role, to: value)
    case .bad(let reason): return reason
    }
  }

  /// The reason why a value of this kind is none of its column's, if so.
  private static func mismatch(_ role: ColumnRole, isText: Bool, isNull: Bool) -> String? {
    switch role {
    case .datePart, .ignored: nil
    case .date: isNull ? DayParser.missing : nil
    case .ticker: isText ? nil : isNull ? TickerParser.missing : TickerParser.notText
    case .double, .shares, .splits, .integer: nil
    }
  }

  /// The reason why an array or object is no value of a column.
  private static func mismatch(_ role: ColumnRole) -> String {
    switch role {
    case .date: DayParser.wrongForm
    case .ticker: TickerParser.notText
    case .double, .shares, .splits, .integer, .datePart, .ignored: DecimalParser.notANumber
    }
  }

  /// Looks at the first line, whose names say together what each of them means.
  private mutating func begin(_ line: TextView) {
    hasBegun = true
    var checker = JSONChecker(line)
    do throws(JSONFault) { try checker.checkValue() } catch { return }
    guard let object = JSONNode(sequence: line).firstElement, object.kind == .object else { return }
    var names = JSONNames()
    names.insert(object)
    namesAreShort = JSONColumnName.areShort(names.names)
    do throws(ImportError) {
      let table = try JSONTable(.object(object), names, at: JSONPlace(), options, file: file)
      for (name, role) in zip(table.rawNames, table.plan.roles) { _ = addKey(Array(name.utf8), role) }
    } catch {
      // A line may lack what makes a quote, so its names are looked up one by one.
      if case .noDateColumn = error { message = JSONMessage(in: object) }
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
        throw BadCell(reason: Self.notAnObject)
      }
    guard scanner.take(":") else { throw BadCell(reason: Self.notAnObject) }
    return (name, key.role, key.attribute)
  }

  private mutating func key(named name: TextView) -> Key {
    if let known = keys.first(where: { name.isEqual(to: $0.text) }) { return known }
    let text = String(decoding: name, as: UTF8.self)
    let plain = JSONColumnName.plain(text, isShort: namesAreShort)
    return addKey(Array(name), options.columnUses[text].map { ColumnRole($0) } ?? ColumnRole(named: plain))
  }

  private mutating func addKey(_ text: [UInt8], _ role: ColumnRole) -> Key {
    let key = Key(text: text, role: role, attribute: role.attribute)
    if keys.count < Limits.memberNameCount { keys.append(key) }
    return key
  }
}

/// The reason why an object is bad, and the value to show.
private struct BadCell: Error {
  var column: String?
  var value: [UInt8]?
  let reason: String
}
