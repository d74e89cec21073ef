import CQuoin
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Quotes from outside: a stream of record batches with a column of days, one of tickers, and attributes.
///
/// Sound throughout: the caller has promised a stream that Arrow's specification allows. It is moved here, and released once.
@safe
final class ArrowReader {
  private struct ReadColumn {
    let role: ColumnRole
    let type: ArrowCellType
    /// The type of the texts in its dictionary, if it has one.
    let texts: ArrowCellType?
    /// The place of the column in the stream.
    let place: Int
  }

  private var stream: ArrowArrayStream
  private let ticker: TickerSymbol?
  private let isIgnoringExtraColumns: Bool
  private var columns: [ReadColumn] = []
  private var childCount = 0
  private var rowCount = 0

  /// Takes the stream over, also when it fails.
  ///
  /// - Parameters:
  ///   - ticker: that of all rows; nil if there is a column of tickers.
  ///   - isIgnoringExtraColumns: whether columns that aren't known are left out; else they are an error.
  init(
    _ stream: UnsafeMutablePointer<ArrowArrayStream>, of ticker: TickerSymbol?,
    ignoringExtraColumns isIgnoringExtraColumns: Bool
  ) throws(Failure) {
    self.ticker = ticker
    self.isIgnoringExtraColumns = isIgnoringExtraColumns
    unsafe self.stream = stream.pointee
    unsafe stream.pointee.release = nil
    guard unsafe self.stream.release != nil else { throw Failure(.misuse, "the stream is released") }
    try readSchema()
  }

  deinit { unsafe stream.release?(&stream) }

  private func readSchema() throws(Failure) {
    var schema = unsafe ArrowSchema()
    try check(unsafe stream.get_schema(&stream, &schema))
    defer { unsafe schema.release?(&schema) }
    guard unsafe Self.text(schema.format) == "+s" else { throw Self.bad("the stream has no columns") }
    childCount = unsafe Int(schema.n_children)
    var extras: [String] = []
    for place in 0..<childCount {
      guard let child = unsafe schema.children?[place]?.pointee else { throw Self.bad("the stream's schema is broken") }
      let name = unsafe Self.text(child.name)
      // What pandas makes of an index without a name.
      if name.hasPrefix("__index_level_") { continue }
      if ColumnRole(named: name) == .ignored { extras.append(name) } else { try unsafe readField(child, name, place) }
    }
    if !isIgnoringExtraColumns { try Self.refuse(extras) }
    let wanted: [(ColumnRole, String)] = [(.date, "date")] + (ticker == nil ? [(.ticker, "ticker")] : [])
    for (role, name) in wanted where !columns.contains(where: { $0.role == role }) {
      throw Self.bad("there is no column '\(name)'")
    }
    if attributes.isEmpty { throw Self.bad("there is no column of values, such as 'close'") }
  }

  private func readField(_ field: ArrowSchema, _ name: String, _ place: Int) throws(Failure) {
    let role = ColumnRole(named: name)
    if ticker != nil, role == .ticker {
      throw Self.bad("there is a column '\(name.shown)', so the ticker can't be given beside it")
    }
    if columns.contains(where: { $0.role == role || $0.role.attribute.map { $0 == role.attribute } == true }) {
      throw Self.bad("two columns are taken for '\(name.shown)'")
    }
    let format = unsafe Self.text(field.format)
    let dictionary = unsafe field.dictionary.map { unsafe Self.text($0.pointee.format) }
    let (type, texts) = (ArrowCellType(format: format), dictionary.flatMap { ArrowCellType(format: $0) })
    let isRight =
      switch role {
      case .ticker: dictionary == nil ? type?.isText : texts?.isText
      case .date: dictionary == nil && type?.isDay == true
      default: dictionary == nil && type?.isNumber == true
      }
    guard let type, isRight == true else {
      throw Self.bad(
        "column '\(name.shown)' has Arrow's type '\((dictionary ?? format).shown)'; it has to be \(role.typeNames)")
    }
    if let zone = ArrowCellType.otherZone(format: format) {
      throw Self.bad(
        "column '\(name.shown)' has times of the zone '\(zone.shown)'; make them days first, as tz_localize(None) does in pandas"
      )
    }
    columns.append(ReadColumn(role: role, type: type, texts: texts, place: place))
  }

