// What the rows say.
extension TableSurvey {
  /// What the rows say of numbers and days.
  ///
  /// - Parameter order: what the days of the whole file say of their order, if more of them were looked at.
  /// - Throws: `ImportError` if there are two readings, if the rows aren't those of days, or if prices would be left out.
  func settled(order whole: DayOrder? = nil) throws(ImportError) -> ColumnForms {
    try checkBars()
    if !isWide { try plan.checkNothingIsLeftOut(looks: looks, file: file) }
    var forms = ColumnForms(plan: plan, numbers: try numberStyles(), dates: dates)
    for (winner, loser) in plan.rivals where isZero[winner] && !isZero[loser] && rowCount > 0 {
      forms.plan.exchange(winner, loser)
    }
    if let column = plan.nameColumn, texts[column, default: []].contains(where: { !Self.looksLikeTicker($0) }) {
      forms.plan.passOver(names: column)
    }
    if let column = roles.firstIndex(of: .ticker), plan.names[column] == "<TICKER>",
      examples[column].contains(where: { $0.hasSuffix(".US") })
    {
      forms.plan.takeOff(suffix: ".US")
    }
    if dates == .automatic { forms.dates = try reading(order: whole ?? order) }
    forms.notes = notes(forms)
    return forms
  }

  /// Whether a name may be a ticker: not of small letters behind a capital, no spaces, and not digits alone.
  private static func looksLikeTicker(_ name: String) -> Bool {
    let isWord = name.contains(where: \.isLowercase) && name.contains(where: \.isUppercase)
    return !isWord && !name.contains(" ") && name.contains { !$0.isNumber }
  }

  func reading(order: DayOrder) throws(ImportError) -> DateReading {
    if rowCount > 0, serialCount == rowCount { return .serial }
    switch epochs.finding {
    case .times(let unit): return .epoch(unit)
    case .mixed where numberCount == rowCount: throw .mixedTimes(file: file)
    case .mixed, .noTimes: return try order.reading(file: file)
    }
  }

  /// Whether days further down can still say in which order their numbers stand.
  var wantsMoreDays: Bool { dates == .automatic && !order.isDecided && order.hasNumbers }

  /// What was guessed, as sentences.
  private func notes(_ forms: ColumnForms) -> [String] {
    var notes = forms.plan.notes
    if case .epoch(let unit) = forms.dates, times.secondsEast == nil {
      notes.append("its days are \(unit) since 1970, in UTC")
    }
    if !plan.attributes.contains(.volume), plan.attributes.contains(.close), let column = numberColumn {
      notes.append("no column is taken for the volume, and \(column) isn't known")
    }
    if forms.dates == .serial { notes.append("its days are a spreadsheet's numbers of days") }
    if let years = shortYears, years.upperBound - years.lowerBound > 50 {
      notes.append(
        "its years have two digits and lie between \(years.lowerBound) and \(years.upperBound): those after this year's are of the last century"
      )
    }
    return notes
  }

  /// The first column of whole numbers that isn't known.
  private var numberColumn: UnknownColumn? {
    looks.sorted { $0.key < $1.key }.first { $0.value.kind == .counts }
      .map { UnknownColumn(name: plan.names[$0.key], look: $0.value) }
  }

  var looks: [Int: ColumnLook] {
    var looks: [Int: ColumnLook] = [:]
    for column in plan.unknown where rowCount > 0 { looks[column] = ColumnLook(examples[column]) }
    return looks
  }

  func numberStyles() throws(ImportError) -> [NumberStyle] {
    if let style = options.numberStyle { return Array(repeating: style, count: numbers.count) }
    let verdicts = numbers.map(\.verdict)
    let decided = Set(verdicts.compactMap { if case .decimal(let mark) = $0 { mark } else { nil } })
    let ungrouped = numbers.contains(where: \.hasUngrouped)
    var styles: [NumberStyle] = []
    for (column, verdict) in verdicts.enumerated() {
      switch verdict {
      case .decimal(let mark): styles.append(NumberStyle(decimal: mark))
      case .nothing:
        styles.append(
          decided.count == 1 ? NumberStyle(decimal: decided.first) : commasPartCells || isDocument ? .plain : .open)
      case .both(let example):
        styles.append(try style(of: column, example, decided, hasUngrouped: ungrouped))
      }
      if let example = numbers[column].maybe32nds, decided.isEmpty,
        roles[column] != .integer(slot: Attribute.volume.slot)
      {
        throw .ambiguousNumbers(
          file: file, column: plan.names[column], example: example,
          readings: [example.filter { $0 != "'" }, "\(example.prefix { $0 != "'" }) and 32nds of a point"])
      }
    }
    return styles
  }

  /// The style of a column whose numbers have two readings by themselves: that of the other columns.
  private func style(
    of column: Int, _ example: String, _ decided: Set<NumberStyle.Mark>, hasUngrouped: Bool
  ) throws(ImportError) -> NumberStyle {
    if decided.count == 1 { return NumberStyle(decimal: decided.first) }
    let hasComma = example.utf8.contains(NumberStyle.Mark.comma.rawValue)
    // No comma can be in a number where commas part cells without quotation marks, so a point is before a fraction.
    if decided.isEmpty, commasPartCells || isDocument, !hasComma { return .plain }
    // Whoever writes 1204433 doesn't group digits.
    if decided.isEmpty, hasUngrouped { return NumberStyle(decimal: hasComma ? .comma : .point) }
    let readings = NumberText.readings(of: Array(example.utf8)).map { [$0.point, $0.comma] } ?? []
    throw .ambiguousNumbers(file: file, column: plan.names[column], example: example, readings: readings)
  }

  private func checkBars() throws(ImportError) {
    let allowed = options.makesDaysOfBars ? Self.dailyPeriods.union(Self.partsOfDay) : Self.dailyPeriods
    if let column = plan.period,
      let period = examples[column].first(where: { !allowed.contains($0.lowercased()) })
    {
      throw .otherBars(file: file, what: "column \(plan.names[column]) says '\(period)'")
    }
    if let example = times.intraday, !options.makesDaysOfBars {
      throw .severalTimesADay(file: file, example: example)
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
  var tellingColumn: String? { texts.filter { $0.value.count > 1 }.keys.min().map { plan.names[$0] } }

  /// A column that isn't known and tells rows apart, while the ticker is that of the file.
  func instrument(_ plan: ColumnPlan) -> (column: String, values: [String])? {
    guard !plan.hasTicker, !isWide else { return nil }
    let found = texts.filter {
      $0.value.count > 1 && (instruments.contains($0.key) || $0.key == self.plan.nameColumn)
    }.min { $0.key < $1.key }
    return found.map { (plan.names[$0.key], $0.value.sorted().prefix(3).map(\.self)) }
  }
}

/// What the columns of a table are, and how their cells are written.
struct ColumnForms {
  var plan: ColumnPlan
  /// How the numbers of each column are written.
  var numbers: [NumberStyle]
  /// How its days are written.
  var dates: DateReading
  /// What was guessed, as sentences.
  var notes: [String] = []
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
