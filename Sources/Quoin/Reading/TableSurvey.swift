/// Looks at the first rows of a table before they are read, so that each column's cells decide together what they are.
///
/// A table of the plain kind, with commas between cells and no quotation marks, is settled by a few rows: a point is before a fraction there,
/// because a comma can't be. Any other table is looked at as far as the text goes.
struct TableSurvey {
  private let header: CSVHeader
  private let options: ImportOptions
  private let file: String
  private var numbers: [NumberSurvey]
  /// The first cells of each column.
  private var examples: [[String]]
  /// Whether no cell has a digit but 0.
  private var isZero: [Bool]
  private var order = DayOrder()
  private var times = TimeSurvey()
  private var epochs = EpochSurvey()
  private(set) var rowCount = 0
  private var hasQuotes = false
  private var isPlain = false
  private var serialCount = 0
  /// Days that are numbers, and written in no form of a day.
  private var numberCount = 0
  /// The years that are written with two digits behind the name of a month.
  private var shortYears: ClosedRange<Int>?
  /// The columns of the time of the day and of securities' numbers.
  private let clock: Int?
  private let instruments: Set<Int>
  /// The first texts in columns that may tell rows apart.
  private var texts: [Int: Set<String>] = [:]

  init(_ header: CSVHeader, _ options: ImportOptions, file: String) {
    (self.header, self.options, self.file) = (header, options, file)
    clock = header.plan.clock
    instruments = Set(header.plan.roles.indices.filter(header.plan.isInstrument))
    let count = header.plan.roles.count
    numbers = Array(repeating: NumberSurvey(), count: count)
    examples = Array(repeating: [], count: count)
    isZero = Array(repeating: true, count: count)
  }

  /// Rows that are looked at in a table of the plain kind.
  private static let plainRowCount = 50

  /// Looks at the rows of a text of whole lines.
  mutating func look(at text: TextView) {
    hasQuotes = text.has(UInt8(ascii: "\""))
    isPlain = header.layout == .delimited(UInt8(ascii: ",")) && !hasQuotes
    var start = 0
    while start < text.count {
      let end = text.lineEnd(from: start)
      let line = text.part(start..<(end > start && text[end - 1] == UInt8(ascii: "\r") ? end - 1 : end))
      note(line)
      if rowCount >= Self.plainRowCount, isPlain || isSettled, order.isDecided { return }
      start = end + 1
    }
  }

  /// Whether a column has a number that says what a comma and a point are.
  private var isSettled: Bool {
    numbers.contains { if case .decimal = $0.verdict { true } else { false } }
      && numbers.allSatisfy { if case .both = $0.verdict { false } else { true } }
  }

  private mutating func note(_ line: TextView) {
    let ranges = header.layout.cells(of: line)
    // A row that ends early counts too, and one with a delimiter at its end.
    guard ranges.count > 1, ranges.count <= header.plan.roles.count + 1 else { return }
    rowCount += 1
    var day: (text: TextView, ticker: TextView?)?
    for (column, range) in ranges.enumerated() where column < header.plan.roles.count {
      let cell = line.part(range)
      switch role(column) {
      case .date: day = (cell, nil)
      case .double, .shares, .splits, .integer: if !isPlain || !Self.isPlain(cell) { numbers[column].note(cell) }
      case .ticker, .datePart: break
      case .ignored: if header.plan.rivals.contains(where: { $0.loser == column }) { numbers[column].note(cell) }
      }
      if cell.contains(where: { 0x31...0x39 ~= $0 }) { isZero[column] = false }
      if examples[column].count < 3, !cell.isEmpty { examples[column].append(ShownText.sanitized(cell, byteCount: 24)) }
      if header.plan.roles[column] == .ignored, clock != column { noteValue(cell, column) }
    }
    guard let day else { return }
    let ticker = header.plan.roles.firstIndex(of: .ticker).flatMap {
      $0 < ranges.count ? Array(line.part(ranges[$0])) : nil
    }
    note(
      day: day.text, of: ticker ?? [],
      clock: clock.flatMap { $0 < ranges.count ? Array(line.part(ranges[$0])) : nil })
  }

