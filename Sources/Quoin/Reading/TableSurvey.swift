/// Looks at the first rows of a table before they are read, so that each column's cells decide together what they are. Where the cells come
/// from doesn't matter: lines and documents are looked at by the same rules.
///
/// A table of the plain kind, with commas between cells and no quotation marks, is settled by a few rows: a point is before a fraction there,
/// because a comma can't be. Any other table is looked at as far as the text goes.
struct TableSurvey {
  let plan: ColumnPlan
  let options: ImportOptions
  let file: String
  /// What each column holds, also where tickers stand beside each other.
  let roles: [ColumnRole]
  let isWide: Bool
  let dates: DateReading
  /// Whether commas part the cells and none is quoted, so that no number has a comma.
  private(set) var commasPartCells = false
  /// Whether the cells are a document's, in which a text such as `1.234` is a number as programs write it.
  private(set) var isDocument = false
  private(set) var numbers: [NumberSurvey]
  /// The first cells of each column.
  private(set) var examples: [[String]]
  /// Whether no cell has a digit but 0.
  private(set) var isZero: [Bool]
  private var isRival: [Bool]
  private(set) var order = DayOrder()
  private(set) var times = TimeSurvey()
  private(set) var epochs = EpochSurvey()
  private(set) var rowCount = 0
  private(set) var serialCount = 0
  /// Days that are numbers, and written in no form of a day.
  private(set) var numberCount = 0
  /// The years that are written with two digits behind the name of a month.
  private(set) var shortYears: ClosedRange<Int>?
  /// The columns of the time of the day and of securities' numbers.
  private let clock: Int?
  private let nameColumn: Int?
  let instruments: Set<Int>
  /// The first texts in columns that may tell rows apart.
  private(set) var texts: [Int: Set<String>] = [:]
  /// The newest text of each of them, since most columns repeat theirs.
  private var newestTexts: [[UInt8]]
  /// The row's cells of these columns, as far as there are any.
  private var day: [UInt8]?
  private var ticker: [UInt8] = []
  private var time: [UInt8]?

  /// - Parameters:
  ///   - wide: the tickers that stand beside each other, and their columns.
  ///   - dates: how days are written, as far as that is said.
  ///   - secondsEast: how far the clock of times since 1970 is ahead of UTC, where the text says that.
  init(
    _ plan: ColumnPlan, wide: [WideTicker] = [], _ dates: DateReading, _ options: ImportOptions,
    secondsEast: Int? = nil, file: String
  ) {
    (self.plan, self.options, self.file) = (plan, options, file)
    (isWide, self.dates) = (!wide.isEmpty, dates)
    times.secondsEast = secondsEast
    var roles = plan.roles
    for (index, role) in wide.flatMap(\.columns) { roles[index] = role }
    self.roles = roles
    (clock, nameColumn) = (plan.clock, plan.nameColumn)
    instruments = Set(roles.indices.filter(plan.isInstrument))
    numbers = Array(repeating: NumberSurvey(), count: roles.count)
    examples = Array(repeating: [], count: roles.count)
    isZero = Array(repeating: true, count: roles.count)
    newestTexts = Array(repeating: [], count: roles.count)
    isRival = roles.indices.map { column in plan.rivals.contains { $0.loser == column } }
  }

  /// Rows that are looked at in a table of the plain kind.
  private static let plainRowCount = 50

  /// Looks at a cell of the row.
  ///
  /// - Parameter isNumber: whether it is a number as programs write it, because the text says so.
  mutating func note(_ cell: TextView, in column: Int, isNumber: Bool = false) {
    let isPlain = isNumber || commasPartCells && Self.isPlain(cell)
    switch roles[column] {
    case .date: day = Array(cell)
    case .ticker:
      ticker = Array(cell)
      if column == nameColumn { noteText(cell, column) }
    case .double, .shares, .splits, .integer: if !isPlain { numbers[column].note(cell) }
    case .datePart: break
    case .ignored: if !isPlain, isRival[column] { numbers[column].note(cell) }
    }
    if isZero[column], cell.contains(where: { 0x31...0x39 ~= $0 }) { isZero[column] = false }
    if examples[column].count < 3, !cell.isEmpty { examples[column].append(ShownText.sanitized(cell, byteCount: 24)) }
    if clock == column {
      time = Array(cell)
    } else if roles[column] == .ignored {
      noteText(cell, column)
    }
  }

