/// The cells of a column that wait to be written together, for formats that are columns themselves.
struct WaitingColumn {
  /// The type that a column has there.
  enum Kind {
    case text, day, double, integer

    /// The type of a column's cells. Texts in a column of numbers are those of aggregates.
    init(_ cells: CellColumn, _ heading: ColumnHeading) {
      switch cells {
      case .tickers: self = .text
      case .days: self = .day
      case .doubles, .shares: self = .double
      case .integers: self = .integer
      case .texts: self = heading.isNumber ? .double : .text
      case .absent: self.init(heading)
      }
    }

    /// The type of a column without cells.
    init(_ heading: ColumnHeading) {
      switch heading.kind {
      case .word where heading.name == QuoteFormatter.Column.date.name: self = .day
      case .word, .text: self = .text
      case .number:
        let isWhole = Attribute(named: heading.name).map { !QuoteColumns()[column: $0].isDouble }
        self = isWhole ?? false ? .integer : .double
      }
    }
  }

  let name: String
  let kind: Kind
  private(set) var count = 0
  /// The rows without a value, which have 0 or an empty text in its place.
  private(set) var missing: [Int] = []
  private(set) var doubles: [Double] = []
  private(set) var integers: [Int64] = []
  /// Since 1970.
  private(set) var days: [Int32] = []
  /// The texts of all rows.
  private(set) var letters: [UInt8] = []
  /// Where the text of each row ends in `letters`.
  private(set) var ends: [Int32] = []

  init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }

  /// Which rows have a value, one bit a row.
  var bitmap: [UInt8] {
    var bitmap = [UInt8](repeating: 0xFF, count: (count + 7) / 8)
    for row in missing { bitmap[row / 8] &= ~(1 << UInt8(row % 8)) }
    if count % 8 != 0 { bitmap[count / 8] &= 1 << UInt8(count % 8) - 1 }
    return bitmap
  }

  /// Appends some rows. Traps when there are fewer cells.
  mutating func append(_ cells: CellColumn, rows: Range<Int>) throws(ColumnTypeError) {
    switch (cells, kind) {
    case (.tickers(let tickers), .text):
      var (last, text): (TickerSymbol?, [UInt8]) = (nil, [])
      for row in rows {
        let ticker = tickers[row]
        if ticker != last { (last, text) = (ticker, Array(ticker.description.utf8)) }
        append(text)
      }
    case (.texts(let texts), .text): for row in rows { append(texts[row].map { Array($0.utf8) }) }
    case (.days(let values), .day):
      values.withSpan { values in for row in rows { days.append(Int32(values[row].daysSince1970)) } }
      count += rows.count
    case (.doubles(let values), .double), (.shares(let values), .double):
      values.withSpan { values in for row in rows { append(values[row]) } }
    case (.integers(let values), .double):
      for row in rows { append(values[row].isMissing ? .missing : Double.nearest(to: values[row])) }
    case (.texts(let texts), .double): for row in rows { append(texts[row].flatMap { Double($0) } ?? .missing) }
    case (.integers(let values), .integer):
      values.withSpan { values in for row in rows { append(values[row]) } }
    case (.absent, _): for _ in rows { appendMissing() }
    default: throw ColumnTypeError(column: name)
    }
  }

  private mutating func append(_ value: Double) {
    if value.isNaN { missing.append(count) }
    doubles.append(value.isNaN ? 0 : value)
    count += 1
  }

  private mutating func append(_ value: Int64) {
    if value.isMissing { missing.append(count) }
    integers.append(value.isMissing ? 0 : value)
    count += 1
  }

  private mutating func append(_ text: [UInt8]?) {
    if let text { letters += text } else { missing.append(count) }
    ends.append(Int32(letters.count))
    count += 1
  }

  private mutating func appendMissing() {
    switch kind {
    case .text: append([UInt8]?.none)
    case .double: append(Double.missing)
    case .integer: append(Int64.missing)
    case .day:
      missing.append(count)
      days.append(0)
      count += 1
    }
  }

  mutating func removeAll() {
    count = 0
    missing.removeAll(keepingCapacity: true)
    doubles.removeAll(keepingCapacity: true)
    integers.removeAll(keepingCapacity: true)
    days.removeAll(keepingCapacity: true)
    letters.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }
}

/// Rows have another type than those before them: a store whose volumes have fractions comes after one whose volumes don't.
struct ColumnTypeError: Error, CustomStringConvertible {
  let column: String

  var description: String { "column '\(column)' has numbers of another type than in the rows before" }
}
