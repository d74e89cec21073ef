/// A part of a document that holds rows, and what the document says of it.
struct JSONTable {
  /// Where the rows are.
  enum Rows {
    /// An array of objects, one a row.
    case objects(JSONNode)
    /// An object that is a row.
    case object(JSONNode)
    /// An object of objects, one a row, whose names are the first column if they are labels.
    case keyed(JSONNode, isLabelled: Bool)
    /// An array of arrays of cells; with labels, an array of the first column's cells.
    case arrays(JSONNode, labels: JSONNode?)
    /// Arrays of cells beside each other; or objects, whose names are then the first column if they are labels.
    case columns([JSONNode], isLabelled: Bool)
  }

  let rows: Rows
  /// The columns' names in the document, and as they are shown.
  let rawNames: [String]
  let names: [String]
  private(set) var plan: ColumnPlan
  /// How its cells are written.
  private(set) var numbers: [NumberStyle]
  private(set) var dates: DateReading
  let place: JSONPlace
  /// Whether it is the body of one of Quandl's documents.
  var isQuandls = false
  /// Dividends and splits of some days, each in a column of its own after the others.
  var events: [JSONEvents] = []

  /// What its array has lost in a condensed text.
  var shortened: JSONCondenser.Shortened?

  /// The array of its rows, if they are one.
  var array: JSONNode? {
    switch rows {
    case .objects(let array), .arrays(let array, _): array
    case .object, .keyed, .columns: nil
    }
  }

  /// The column of the events with this index.
  func eventColumn(_ index: Int) -> Int {
    guard case .columns(let lists, let isLabelled) = rows else { return index }
    return lists.count + (isLabelled ? 1 : 0) + index
  }

  /// Whether a row may lack some of the columns.
  var isRagged: Bool {
    switch rows {
    case .objects, .object, .keyed: true
    case .arrays, .columns: false
    }
  }

  /// What each column was taken for, with its cell in the first row.
  var columns: [ImportedFile.Column] {
    var cursor = JSONRowCursor(self)
    let hasRow = (try? cursor.next()) ?? false
    return names.indices.map { column in
      let cell = hasRow && column < cursor.cells.count ? RowSample.shown(cursor.cells[column]) : nil
      return ImportedFile.Column(names[column], plan.roles[column], firstCell: cell)
    }
  }

  /// - Parameters:
  ///   - nested: the names of those columns that hold arrays and objects, and so nothing that is read.
  /// - Throws: `ImportError` if these columns are no quotes.
  init(
    _ rows: Rows, _ names: [String], nested: Set<String> = [], at place: JSONPlace, _ options: ImportOptions,
    file: String
  ) throws(ImportError) {
    let shown = names.map { ShownText.sanitized($0.utf8, byteCount: 100) }
    let asked = JSONColumnName.plain(shown)
    var uses: [String: ImportedFile.Column.Use] = [:]
    for (name, column) in zip(shown, asked) {
      if let use = options.columnUses[ImportedFile.Column.shown(name)] ?? (nested.contains(name) ? .ignored : nil) {
        uses[ImportedFile.Column.shown(column)] = use
      }
    }
    let header = ShownText.sanitized(names.joined(separator: ",").utf8, byteCount: 200)
    plan = ColumnPlan(guessing: asked, uses: uses)
    try plan.check(header: header, file: file)
    (self.rows, self.place) = (rows, place)
    (numbers, dates) = (Array(repeating: .plain, count: plan.roles.count), options.dates)
    rawNames = names
    self.names = shown.map(ImportedFile.Column.shown)
  }

  /// Takes what the rows say.
  mutating func take(_ forms: ColumnForms) { (plan, numbers, dates) = (forms.plan, forms.numbers, forms.dates) }

  /// The rows of objects with these names.
  init(
    _ rows: Rows, _ names: JSONNames, at place: JSONPlace, _ options: ImportOptions, file: String
  ) throws(ImportError) {
    let nested = Set(names.names).subtracting(names.flat)
    try self.init(rows, names.names, nested: nested, at: place, options, file: file)
  }
}

extension JSONTable {
  /// The columns of all tables; those of one name are one.
  static func columns(of tables: [JSONTable]) -> [ImportedFile.Column] {
    guard let first = tables.first else { return [] }
    var columns = first.columns
    for table in tables.dropFirst() where table.names != first.names {
      for column in table.columns where !columns.contains(where: { $0.name == column.name }) { columns.append(column) }
    }
    return columns
  }
}

/// Where a value is in a document, and what is said of it there.
struct JSONPlace {
  /// The names and numbers that lead to it.
  private(set) var path: [String] = []
  /// The same, with a star for each number and ticker: what is alike in many parts of the document.
  private(set) var pattern: [String] = []
  /// The ticker that stands beside it.
  var ticker: String?
  /// How far the clock is ahead of UTC there; nil if nothing says it.
  var secondsEast: Int?

  var level: Int { path.count }

  /// The path as errors show it.
  var shown: String { ShownText.sanitized(path.joined(separator: ".").utf8, byteCount: 100) }

  /// The place of an element, counted from 1.
  func element(_ number: Int) -> JSONPlace { child("\(number)", "*") }

  /// The place of a member. If its name is a ticker, it is that of what it holds.
  func member(_ name: String) -> JSONPlace {
    let isTicker = JSONColumnName.isTicker(name)
    var place = child(name, isTicker ? "*" : name)
    if isTicker { place.ticker = name }
    return place
  }

  private func child(_ name: String, _ common: String) -> JSONPlace {
    var place = self
    place.path.append(name)
    place.pattern.append(common)
    return place
  }

  /// Takes what an object says of itself: `"symbol": "AAPL"`, or the same in its `meta`.
  mutating func take(_ object: JSONNode) {
    for (key, value) in object.members {
      let word = JSONColumnName.word(key.string)
      if word == "meta" || word == "metadata" {
        for (key, value) in value.members { take(JSONColumnName.word(key.string), value) }
      } else {
        take(word, value)
      }
    }
  }

  private mutating func take(_ word: String, _ value: JSONNode) {
    switch word {
    case "symbol", "ticker": if value.kind == .text, let text = value.scalar { ticker = text }
    case "gmtoffset":
      if value.kind == .number, let seconds = Int(value.string), abs(seconds) <= 15 * 3600 { secondsEast = seconds }
    default: break
    }
  }
}