  /// Ends a row.
  ///
  /// - Returns: whether more rows are wanted.
  mutating func endRow() -> Bool {
    rowCount += 1
    if let day { note(day: day) }
    (day, ticker, time) = (nil, [], nil)
    // Times around 1970 are small numbers, of which only later ones say that they are times.
    let maySpellTimes = numberCount == rowCount && serialCount < rowCount && epochs.finding == .noTimes
    return rowCount < Self.plainRowCount || !isSettled || !order.isDecided || maySpellTimes
  }

  /// Whether nothing is left open of commas and points.
  private var isSettled: Bool {
    if commasPartCells { return true }
    let verdicts = numbers.map(\.verdict)
    if verdicts.contains(where: { if case .both = $0 { true } else { false } }) { return false }
    return isDocument || verdicts.contains { if case .decimal = $0 { true } else { false } }
  }

  /// Whether a cell has only what programs write in numbers. Where commas part cells it says nothing about commas and points.
  private static func isPlain(_ cell: TextView) -> Bool {
    cell.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  /// Whether a cell has a few digits alone: a number, however it is read. `NumberParts` decides of all others.
  private static func isWholeNumber(_ cell: TextView) -> Bool {
    1...18 ~= cell.count && cell.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }

  /// Notes a text in a column that holds nothing of a quote's, and may tell rows apart.
  private mutating func noteText(_ cell: TextView, _ column: Int) {
    if !cell.isEmpty, cell.elementsEqual(newestTexts[column]) { return }
    newestTexts[column] = Array(cell)
    if texts[column, default: []].count >= 4 { return }
    let tellsRows = instruments.contains(column) || column == nameColumn
    guard tellsRows || !Self.isWholeNumber(cell) && NumberParts(cell) == nil else { return }
    texts[column, default: []].insert(ShownText.sanitized(cell, byteCount: 24))
  }

  private mutating func note(day text: [UInt8]) {
    text.withText { text in
      if text.allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x2E }), case .value(let number) = DecimalParser.double(text),
        DayParser.serialNumbers.contains(number), DayText(text) == nil
      {
        serialCount += 1
      }
      order.note(text)
      epochs.insert(text)
      if EpochUnit.count(text) != nil, DayText(text) == nil { numberCount += 1 }
      if case .known(let found)? = DayText(text), found.hasShortYear {
        shortYears =
          min(shortYears?.lowerBound ?? found.year, found.year)...max(shortYears?.upperBound ?? found.year, found.year)
      }
      times.note(text, ticker: ticker, clock: time, pattern: dates)
    }
  }
}

// Where the rows come from.
extension TableSurvey {
  init(_ header: CSVHeader, _ options: ImportOptions, file: String) {
    self.init(header.plan, wide: header.wide, header.dates, options, file: file)
  }

  /// Looks at the rows of a text of whole lines.
  mutating func look(at text: TextView, _ layout: CellLayout) {
    commasPartCells = layout == .delimited(UInt8(ascii: ",")) && !text.has(UInt8(ascii: "\""))
    var (start, wantsMore) = (0, true)
    while wantsMore, start < text.count {
      let end = text.lineEnd(from: start)
      let line = text.part(start..<(end > start && text[end - 1] == UInt8(ascii: "\r") ? end - 1 : end))
      start = end + 1
      let ranges = layout.cells(of: line)
      // A row that ends early counts too, and one with a delimiter at its end.
      guard ranges.count > 1, ranges.count <= roles.count + 1 else { continue }
      for (column, range) in ranges.prefix(roles.count).enumerated() { note(line.part(range), in: column) }
      wantsMore = endRow()
    }
  }

  init(_ table: JSONTable, _ options: ImportOptions, file: String) {
    self.init(table.plan, table.dates, options, secondsEast: table.place.secondsEast, file: file)
  }

  /// Looks at the rows of a document.
  ///
  /// - Parameter rowCountMax: how many are looked at.
  /// - Returns: whether more rows are wanted than there are.
  @discardableResult
  mutating func look(at table: JSONTable, rowCountMax: Int = .max) -> Bool {
    var cursor = JSONRowCursor(table)
    return look(at: &cursor, rowCountMax: rowCountMax)
  }

  @discardableResult
  mutating func look(at cursor: inout JSONRowCursor, rowCountMax: Int = .max) -> Bool {
    isDocument = true
    var (wantsMore, count) = (true, 0)
    while wantsMore {
      if count == rowCountMax { return true }
      count += 1
      do throws(JSONRowCursor.BadRow) { if try !cursor.next() { return true } } catch { continue }
      for (column, node) in cursor.cells.enumerated() {
        guard let node, !node.isContainer, node.kind != .null else { continue }
        node.withText { note($0, in: column, isNumber: node.kind == .number) }
      }
      wantsMore = endRow()
    }
    return false
  }
}
