// What is found out about a file, in words.

extension TextForm {
  /// How the text's characters are bytes, and what ends its lines.
  ///
  /// - Parameter beginning: the first bytes, by which that was found out.
  func explained(_ beginning: [UInt8]) -> [ImportExplanation.Finding] {
    var (value, reason) = ("UTF-8", "nothing says otherwise")
    if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { reason = "a byte-order mark says so" }
    if case .utf16(let isBigEndian) = encoding {
      value = isBigEndian ? "UTF-16, big end first" : "UTF-16, little end first"
      let hasMark = beginning.starts(with: [0xFF, 0xFE]) || beginning.starts(with: [0xFE, 0xFF])
      reason = hasMark ? "a byte-order mark says so" : "every second byte is zero"
    }
    if endsLinesWithReturns { value += ", lines end with CR alone" }
    return [ImportExplanation.Finding(subject: .encoding, value: value, reason: reason, setting: nil)]
  }
}

extension QuoteFormat {
  func explained(isTold: Bool) -> [ImportExplanation.Finding] {
    let seen =
      switch self {
      case .csv: "it begins neither with { nor with ["
      case .json: "it begins with { or [, and its first line is no row"
      case .ndjson: "its first line is an object that is a row"
      }
    return [
      ImportExplanation.Finding(
        subject: .form, value: rawValue.uppercased(), reason: isTold ? ColumnPlan.told : seen, setting: rawValue)
    ]
  }
}

extension TableBeginning {
  /// The form, the separator and the header.
  func explained(_ options: ImportOptions) -> [ImportExplanation.Finding] {
    var findings: [ImportExplanation.Finding] = []
    if form != .header {
      findings.append(.init(subject: .form, value: form.rawValue, reason: formReason, setting: nil))
    }
    if let separator = header.layout.explained(isTold: options.delimiter != nil, columnCount: header.plan.names.count) {
      findings.append(separator)
    }
    let value =
      headerLines.map { $0.count == 1 ? "line \($0.lowerBound)" : "lines \($0.lowerBound) to \($0.upperBound)" }
      ?? "none"
    findings.append(
      .init(subject: .header, value: "\(value), rows from line \(lineCount + 1) on", reason: headerReason, setting: nil)
    )
    return findings
  }

  private var formReason: String {
    switch form {
    case .header: ""
    case .bulk: "its first line is a ticker, a day and 12 numbers"
    case .yfinance: "its second line has tickers"
    case .wide, .named: ColumnPlan.told
    case .amiBroker: "it has a line that begins with $FORMAT"
    case .ledger, .beancount: "its first price has that form"
    case .headerless: "its first rows have the high at the top and the low at the bottom"
    }
  }

  private var headerReason: String {
    switch form {
    case .header where header.plan.hasDate && !header.plan.attributes.isEmpty:
      "it is the first line that names a day and a value"
    case .header: "it has the most names that are known"
    case .wide: "it is the first line with a day"
    case .bulk, .yfinance, .amiBroker, .ledger, .beancount, .headerless, .named: formReason
    }
  }
}

extension CellLayout {
  /// What stands between cells; nil for lines whose form says it.
  fileprivate func explained(isTold: Bool, columnCount: Int) -> ImportExplanation.Finding? {
    let (value, setting): (String, String)
    switch self {
    case .delimited(let sign):
      let text = String(decoding: [sign], as: UTF8.self)
      setting = text == "\t" ? "tab" : text
      value = ["\t": "tab", ",": "comma", ";": "semicolon", "|": "bar"][text] ?? "'\(ShownText.sanitized([sign]))'"
    case .spaces: (value, setting) = ("spaces", "space")
    case .ledger, .beancount: return nil
    }
    let reason = isTold ? ColumnPlan.told : "it cuts the line above the rows into \(columnCount) cells"
    return ImportExplanation.Finding(subject: .separator, value: value, reason: reason, setting: setting)
  }
}

