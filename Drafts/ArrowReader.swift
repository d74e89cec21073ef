import CQuoin
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Quotes from outside, as a stream of record batches with columns by name: a ticker and a date, and attributes.
///
/// Sound throughout: the caller has promised a stream that Arrow's specification allows. It is moved here, and released once.
@safe
final class ArrowReader {
  private var stream: ArrowArrayStream
  private var columns: [(role: Role, type: ArrowCellType, texts: ArrowCellType?)] = []
  private var rowCount = 0

  private enum Role: Equatable {
    case ticker, date
    case attribute(Attribute)
  }

  /// Takes the stream over, also when it fails.
  init(_ stream: UnsafeMutablePointer<ArrowArrayStream>) throws(Failure) {
    unsafe self.stream = stream.pointee
    unsafe stream.pointee.release = nil
    guard unsafe self.stream.release != nil else { throw Failure(.misuse, "the stream is released") }
    try readSchema()
  }

  deinit { unsafe stream.release?(&stream) }

  /// The attributes that there are columns of.
  var attributes: AttributeSet {
    AttributeSet(columns.compactMap { if case .attribute(let name) = $0.role { name } else { nil } })
  }

  private func readSchema() throws(Failure) {
    var schema = ArrowSchema()
    try check(unsafe stream.get_schema(&stream, &schema))
    defer { unsafe schema.release?(&schema) }
    guard unsafe String(cString: schema.format) == "+s" else { throw Failure(.syntax, "the stream has no columns") }
    for index in unsafe 0..<Int(schema.n_children) {
      let child = unsafe schema.children[index]!.pointee
      let name = unsafe child.name.map { unsafe String(cString: $0) } ?? ""
      let format = unsafe String(cString: child.format)
      let dictionary = unsafe child.dictionary.map { unsafe String(cString: $0.pointee.format) }
      let role = try Self.role(name)
      guard !columns.contains(where: { $0.role == role }) else { throw Failure(.syntax, "there are two columns '\(name.shown)'") }
      guard let type = ArrowCellType(format: format), let texts = try? dictionary.map(Self.texts) as ArrowCellType??,
        Self.fits(role, type, texts ?? nil)
      else { throw Failure(.syntax, "column '\(name.shown)' has values of Arrow's type '\((dictionary ?? format).shown)', which it can't have") }
      columns.append((role, type, texts ?? nil))
    }
    for role in [Role.ticker, .date] where !columns.contains(where: { $0.role == role }) {
      throw Failure(.syntax, "there is no column '\(role == .ticker ? "ticker" : "date")'")
    }
  }

  private static func texts(_ format: String) -> ArrowCellType? { ArrowCellType(format: format) }

  private static func role(_ name: String) throws(Failure) -> Role {
    switch name.lowercased() {
    case "ticker", "symbol": return .ticker
    case "date": return .date
    default:
      guard let attribute = Attribute(named: name) else {
        let names = Attribute.allCases.map(\.wikiName)
        throw Failure(.syntax, "unknown column '\(name.shown)'; \(Suggestion.hint(for: String(name.prefix(40)), among: names))")
      }
      return .attribute(attribute)
    }
  }

  private static func fits(_ role: Role, _ type: ArrowCellType, _ texts: ArrowCellType?) -> Bool {
    switch (role, type, texts) {
    case (.ticker, .text, nil), (.ticker, .largeText, nil), (.ticker, .textView, nil): true
    case (.ticker, .integer, .text), (.ticker, .integer, .largeText), (.ticker, .integer, .textView): true
    case (.date, .day, nil), (.date, .millisecondDay, nil), (.date, .timestamp, nil): true
    case (.attribute, .double, nil), (.attribute, .float, nil), (.attribute, .integer, nil), (.attribute, .decimal, nil): true
    default: false
    }
  }