  /// Whether a cell has only what programs write in numbers. Where commas part cells it says nothing about commas and points.
  private static func isPlain(_ cell: TextView) -> Bool {
    cell.allSatisfy { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
  }

  /// Notes a text in a column that holds nothing of a quote's, and may tell rows apart.
  private mutating func noteValue(_ cell: TextView, _ column: Int) {
    guard texts[column, default: []].count < 4, instruments.contains(column) || NumberParts(cell) == nil else {
      return
    }
    texts[column, default: []].insert(ShownText.sanitized(cell, byteCount: 24))
  }

  /// The role of a column, also where tickers stand beside each other.
  private func role(_ column: Int) -> ColumnRole {
    if header.wide.isEmpty { return header.plan.roles[column] }
    let own = header.wide.lazy.flatMap(\.columns).first { $0.index == column }
    return own?.role ?? header.plan.roles[column]
  }

  private mutating func note(day text: TextView, of ticker: [UInt8], clock: [UInt8]?) {
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
    times.note(text, ticker: ticker, clock: clock, pattern: header.dates)
  }
}

// What the rows say.
extension TableSurvey {
  /// The header with what the rows say of numbers and days.
  ///
  /// - Parameter order: what the days of the whole file say of their order, if more of them were looked at.
  /// - Throws: `ImportError` if there are two readings, or if the rows aren't those of days.
  func settled(order whole: DayOrder? = nil) throws(ImportError) -> CSVHeader {
    var header = header
    try checkBars()
    if header.wide.isEmpty { try header.plan.checkNothingIsLeftOut(looks: looks, file: file) }
    for (winner, loser) in header.plan.rivals where isZero[winner] && !isZero[loser] && rowCount > 0 {
      header.plan.exchange(winner, loser)
    }
    header.numbers = try numberStyles()
    if header.dates == .automatic { header.dates = try dates(order: whole ?? order) }
    return header
  }

  private func dates(order: DayOrder) throws(ImportError) -> DateReading {
    if rowCount > 0, serialCount == rowCount { return .serial }
    switch epochs.finding {
    case .times(let unit): return .epoch(unit)
    case .mixed where numberCount == rowCount: throw .mixedTimes(file: file)
    case .mixed, .noTimes: return try order.reading(file: file)
    }
  }

  /// Whether days further down can still say in which order their numbers stand.
  var wantsMoreDays: Bool { header.dates == .automatic && !order.isDecided && order.hasNumbers }

  /// What was guessed, as sentences.
  func notes(_ header: CSVHeader) -> [String] {
    var notes = header.plan.notes
    if case .epoch(let unit) = header.dates { notes.append("its days are \(unit) since 1970, in UTC") }
    if header.dates == .serial { notes.append("its days are a spreadsheet's numbers of days") }
    if let years = shortYears, years.upperBound - years.lowerBound > 50 {
      notes.append(
        "its years have two digits and lie between \(years.lowerBound) and \(years.upperBound): those after this year's are of the last century"
      )
    }
    return notes
  }

  private var looks: [Int: ColumnLook] {
    var looks: [Int: ColumnLook] = [:]
    for column in header.plan.unknown where rowCount > 0 { looks[column] = ColumnLook(examples[column]) }
    return looks
  }

