/// What a CSV file says of its columns before its rows: how its lines are cut into cells, and the contents of each column.
struct CSVHeader: Sendable {
  let layout: CellLayout
  var plan: ColumnPlan
  /// How its days are written.
  var dates: DateReading
  /// How the numbers of each column are written.
  var numbers: [NumberStyle]
  /// The ticker of all rows, in yfinance's header of several lines and in R's names.
  private(set) var ticker: TickerSymbol?
  /// The columns of each ticker, where tickers stand beside each other.
  var wide: [WideTicker] = []
  /// The bytes of its lines, by which they are known if they come again.
  var lines: [[UInt8]] = []

  /// Whether line breaks in quotation marks were made `QuotedLineBreak.sign`.
  var hasQuotedLineBreaks = false

  var delimiter: UInt8 { layout.delimiter }
  var hasDateParts: Bool { plan.roles.contains(.datePart(.day)) }

  /// Reads the header from `line`, after a byte-order mark if there is one.
  init(_ line: TextView, file: String) throws(ImportError) {
    let text = CSVHeader.withoutMark(line)
    let delimiter = Self.delimiter(of: text)
    try self.init(
      Self.names(text, .delimited(delimiter)), .delimited(delimiter), line: CSVHeader.shown(text), file: file)
  }

  /// - Parameter line: the header, as errors show it.
  init(
    _ names: [String], _ layout: CellLayout, _ options: ImportOptions = ImportOptions(), line: String, file: String,
    ticker: TickerSymbol? = nil
  ) throws(ImportError) {
    let plan = ColumnPlan(guessing: names, uses: options.columnUses)
    try plan.check(header: line, file: file)
    self.init(plan, layout, options, ticker: ticker)
  }

  init(_ plan: ColumnPlan, _ layout: CellLayout, _ options: ImportOptions, ticker: TickerSymbol? = nil) {
    (self.layout, self.plan) = (layout, plan)
    self.ticker = ticker ?? plan.prefix.flatMap { try? TickerSymbol($0) }
    dates = options.dates
    numbers = Array(repeating: options.numberStyle ?? .plain, count: plan.roles.count)
  }

  /// Takes what the rows say.
  mutating func take(_ forms: ColumnForms) { (plan, numbers, dates) = (forms.plan, forms.numbers, forms.dates) }

  /// The delimiter of a file with such a line: of comma, tab, semicolon and bar the one that comes most often.
  static func delimiter(of line: TextView) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";"), UInt8(ascii: "|")]
    return candidates.map { byte in (byte, line.count { $0 == byte }) }
      .reduce((candidates[0], 0)) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// The cells of a line, as names.
  static func names(_ text: TextView, _ layout: CellLayout) -> [String] {
    layout.cells(of: text).map { ShownText.sanitized(text[$0], byteCount: 100) }
  }

  static func withoutMark(_ line: TextView) -> TextView {
    var line = line
    while line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.part(from: 3) }
    return line
  }

  static func shown(_ line: TextView) -> String { ShownText.sanitized(line, byteCount: 200) }
}

/// The columns of one ticker, where the tickers stand beside each other.
struct WideTicker: Sendable {
  let ticker: TickerSymbol
  let columns: [(index: Int, role: ColumnRole)]
  let attributes: AttributeSet
}

/// Reads a header line by line. Mostly it is one line; yfinance writes three:
///
///     Price,Close,High,Low,Open,Volume
///     Ticker,AAPL,AAPL,AAPL,AAPL,AAPL
///     Date,,,,,
struct CSVHeaderReader {
  let file: String
  var options = ImportOptions()

  /// The first line of several, and the tickers of the second.
  private var first: (names: [String], layout: CellLayout, line: String)?
  private var tickers: [TickerSymbol] = []
  private var lines: [[UInt8]] = []

  init(file: String, options: ImportOptions = ImportOptions()) { (self.file, self.options) = (file, options) }

  var shownLine: String { first?.line ?? "" }