  /// The quotes of the next batch, by ticker; nil at the end.
  func next() throws(Failure) -> [TickerSymbol: QuoteColumns]? {
    var array = ArrowArray()
    try check(unsafe stream.get_next(&stream, &array))
    guard unsafe array.release != nil else { return nil }
    defer { unsafe array.release?(&array) }
    guard unsafe Int(array.n_children) == columns.count else { throw Failure(.syntax, "a batch has other columns than the stream") }
    let start = unsafe Int(array.offset)
    var rows: [TickerSymbol: [Int]] = [:]
    var days: [TradingDay] = []
    let cells = columns.indices.map { index in unsafe ArrowCells(array.children[index]!, columns[index].type) }
    let count = unsafe Int(array.length)
    guard cells.allSatisfy({ $0.count >= start + count }) else { throw Failure(.syntax, "a column has fewer rows than its batch") }
    let (ticker, date) = (columns.firstIndex { $0.role == .ticker }!, columns.firstIndex { $0.role == .date }!)
    var symbols = unsafe Symbols(array.children[ticker]!, columns[ticker].texts)
    for row in 0..<count {
      guard let symbol = try symbols.symbol(cells[ticker], start + row) else { throw missing("ticker", row) }
      guard !cells[date].isNull(start + row), let day = cells[date].daysSince1970(start + row).flatMap({ TradingDay(daysSince1970: $0) })
      else { throw missing("date, which is a day or a midnight,", row) }
      rows[symbol, default: []].append(row)
      days.append(day)
    }
    var quotes: [TickerSymbol: QuoteColumns] = [:]
    for (symbol, rows) in rows {
      var part = QuoteColumns(days: rows.map { days[$0] }, attributes: attributes)
      for (column, cells) in zip(columns, cells) {
        guard case .attribute(let name) = column.role else { continue }
        switch name.key {
        case .double(let key):
          part[key] = rows.map { cells.isNull(start + $0) ? .missing : cells.double(start + $0) }
        case .integer(let key):
          part[key] = try rows.map { row throws(Failure) in
            if cells.isNull(start + row) || cells.isNaN(start + row) { return .missing }
            guard let number = cells.integer(start + row) else { throw missing("whole number of \(name.wikiName)", row) }
            return number
          }
        }
      }
      quotes[symbol] = part
    }
    rowCount += count
    return quotes
  }

  private func missing(_ what: String, _ row: Int) -> Failure {
    Failure(.syntax, "row \(rowCount + row) has no \(what)")
  }

  private func check(_ status: Int32) throws(Failure) {
    if status == 0 { return }
    let sentence = unsafe stream.get_last_error(&stream).map { unsafe String(cString: $0) }
    throw Failure(.io, "the stream of rows fails: \(sentence ?? unsafe String(cString: strerror(status)))")
  }
}

/// The tickers of a column, each checked once.
private struct Symbols {
  private var known: [Int64: TickerSymbol] = [:]
  private var byText: [String: TickerSymbol] = [:]
  private let dictionary: ArrowCells?

  init(_ array: UnsafePointer<ArrowArray>, _ texts: ArrowCellType?) {
    dictionary = unsafe texts.flatMap { texts in unsafe array.pointee.dictionary.map { unsafe ArrowCells($0, texts) } }
  }

  mutating func symbol(_ cells: ArrowCells, _ row: Int) throws(Failure) -> TickerSymbol? {
    if cells.isNull(row) { return nil }
    guard let dictionary else { return try cells.text(row).map { text throws(Failure) in try symbol(text) } }
    guard let place = cells.integer(row), place >= 0, place < dictionary.count else { return nil }
    if let symbol = known[place] { return symbol }
    guard !dictionary.isNull(Int(place)), let text = dictionary.text(Int(place)) else { return nil }
    let symbol = try symbol(text)
    known[place] = symbol
    return symbol
  }

  private mutating func symbol(_ text: String) throws(Failure) -> TickerSymbol {
    if let symbol = byText[text] { return symbol }
    do throws(TickerSymbolError) {
      let symbol = try TickerSymbol(text)
      byText[text] = symbol
      return symbol
    } catch { throw Failure(error, in: "ticker") }
  }
}
