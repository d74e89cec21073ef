/// Turns lines such as `{"ticker":"FDX","date":"2005-10-14","open":86.9,"close":null}` into rows.
///
/// A line is one object, whose values are numbers, null, true, false and texts. Keys may come in any order or be absent. A key
/// that is no attribute's is ignored and remembered; its value may also be an array or an object. Values are read as in CSV, by the same survey of the first rows.
struct NDJSONRowParser {
  let file: String
  let lineByteCountMax: Int
  /// The keys so far, and what each was taken for.
  var columns: [ImportedFile.Column] {
    zip(names, keys).map { name, key in
      ImportedFile.Column(
        ShownText.sanitized(name, byteCount: 100), key.role, firstCell: firstCells.first { $0.name == name }?.cell)
    }
  }

  /// What a key means. It is copied for each value, so it has nothing that is counted.
  struct Key {
    let role: ColumnRole
    let attribute: Attribute?
    var style = NumberStyle.plain
  }

  private static let notAnObject = "not a JSON object"

  private(set) var names: [[UInt8]] = []
  private(set) var keys: [Key] = []
  private let options: ImportOptions
  /// What the first lines say of all; nil as long as nobody looked at them.
  private(set) var survey: (TableSurvey, ColumnPlan)?
  private(set) var notes: [String] = []
  /// The values of the first object.
  private var firstCells: [(name: [UInt8], cell: String)] = []
  private var hasBegun = false
  private var namesAreShort = false
  private var dates: DateReading
  /// What the first line says in place of quotes.
  private(set) var message: JSONMessage?
  /// Whether the first row names its ticker; nil as long as there is none. If it does, all rows have to.
  private(set) var namesTicker: Bool?

  /// - Parameter options: what the caller says of keys and dates.
  init(file: String, _ options: ImportOptions = ImportOptions(), lineByteCountMax: Int) {
    self.file = file
    self.options = options
    dates = options.dates
    self.lineByteCountMax = lineByteCountMax
  }

  /// Parses lines into `rows`; see `CSVRowParser.parse` for what is returned.
  mutating func parse(
    _ text: TextView, firstLine: Int, into rows: ParsedRows
  ) throws(ImportError) -> (byteCount: Int, lineCount: Int) {
    if !hasBegun { try begin(text) }
    var cells = CellSink(rows: rows, dates: dates, options)
    var (offset, lineCount) = (0, 0)
    while offset < text.count, !rows.isFull {
      let end = text.lineEnd(from: offset)
      if end - offset > lineByteCountMax {
        throw .lineTooLong(file: file, line: firstLine + lineCount, byteCountMax: lineByteCountMax)
      }
      let line = CSVHeader.withoutMark(text.part(offset..<end))
      if line.contains(where: { $0 > UInt8(ascii: " ") }) {
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
        let (name, key) = try takeKey(&scanner, index)
        try Self.parseValue(&scanner, name, key, &cells)
        if let attribute = key.attribute { cells.attributes.insert(attribute) }
        index += 1
      } while scanner.take(",")
      guard scanner.take("}") else { throw BadCell(reason: Self.notAnObject) }
    }
    guard scanner.isAtEnd else { throw BadCell(reason: Self.notAnObject) }
  }

  private static func parseValue(
    _ scanner: inout LineScanner, _ name: TextView, _ key: Key, _ cells: inout CellSink
  ) throws(BadCell) {
    let role = key.role
    if cells.readsPlainNumbers, let rest = scanner.rest, let byteCount = cells.setPlainNumber(role, in: rest),
      scanner.skipValue(byteCount)
    {
      return
    }
    let isText = scanner.isAtText
    guard let value = isText ? scanner.takeText() : scanner.takeWord() ?? scanner.takeContainer() else {
      throw BadCell(reason: notAnObject)
    }
    if role == .ignored { return }
    let isContainer = !isText && JSONNode.isContainer(value)
    guard let reason = isContainer ? mismatch(role) : set(key, to: value, isText: isText, &cells) else { return }
    let shown = isContainer ? Array(JSONNode.shownContainer.utf8) : Array(value.prefix(ShownText.byteCount))
    throw BadCell(column: ShownText.sanitized(name), value: shown, reason: reason)
  }

