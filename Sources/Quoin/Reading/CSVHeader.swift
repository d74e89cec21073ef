/// What a CSV file says of its columns before its rows: the delimiter, and the contents of each column.
struct CSVHeader: Sendable {
  let delimiter: UInt8
  let plan: ColumnPlan
  /// How its days are written.
  var dates: DateReading
  /// The ticker of all rows, in yfinance's header of several lines.
  private(set) var ticker: TickerSymbol?

  /// Whether numbers may have a decimal comma: where commas don't separate cells.
  var hasDecimalCommas: Bool { delimiter == UInt8(ascii: ";") }

  /// Reads the header from `line`, after a byte-order mark if there is one.
  init(_ line: TextView, file: String) throws(ImportError) {
    var reader = CSVHeaderReader(file: file)
    guard let header = try reader.take(line) else {
      throw .noDateColumn(file: file, header: CSVHeaderReader.shown(line))
    }
    self = header
  }

  /// - Parameter line: the header, as errors show it.
  init(
    _ names: [String], _ delimiter: UInt8, _ options: ImportOptions = ImportOptions(), line: String, file: String,
    ticker: TickerSymbol? = nil
  ) throws(ImportError) {
    self.delimiter = delimiter
    self.ticker = ticker
    plan = try ColumnPlan(names: names, uses: options.columnUses, header: line, file: file)
    dates = options.dates
  }

  /// The delimiter of a file with such a line: of tab, comma and semicolon the one that comes most often.
  static func delimiter(of line: TextView) -> UInt8 {
    let candidates = [UInt8(ascii: ","), UInt8(ascii: "\t"), UInt8(ascii: ";")]
    return candidates.map { byte in (byte, line.count { $0 == byte }) }
      .reduce((candidates[0], 0)) { $1.1 > $0.1 ? $1 : $0 }.0
  }

  /// The cells of a line, as names.
  static func names(_ text: TextView, _ delimiter: UInt8) -> [String] {
    let cells = CSVCells(delimiter: delimiter)
    var names: [String] = []
    var start = 0
    while start <= text.count {
      let (content, end) = cells.cell(of: text, from: start)
      names.append(ShownText.sanitized(text[content], byteCount: 100))
      start = end + 1
    }
    return names
  }

  static func withoutMark(_ line: TextView) -> TextView {
    line.starts(with: [0xEF, 0xBB, 0xBF]) ? line.part(from: 3) : line
  }
}

/// Reads a header line by line. Mostly it is one line; yfinance writes three:
///
///     Price,Close,High,Low,Open,Volume
///     Ticker,AAPL,AAPL,AAPL,AAPL,AAPL
///     Date,,,,,
struct CSVHeaderReader {
  let file: String
  var options = ImportOptions()

  /// The first line of several.
  private var first: (names: [String], delimiter: UInt8, line: String)?
  private var ticker: TickerSymbol?

  init(file: String, options: ImportOptions = ImportOptions()) { (self.file, self.options) = (file, options) }

  var hasBegun: Bool { first != nil }
  var shownLine: String { first?.line ?? "" }

  /// The header that ends with this line; nil if it goes on.
  mutating func take(_ line: TextView) throws(ImportError) -> CSVHeader? {
    guard let first else { return try begin(CSVHeader.withoutMark(line)) }
    let cells = CSVHeader.names(line, first.delimiter)
    if ticker == nil {
      guard let ticker = try ticker(cells) else { throw .noDateColumn(file: file, header: first.line) }
      self.ticker = ticker
      return nil
    }
    guard cells[0].lowercased() == "date", cells.dropFirst().allSatisfy(\.isEmpty) else {
      throw .noDateColumn(file: file, header: first.line)
    }
    return try CSVHeader(
      [cells[0]] + first.names.dropFirst(), first.delimiter, options, line: first.line, file: file, ticker: ticker)
  }

  /// The header that a file with such a first line would have if it is Quandl's file of a whole database, which has none:
  /// rows of 14 cells, the ticker, the day and the 12 values.
  func header(ofBulkRow line: TextView) throws(ImportError) -> CSVHeader? {
    let delimiter = UInt8(ascii: ",")
    guard options.columnUses.isEmpty, CSVHeader.withoutMark(line).count == line.count,
      line.count(where: { $0 == delimiter }) == Self.bulkNames.count - 1
    else {
      return nil
    }
    let cells = CSVHeader.names(line, delimiter)
    guard cells.count == Self.bulkNames.count, (try? TickerSymbol(cells[0])) != nil, TradingDay(cells[1]) != nil,
      cells.dropFirst(2).allSatisfy({ $0.isEmpty || Double($0) != nil })
    else { return nil }
    return try CSVHeader(Self.bulkNames, delimiter, options, line: Self.bulkNames.joined(separator: ","), file: file)
  }

  private static let bulkNames = ["ticker", "date"] + Attribute.allCases.map(\.wikiName)

  private mutating func begin(_ line: TextView) throws(ImportError) -> CSVHeader? {
    let delimiter = CSVHeader.delimiter(of: line)
    let names = CSVHeader.names(line, delimiter)
    let isFirstOfSeveral =
      ["", "Price"].contains(names[0]) && names.count > 1
      && names.dropFirst().allSatisfy { ColumnRole(named: $0).attribute != nil }
    if isFirstOfSeveral, options.columnUses.isEmpty {
      first = (names, delimiter, Self.shown(line))
      return nil
    }
    return try CSVHeader(names, delimiter, options, line: Self.shown(line), file: file)
  }

  /// The one ticker of the second line; nil if it is no such line.
  private func ticker(_ cells: [String]) throws(ImportError) -> TickerSymbol? {
    guard ["", "Ticker"].contains(cells[0]), let name = cells.dropFirst().first else { return nil }
    guard Set(cells.dropFirst()).count == 1 else { throw .severalTickers(file: file) }
    do throws(TickerSymbolError) { return try TickerSymbol(name) } catch { throw .badTicker(file: file, error) }
  }

  static func shown(_ line: TextView) -> String { ShownText.sanitized(line, byteCount: 200) }
}
