/// An error that ended an import. Each description says what happened, where, and how to fix it. Unless it is a store's
/// `commitUnknown`, nothing was imported.
///
/// Later versions may have more cases, so a `switch` needs an `@unknown default`.
#if hasAttribute(nonexhaustive)
  @nonexhaustive
#endif
public enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be opened; the number is the system's `errno`.
  case cannotOpen(file: String, errno: Int32)
  /// The file cannot be read; the number is the system's `errno`.
  case cannotRead(file: String, errno: Int32)
  /// The file is a gzip or a zip that is damaged, truncated, or of a kind that cannot be read; the offset is that of the
  /// packed byte at which reading stopped.
  case cannotUnpack(file: String, offset: Int, reason: String)
  /// The file has no text, or only blank lines.
  case empty(file: String)
  /// The directory has no file whose name ends like that of a text with quotes.
  case noFiles(directory: String)
  /// No column holds dates.
  case noDateColumn(file: String, header: String)
  /// The first line is a row; a guess says what its cells are, with `x2` for those of which nothing is known.
  case noHeader(file: String, row: String, guess: [String])
  /// Rows of JSON are arrays without names for their cells.
  case namelessCells(file: String, path: String, count: Int)
  /// There is a date, but no column holds an attribute.
  case noValueColumn(file: String, header: String)
  /// No column is known to hold dates, but one looks like it.
  case unknownDateColumn(file: String, header: String, column: String, example: String)
  /// Prices or volumes would be left out: the file has these attributes and lacks those, and columns that aren't known may hold them.
  case missingPrices(file: String, found: [Attribute], missing: [Attribute], unknown: [UnknownColumn])
  /// The file's days can be read in several ways, such as the example's.
  case ambiguousDates(file: String, example: String, readings: [String])
  /// A column's numbers can be read in two ways, such as the example.
  case ambiguousNumbers(file: String, column: String, example: String, readings: [String])
  /// The file's times are moments in UTC that may be the midnights of another zone.
  case foreignMidnights(file: String, example: String)
  /// The file's times are counted in several units, such as seconds and milliseconds.
  case mixedTimes(file: String)
  /// The file holds bars of minutes, hours or weeks.
  case otherBars(file: String, what: String)
  /// The rows are bars of parts of a day.
  case severalTimesADay(file: String, example: String)
  /// A line is the header of another table.
  case secondHeader(file: String, line: Int)
  /// The file doesn't name tickers, but a column that isn't known has several values.
  case severalInstruments(file: String, column: String, values: [String])
  /// Two spellings of a ticker that differ in case.
  case spellingsOfTicker(file: String, String, String)
  /// The text is one line, a message.
  case message(file: String, text: String)
  /// The text is of a kind that isn't read.
  case foreign(file: String, kind: String)
  /// None of the files has this column, of which the options say what it holds.
  case noSuchColumn(String)
  /// The file's name isn't of the form that the options say.
  case otherName(file: String, pattern: String)
  /// Two columns hold the same attribute.
  case repeatedColumn(file: String, column: String)
  /// A line of CSV or NDJSON is longer than 1 MiB.
  case lineTooLong(file: String, line: Int, byteCountMax: Int)
  /// A JSON document that comes from a stream or from memory is longer than 1 GiB.
  case documentTooLong(file: String, byteCountMax: Int)
  /// A JSON file has more than 256 MiB that aren't rows of an array.
  case tooMuchBesideRows(file: String, byteCountMax: Int)
  /// The text isn't valid JSON; the detail has the place.
  case notJSON(file: String, detail: String)
  /// The JSON document has an unknown shape. The path leads to what is wrong; it is empty for the whole document, and
  /// elements of arrays are counted from 1: `dataset_data.data.17`.
  case unknownShape(file: String, path: String, detail: String)
  /// The document is the vendor's answer to a failed request; the code is empty if it has none.
  case vendorError(file: String, code: String, message: String)
  /// Neither the rows nor the file's name nor the caller name the ticker.
  case noTicker(file: String)
  /// The file's name or its `dataset_code` is no ticker symbol.
  case badTicker(file: String, TickerSymbolError)
  /// The file holds quotes of another ticker than the caller's.
  case otherTicker(file: String, TickerSymbol, wanted: TickerSymbol)
  /// Some rows are bad, and the caller didn't ask to skip them.
  case rejected(BadRows)
  /// Bad rows were to be skipped, but there are no others.
  case noGoodRows(BadRows)
  /// The store that the rows were to go into can't be read or written.
  case store(StoreError)

  /// What happened, in which file, and how to fix it; for `rejected`, one more line for each of the first rows.
  public var description: String {
    switch self {
    case .cannotOpen(let file, let number): "cannot open \(file): \(systemMessage(number))"
    case .cannotRead(let file, let number): "cannot read \(file): \(systemMessage(number))"
    case .cannotUnpack(let file, let offset, let reason): "cannot unpack \(file), byte \(offset): \(reason)"
    case .empty(let file): "\(file) is empty; a CSV file begins with a header line"
    case .noFiles(let directory):
      "\(directory) has no file that ends in \(FileNamePattern.extensions.joined(separator: ", ")), .gz or .zip"
    case .noDateColumn(let file, let header):
      "\(file) has no column 'date'; its header is '\(header)', "
        + "where one such as 'date,open,high,low,close' is expected"
    case .noHeader(let file, let row, _):
      "\(file) has no header: its first line is the row '\(row)'; say what its columns are"
    case .namelessCells(let file, let path, let count):
      "\(file) is not a document of quotes: \(path.isEmpty ? "" : path + ": ")it is an array of arrays without names for their \(count) cells, and each service has another order; name them"
    case .noValueColumn(let file, let header):
      "\(file) has a date but none of open, high, low, close, volume and the other attributes; its header is '\(header)'"
    case .unknownDateColumn(let file, let header, let column, let example):
      "\(file) has no column 'date', but column '\(column)' looks like it (\(example)); its header is '\(header)'"
    case .missingPrices(let file, let found, let missing, let unknown):
      "\(file) has \(Self.list(found.map(\.wikiName))) but no \(Self.list(missing.map(\.wikiName), "or")), and columns that aren't known: "
        + Self.cut(unknown.map(\.description))
    case .ambiguousDates(let file, let example, let readings):
      "\(file) has dates such as \(example), which can be \(Self.list(readings, "or")); say which one with a date format"
    case .ambiguousNumbers(let file, let column, let example, let readings):
      "\(file), column \(column), has numbers such as \(example), which can be \(Self.list(readings, "or")); say which sign is before fractions"
    case .foreignMidnights(let file, let example):
      "\(file) has times such as \(example), which may be midnight in another time zone, where it is the next day; say in which zone the days are"
    case .mixedTimes(let file):
      "\(file) has times that are counted in several units, such as seconds and milliseconds; write them in one"
    case .otherBars(let file, let what): Self.otherBars(file, what)
    case .severalTimesADay(let file, let example):
      Self.otherBars(file, "it has several times a day, such as \(example)")
    case .secondHeader(let file, let line):
      "\(file), line \(line), is the header of another table; make a file of each table"
    case .severalInstruments(let file, let column, let values):
      "\(file) has rows of several securities in column '\(column)' (\(values.joined(separator: ", "))), but names no tickers"
    case .spellingsOfTicker(let file, let one, let other):
      "\(file) has the tickers '\(one)' and '\(other)', which would be one here, because tickers are kept in upper case; rename one of them"
    case .message(let file, let text): "\(file) holds no table but a message: \(text)"
    case .foreign(let file, let kind):
      "\(file) is \(kind), which isn't read here; \(Self.remedy(for: kind))"
    case .noSuchColumn(let name): "no file has a column '\(name)'"
    case .otherName(let file, let pattern): "the name of \(file) isn't of the form '\(pattern)'"
    case .repeatedColumn(let file, let column): "\(file) has two columns for '\(column)'; remove or rename one"
    case .lineTooLong(let file, let line, let limit):
      "\(file), line \(line): longer than \(limit) bytes; is this CSV or NDJSON?"
    case .documentTooLong(let file, let limit):
      "\(file) is longer than \(limit) bytes, more than a JSON document may be that isn't read from a file; save it as one, or use CSV"
    case .tooMuchBesideRows(let file, let limit):
      "\(file) has more than \(limit) bytes of JSON beside the rows of its arrays; write it as an array of rows, or as CSV"
    case .notJSON(let file, let detail): "\(file) is not valid JSON: \(detail)"
    case .unknownShape(let file, let path, let detail):
      "\(file) is not a document of quotes: \(path.isEmpty ? "" : path + ": ")\(detail)"
    case .vendorError(let file, let code, let message):
      "\(file) holds no quotes but the vendor's \(code.isEmpty ? "message" : "error \(code)"): \(message)"
    case .noTicker(let file):
      "\(file) does not say whose quotes it holds; name the ticker"
    case .badTicker(let file, let error):
      "\(file) does not say whose quotes it holds (\(error)); name the ticker"
    case .otherTicker(let file, let ticker, let wanted):
      "\(file) says that it holds quotes of \(ticker), not of \(wanted)"
    case .rejected(let rows): Self.text(of: rows)
    case .noGoodRows(let rows): "no row is good (\(rows.count) bad), so nothing was imported\n\(rows)"
    case .store(let error): error.description
    }
  }

  private static func otherBars(_ file: String, _ what: String) -> String {
    "\(file) holds bars of other lengths than a day: \(what); Quoin stores a row for each ticker and day"
  }

  private static func remedy(for kind: String) -> String {
    if kind.hasSuffix("archive") { return "unpack it" }
    return kind == "an Excel workbook" ? "save its sheet as CSV in UTF-8" : "convert it to CSV or JSON in UTF-8"
  }

  /// `open, high and low`
  private static func list(_ words: [String], _ last: String = "and") -> String {
    words.count < 2 ? words.joined() : "\(words.dropLast().joined(separator: ", ")) \(last) \(words[words.count - 1])"
  }

  /// The first ten of a list, and the number of the others.
  private static func cut(_ words: [String]) -> String {
    let first = words.prefix(10).joined(separator: ", ")
    return words.count > 10 ? "\(first) and \(words.count - 10) more" : first
  }

  private static func text(of rows: BadRows) -> String {
    let count = rows.count == 1 ? "1 row is bad" : "\(rows.count) rows are bad"
    let advice = rows.skippingHelps ? "fix the file, or import the rest" : "fix the file"
    return "\(count), so nothing was imported; \(advice)\n\(rows)"
  }
}