  private func numberStyles() throws(ImportError) -> [NumberStyle] {
    if let style = options.numberStyle { return Array(repeating: style, count: numbers.count) }
    let isPlain = header.layout == .delimited(UInt8(ascii: ","))
    let verdicts = numbers.map(\.verdict)
    let decided = Set(verdicts.compactMap { if case .decimal(let mark) = $0 { mark } else { nil } })
    let ungrouped = numbers.contains(where: \.hasUngrouped)
    var styles: [NumberStyle] = []
    for (column, verdict) in verdicts.enumerated() {
      switch verdict {
      case .decimal(let mark): styles.append(NumberStyle(decimal: mark))
      case .nothing:
        styles.append(decided.count == 1 ? NumberStyle(decimal: decided.first) : isPlain && !hasQuotes ? .plain : .open)
      case .both(let example):
        styles.append(try style(of: column, example, decided, isPlain: isPlain, hasUngrouped: ungrouped))
      }
      if let example = numbers[column].maybe32nds, decided.isEmpty,
        role(column) != .integer(slot: Attribute.volume.slot)
      {
        throw .ambiguousNumbers(
          file: file, column: header.plan.names[column], example: example,
          readings: [example.filter { $0 != "'" }, "\(example.prefix { $0 != "'" }) and 32nds of a point"])
      }
    }
    return styles
  }

  /// The style of a column whose numbers have two readings by themselves: that of the other columns.
  private func style(
    of column: Int, _ example: String, _ decided: Set<NumberStyle.Mark>, isPlain: Bool, hasUngrouped: Bool
  ) throws(ImportError) -> NumberStyle {
    if decided.count == 1 { return NumberStyle(decimal: decided.first) }
    let hasComma = example.utf8.contains(NumberStyle.Mark.comma.rawValue)
    // No comma can be in a number where commas part cells without quotation marks, so a point is before a fraction.
    if decided.isEmpty, isPlain, !hasQuotes, !hasComma { return .plain }
    // Whoever writes 1204433 doesn't group digits.
    if decided.isEmpty, hasUngrouped { return NumberStyle(decimal: hasComma ? .comma : .point) }
    let readings = NumberText.readings(of: Array(example.utf8)).map { [$0.point, $0.comma] } ?? []
    throw .ambiguousNumbers(file: file, column: header.plan.names[column], example: example, readings: readings)
  }

  private func checkBars() throws(ImportError) {
    let allowed = options.makesDaysOfBars ? Self.dailyPeriods.union(Self.partsOfDay) : Self.dailyPeriods
    if let column = header.plan.period,
      let period = examples[column].first(where: { !allowed.contains($0.lowercased()) })
    {
      throw .otherBars(file: file, what: "column \(header.plan.names[column]) says '\(period)'")
    }
    if let example = times.intraday, !options.makesDaysOfBars {
      throw .otherBars(file: file, what: "it has several times a day, such as \(example)")
    }
    if options.timeZone == nil, !options.makesDaysOfBars, let example = times.foreignMidnight {
      throw .foreignMidnights(file: file, example: example)
    }
  }

  private static let dailyPeriods: Set = ["d", "1d", "d1", "day", "daily", "1440", "1day", "eod", "86400"]

  private static let partsOfDay: Set = [
    "1", "2", "5", "10", "15", "20", "30", "60", "120", "240", "m1", "m5", "m15", "m30", "h1", "h4", "1m", "5m", "15m",
    "30m", "1h", "2h", "4h", "60m", "1min", "5min", "15min", "30min", "60min",
  ]

  /// A column with several texts that holds nothing of a quote's.
  var tellingColumn: String? { texts.filter { $0.value.count > 1 }.keys.min().map { header.plan.names[$0] } }

  /// A column that isn't known and tells rows apart, while the ticker is that of the file.
  var instrument: (column: String, values: [String])? {
    guard !header.plan.hasTicker, header.wide.isEmpty else { return nil }
    let found = texts.filter { $0.value.count > 1 && instruments.contains($0.key) }.min { $0.key < $1.key }
    return found.map { (header.plan.names[$0.key], $0.value.sorted().prefix(3).map(\.self)) }
  }
}

extension ColumnLook {
  /// What cells look like, by the first of them.
  init(_ examples: [String]) {
    func all(_ isTrue: (TextView) -> Bool) -> Bool { examples.allSatisfy { TextView.with($0, isTrue) } }
    if examples.isEmpty {
      kind = .nothing
    } else if all({ DayText($0) != nil }) {
      kind = .days
    } else if all({ NumberParts($0) != nil || DecimalParser.isMissing($0) }) {
      kind = all { !$0.contains(UInt8(ascii: ".")) && !$0.contains(UInt8(ascii: ",")) } ? .counts : .prices
    } else {
      kind = .texts
    }
    self.examples = Array(examples.prefix(2))
  }
}

extension ColumnPlan {
  /// The column that says how long a bar is.
  var period: Int? { column(named: ["per", "period", "interval", "timeframe", "frequency"]) }
  /// The column of the time of the day, beside one of the day.
  var clock: Int? { column(named: ["time", "hour"]) }

  /// Whether a column's name is that of a security's number or code.
  func isInstrument(_ column: Int) -> Bool {
    [
      "isin", "ric", "instrument", "cusip", "sedol", "figi", "wkn", "permno", "sid", "secid", "securityid", "gvkey",
      "valor", "conid",
    ]
    .contains(ColumnNames.simplified(names[column]))
  }

  private func column(named wanted: [String]) -> Int? {
    names.indices.first { roles[$0] == .ignored && wanted.contains(ColumnNames.simplified(names[$0])) }
  }
}