  /// Refuses columns that aren't known, with the nearest name if there is one.
  private static func refuse(_ extras: [String]) throws(Failure) {
    guard let first = extras.first else { return }
    let names = ["ticker", "date"] + Attribute.allCases.map(\.wikiName)
    let hint = Suggestion.hint(for: String(first.prefix(40)), among: names)
    let shown = extras.prefix(10).map { "'\($0.shown)'" }.joined(separator: ", ") + (extras.count > 10 ? ", ..." : "")
    throw bad(
      "unknown column\(extras.count > 1 ? "s" : "") \(shown); \(hint); on_extra \"ignore\" leaves such columns out")
  }

  private var attributes: AttributeSet {
    AttributeSet(columns.compactMap(\.role.attribute))
  }
}

// Batches.
extension ArrowReader {
  /// The quotes of the next batch, by ticker; nil at the end.
  func next() throws(Failure) -> [TickerSymbol: QuoteColumns]? {
    var array = unsafe ArrowArray()
    try check(unsafe stream.get_next(&stream, &array))
    guard unsafe array.release != nil else { return nil }
    defer { unsafe array.release?(&array) }
    let (start, count) = unsafe (Int(array.offset), Int(array.length))
    guard unsafe Int(array.n_children) == childCount, start >= 0, count >= 0 else {
      throw Self.bad("a batch has other columns than the stream")
    }
    var cells: [(column: ReadColumn, cells: ArrowCells)] = []
    for column in columns {
      guard let found = unsafe ArrowCells(array.children[column.place], column.type), found.count - start >= count
      else {
        throw Self.bad("a batch has a broken column")
      }
      cells.append((column, found))
    }
    let rows = start..<(start + count)
    let (tickers, days) = (
      unsafe try self.tickers(rows, cells, array.children), try self.days(rows, cells)
    )
    var quotes: [TickerSymbol: QuoteColumns] = [:]
    for (ticker, runs) in tickers { quotes[ticker] = try quotesOfTicker(runs, days, from: start, cells) }
    rowCount += count
    return quotes
  }

  private func quotesOfTicker(
    _ runs: [Range<Int>], _ days: [TradingDay], from start: Int, _ cells: [(column: ReadColumn, cells: ArrowCells)]
  ) throws(Failure) -> QuoteColumns {
    let count = runs.reduce(0) { $0 + $1.count }
    var (doubles, integers): ([Attribute: [Double]], [Attribute: [Int64]]) = ([:], [:])
    for (column, cells) in cells {
      guard let attribute = column.role.attribute else { continue }
      switch Column(of: attribute) {
      case .integers:
        if let numbers = wholeNumbers(runs, cells) {
          integers[attribute] = numbers
        } else {
          doubles[attribute] = try fractions(of: attribute, runs, start, cells)
        }
      case .doubles: doubles[attribute] = cells.doubles(runs, count: count)
      }
      if case .splits = column.role { doubles[attribute] = doubles[attribute]?.map(ColumnRole.splitRatio) }
    }
    let own = runs.flatMap { days[($0.lowerBound - start)..<($0.upperBound - start)] }
    do throws(QuoteColumnsError) { return try QuoteColumns(days: own, doubles: doubles, integers: integers) } catch {
      throw Failure(.other, "\(error)")
    }
  }

  /// The numbers of some rows; nil if one isn't whole.
  private func wholeNumbers(_ runs: [Range<Int>], _ cells: ArrowCells) -> [Int64]? {
    var numbers: [Int64] = []
    for row in runs.joined() {
      guard let number = cells.integer(row) else { return nil }
      numbers.append(number)
    }
    return numbers
  }

  /// The numbers of some rows, of which one has a fraction. A whole one must be a float64.
  private func fractions(
    of attribute: Attribute, _ runs: [Range<Int>], _ start: Int, _ cells: ArrowCells
  ) throws(Failure) -> [Double] {
    let values = cells.doubles(runs, count: runs.reduce(0) { $0 + $1.count })
    for (value, row) in zip(values, runs.joined()) where !value.isNaN {
      guard value.isFinite, cells.integer(row).map({ Int64(exactly: value) == $0 }) ?? cells.isFractional else {
        throw bad(
          row - start,
          "a \(attribute.wikiName) that isn't \(cells.isFractional ? "finite" : "a whole number below 2^63")")
      }
    }
    return values
  }