  private static func set(_ key: Key, to value: TextView, isText: Bool, _ cells: inout CellSink) -> String? {
    let isNull = !isText && value.elementsEqual("null".utf8)
    if let reason = mismatch(key.role, isText: isText, isNull: isNull) { return reason }
    if isText, value.contains(UInt8(ascii: "\\")) {
      return TextView.with(JSONNode.unescaped(value)) { set(key, to: $0, isText: true, &cells) }
    }
    return cells.set(key.role, to: value, isText ? key.style : .plain)
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

  /// Looks at the first lines, whose names say together what each of them means, and whose values how they are written.
  private mutating func begin(_ text: TextView) throws(ImportError) {
    let objects = Self.objects(in: text)
    if objects.isEmpty { return }
    hasBegun = true
    try objects.withText { (text) throws(ImportError) in
      let all = JSONNode(sequence: text)
      var names = JSONNames()
      for object in all.elements { names.insert(object) }
      namesAreShort = JSONColumnName.areShort(names.names)
      if let first = all.firstElement { firstCells = Self.cells(of: first) }
      var table: JSONTable
      do throws(ImportError) {
        table = try JSONTable(.objects(all), names, at: JSONPlace(), options, file: file)
      } catch {
        // Other lines may have what makes a quote, so names are looked up one by one.
        if case .noDateColumn = error, let first = all.firstElement { message = JSONMessage(in: first) }
        return
      }
      var survey = TableSurvey(table, options, file: file)
      survey.look(at: table)
      self.survey = (survey, table.plan)
      // What is refused is explained too, so its names are known.
      defer {
        for (column, name) in table.rawNames.enumerated() {
          _ = addKey(Array(name.utf8), table.plan.roles[column], table.numbers[column])
        }
      }
      let forms = try survey.settled()
      table.take(forms)
      (self.survey, dates, notes) = ((survey, forms.plan), forms.dates, forms.notes)
    }
  }

  private static let surveyByteCount = 1 << 18

  /// The objects of the first lines, as far as they are objects.
  private static func objects(in text: TextView) -> [UInt8] {
    var (objects, start) = ([UInt8](), 0)
    while start < text.count, objects.count < surveyByteCount {
      let end = text.lineEnd(from: start)
      let line = CSVHeader.withoutMark(text.part(start..<end))
      start = end + 1
      guard line.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") else { continue }
      var checker = JSONChecker(line)
      do throws(JSONFault) { if try checker.checkAll() == 1 { objects += line + [UInt8(ascii: "\n")] } } catch {
        continue
      }
    }
    return objects
  }

  /// The next key. Objects repeat their keys in order, so the key at the same index is tried first.
  @inline(__always)
  private mutating func takeKey(_ scanner: inout LineScanner, _ index: Int) throws(BadCell) -> (TextView, Key) {
    let (name, key) =
      if index < keys.count, let name = scanner.takeText(equalTo: names[index]) {
        (name, keys[index])
      } else if let name = scanner.takeText() {
        (name, key(named: name))
      } else {
        throw BadCell(reason: Self.notAnObject)
      }
    guard scanner.take(":") else { throw BadCell(reason: Self.notAnObject) }
    return (name, key)
  }

  private mutating func key(named name: TextView) -> Key {
    if let known = names.firstIndex(where: { name.isEqual(to: $0) }) { return keys[known] }
    let text = String(decoding: name, as: UTF8.self)
    let plain = JSONColumnName.plain(text, isShort: namesAreShort)
    return addKey(Array(name), options.columnUses[text].map { ColumnRole($0) } ?? ColumnRole(named: plain))
  }

  private mutating func addKey(_ name: [UInt8], _ role: ColumnRole, _ style: NumberStyle = .plain) -> Key {
    let key = Key(role: role, attribute: role.attribute, style: style)
    if keys.count < Limits.memberNameCount {
      names.append(name)
      keys.append(key)
    }
    return key
  }

  /// Refuses a text of which prices would be left out, once all names are known.
  func checkNothingIsLeftOut() throws(ImportError) {
    let plan = ColumnPlan(guessing: JSONColumnName.plain(columns.map(\.name)), uses: options.columnUses)
    var looks = survey?.0.looks ?? [:]
    // What was looked at and has no value but lists and objects holds no prices.
    for column in survey?.0.roles.indices ?? 0..<0 where looks[column] == nil { looks[column] = ColumnLook([]) }
    try plan.checkNothingIsLeftOut(looks: looks, file: file)
  }
}

/// The reason why an object is bad, and the value to show.
private struct BadCell: Error {
  var column: String?
  var value: [UInt8]?
  let reason: String
}