  /// Whether the line is the first of several, of which the second is the next one.
  mutating func begins(with line: TextView, then second: TextView?, _ layout: CellLayout) -> Bool {
    let names = CSVHeader.names(line, layout)
    guard let second, case let next = CSVHeader.names(second, layout), next.count == names.count,
      ["", "Ticker", "Price"].contains(next[0]),
      next.dropFirst().allSatisfy({ !$0.isEmpty && Double($0) == nil })
    else { return false }
    guard options.columnUses.isEmpty, names.count > 1, ["", "Price", "Ticker"].contains(names[0]) else { return false }
    let isFields = names.dropFirst().allSatisfy { ColumnRole(named: $0).attribute != nil }
    // By ticker, yfinance writes the tickers first: then the second line has the fields.
    guard isFields || names[0] == "Ticker" else { return false }
    first = (names, layout, CSVHeader.shown(line))
    lines = [Array(line)]
    return true
  }

  /// The header that ends with this line; nil if it goes on.
  mutating func take(_ line: TextView) throws(ImportError) -> CSVHeader? {
    guard let first else { return nil }
    lines.append(Array(line))
    let cells = CSVHeader.names(line, first.layout)
    if tickers.isEmpty {
      try takeSecond(cells)
      return nil
    }
    guard ["date", "datetime"].contains(cells[0].lowercased()), cells.dropFirst().allSatisfy(\.isEmpty) else {
      throw .noDateColumn(file: file, header: first.line)
    }
    return try header(dateName: cells[0])
  }

  private mutating func takeSecond(_ cells: [String]) throws(ImportError) {
    guard let first else { return }
    var (names, fields) = (cells, first.names)
    if first.names[0] == "Ticker" { (names, fields) = (first.names, cells) }
    guard ["", "Ticker"].contains(names[0]), names.count == fields.count, names.count > 1 else {
      throw .noDateColumn(file: file, header: first.line)
    }
    self.first?.names = fields
    for name in names.dropFirst() {
      do throws(TickerSymbolError) { tickers.append(try TickerSymbol(name)) } catch {
        throw .badTicker(file: file, error)
      }
    }
  }

  private func header(dateName: String) throws(ImportError) -> CSVHeader {
    guard let first else { throw .empty(file: file) }
    let names = [dateName] + first.names.dropFirst()
    if Set(tickers).count == 1 {
      var header = try CSVHeader(names, first.layout, options, line: first.line, file: file, ticker: tickers[0])
      header.lines = lines
      return header
    }
    var header = try CSVHeader.wide(
      names, first.layout, tickers: [nil] + tickers.map { $0 }, options, line: first.line, file: file)
    header.lines = lines
    return header
  }
}

extension CSVHeader {
  /// The header of a table with tickers beside each other.
  ///
  /// - Parameter tickers: whose each column is; nil for the day's.
  static func wide(
    _ names: [String], _ layout: CellLayout, tickers: [TickerSymbol?], _ options: ImportOptions, line: String,
    file: String
  ) throws(ImportError) -> CSVHeader {
    let plan = ColumnPlan(guessing: [names[0]] + Array(repeating: "", count: names.count - 1), uses: options.columnUses)
    guard plan.hasDate else { throw .noDateColumn(file: file, header: line) }
    var columns: [TickerSymbol: [(index: Int, role: ColumnRole)]] = [:]
    var order: [TickerSymbol] = []
    for (index, ticker) in tickers.enumerated() {
      guard let ticker, case let role = ColumnRole(named: names[index]), role.attribute != nil else { continue }
      if columns[ticker] == nil { order.append(ticker) }
      guard columns[ticker]?.contains(where: { $0.role == role }) != true else {
        throw .repeatedColumn(file: file, column: "\(names[index]) of \(ticker)")
      }
      columns[ticker, default: []].append((index, role))
    }
    var header = CSVHeader(plan, layout, options)
    header.wide = order.map { ticker in
      let own = columns[ticker] ?? []
      return WideTicker(ticker: ticker, columns: own, attributes: AttributeSet(own.compactMap(\.role.attribute)))
    }
    guard !header.wide.isEmpty else { throw .noValueColumn(file: file, header: line) }
    return header
  }
}