extension JSONTable {
  /// Where in a document the rows are.
  func explainedForm(count: Int) -> ImportExplanation.Finding {
    let rows =
      switch rows {
      case .objects: "an array of objects, a row each"
      case .object: "an object that is a row"
      case .keyed(_, let isLabelled): isLabelled ? "objects named by '\(names[0])', a row each" : "objects, a row each"
      case .arrays: isQuandls ? "Quandl's arrays of cells" : "arrays of cells, a row each"
      case .columns: "arrays beside each other, a column each"
      }
    let path = place.shown
    let others = count > 1 ? " and \(count - 1) more like it" : ""
    return ImportExplanation.Finding(
      subject: .form, value: "JSON, \(rows)",
      reason: "that is the shape of \(path.isEmpty ? "the whole" : "'\(path)'")\(others)",
      setting: QuoteFormat.json.rawValue)
  }
}

extension DateReading {
  /// How days are written, and the zone in which they count.
  ///
  /// - Parameters:
  ///   - example: a day as it is written.
  ///   - order: what all days say of their order.
  ///   - secondsEast: how far the clock of times since 1970 is ahead of UTC, where the text says that.
  static func explained(
    _ reading: DateReading, example: String, order: DayOrder, secondsEast: Int?, _ options: ImportOptions
  ) -> [ImportExplanation.Finding] {
    var zone = ("any", "the day that is written counts", String?.none)
    let (value, reason, setting): (String, String, String?)
    switch !order.hasNumbers && reading.isOrder ? .automatic : reading {
    case .automatic: (value, reason, setting) = ("such as \(example)", "days of this form have one reading", nil)
    case .monthFirst, .dayFirst, .yearFirst:
      let found = order.reason
      let text = found?.day ?? Array(example.utf8)
      setting = DatePattern.pattern(of: text, reading)
      reason = found?.text ?? "each order of the numbers gives the same days"
      value =
        reading == .monthFirst ? "month, day, year" : reading == .dayFirst ? "day, month, year" : "year, month, day"
    case .serial:
      (value, reason, setting) = ("a spreadsheet's numbers of days", "such as \(example), all have five digits", nil)
    case .epoch(let unit):
      (value, reason, setting) = ("\(unit) since 1970", "numbers such as \(example) are of that size", nil)
      zone = ("UTC", "times since 1970 are counted so", nil)
      if let secondsEast { zone = ("\(secondsEast) seconds east of UTC", "the text says so beside the rows", nil) }
    case .pattern(let pattern): (value, reason, setting) = (pattern.description, ColumnPlan.told, pattern.description)
    }
    if let wanted = options.timeZone { zone = (wanted.identifier, ColumnPlan.told, wanted.identifier) }
    return [
      .init(subject: .days, value: value, reason: reason, setting: setting),
      .init(subject: .zone, value: zone.0, reason: zone.1, setting: zone.2),
    ]
  }
}

extension DateReading {
  /// Whether it says in which order three numbers stand.
  private var isOrder: Bool { self == .monthFirst || self == .dayFirst || self == .yearFirst }
}

extension DatePattern {
  /// The patterns that three numbers such as `1/2/18` may have: in each order, with this sign between them and so many digits of the year.
  package static func patterns(like example: String) -> [String] {
    let separator = example.first { "/-.".contains($0) } ?? "/"
    let parts = example.split(separator: separator)
    let year = parts.count >= 3 && parts[2].prefix { $0.isNumber }.count == 4 ? "%Y" : "%y"
    let forms = [["%m", "%d", year], ["%d", "%m", year]] + (year == "%y" ? [[year, "%m", "%d"]] : [])
    return forms.map { $0.joined(separator: String(separator)) }
  }

  /// The pattern by which a day is read as in an order of its numbers; nil if there is none.
  fileprivate static func pattern(of day: [UInt8], _ reading: DateReading) -> String? {
    let first: [DateReading: String] = [.monthFirst: "%m", .dayFirst: "%d", .yearFirst: "%y"]
    let plain = patterns(like: String(decoding: day, as: UTF8.self)).first { $0.hasPrefix(first[reading] ?? "?") }
    guard let plain else { return nil }
    return day.withText { text in
      guard let written = DayText(text)?.components(reading) else { return nil }
      return [plain, plain + "."].first { pattern in
        guard let found = DatePattern(pattern)?.components(text) else { return false }
        return (found.year, found.month, found.day) == (written.year, written.month, written.day)
      }
    }
  }
}