  private func days(
    _ rows: Range<Int>, _ cells: [(column: ReadColumn, cells: ArrowCells)]
  ) throws(Failure) -> [TradingDay] {
    guard let (_, cells) = cells.first(where: { $0.column.role == .date }) else { return [] }
    var (days, texts): ([TradingDay], TextDays) = ([], TextDays())
    days.reserveCapacity(rows.count)
    for row in rows {
      guard let day = cells.day(row, &texts) else {
        throw bad(
          row - rows.lowerBound, "no date; a date is a day, a midnight, a number as 20051014, or a text as 2005-10-14")
      }
      days.append(day)
    }
    return days
  }

  /// Where each ticker's rows are.
  private func tickers(
    _ rows: Range<Int>, _ cells: [(column: ReadColumn, cells: ArrowCells)],
    _ arrays: UnsafeMutablePointer<UnsafeMutablePointer<ArrowArray>?>
  ) throws(Failure) -> [TickerSymbol: [Range<Int>]] {
    if let ticker { return rows.isEmpty ? [:] : [ticker: [rows]] }
    guard let (column, cells) = cells.first(where: { $0.column.role == .ticker }) else { return [:] }
    var texts = cells
    if let type = column.texts {
      guard let found = unsafe ArrowCells(arrays[column.place]?.pointee.dictionary, type) else {
        throw Self.bad("a batch has a broken dictionary of tickers")
      }
      texts = found
    }
    var names = TickerNames()
    var result: [TickerSymbol: [Range<Int>]] = [:]
    var (first, current): (Int, TickerSymbol?) = (rows.lowerBound, nil)
    for row in rows {
      var place = row
      if column.texts != nil {
        guard let number = cells.integer(row), number >= 0, number < texts.count else {
          throw bad(row - rows.lowerBound, "no ticker")
        }
        place = Int(number)
      }
      guard let text = unsafe texts.text(place) else { throw bad(row - rows.lowerBound, "no ticker") }
      let ticker: TickerSymbol
      do throws(TickerSymbolError) { ticker = unsafe try names.symbol(text) } catch {
        throw bad(row - rows.lowerBound, "a bad ticker: \(error)")
      }
      if let current, ticker != current {
        result[current, default: []].append(first..<row)
        first = row
      }
      current = ticker
    }
    if let current { result[current, default: []].append(first..<rows.upperBound) }
    return result
  }

  private func check(_ status: Int32) throws(Failure) {
    if status == 0 { return }
    let sentence = unsafe stream.get_last_error(&stream) ?? UnsafePointer(strerror(status))
    throw Self.bad("the stream of rows fails: \(unsafe Self.text(sentence))")
  }

  /// - Parameter row: the place in the batch.
  private func bad(_ row: Int, _ what: String) -> Failure {
    Self.bad("row \(rowCount + row), counted from 0, has \(what)")
  }

  private static func bad(_ sentence: String) -> Failure { Failure(.badInput, sentence) }

  private static func text(_ text: UnsafePointer<CChar>?) -> String {
    unsafe text.map { unsafe String(cString: $0) } ?? ""
  }
}

extension ColumnRole {
  /// What its values can be.
  fileprivate var typeNames: String {
    switch self {
    case .ticker: "utf8"
    case .date: "date32, a timestamp, an integer as 20051014, or utf8"
    default: "a number"
    }
  }
}

/// The tickers of texts, most of which are like the one before.
private struct TickerNames {
  private var bytes: [UInt8] = []
  private var last: TickerSymbol?
  private var known: [[UInt8]: TickerSymbol] = [:]

  /// Sound: the text is read before this returns.
  mutating func symbol(_ text: UnsafeRawBufferPointer) throws(TickerSymbolError) -> TickerSymbol {
    if let last, unsafe bytes.count == text.count && bytes.elementsEqual(text) { return last }
    bytes.removeAll(keepingCapacity: true)
    unsafe bytes.append(contentsOf: text)
    let symbol: TickerSymbol
    if let found = known[bytes] {
      symbol = found
    } else {
      symbol = try TickerSymbol(utf8: bytes)
      known[bytes] = symbol
    }
    last = symbol
    return symbol
  }
}
