#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why an import brought nothing: each description says what happened, where, and how to fix it.
public enum ImportError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read; the number is the system's `errno`.
  case cannotOpen(file: String, errno: Int32)
  /// The file was opened and cannot be read to its end; the number is the system's `errno`.
  case cannotRead(file: String, errno: Int32)
  /// The program that unpacks the file is not there.
  case toolMissing(file: String, tool: String)
  /// The program that unpacks the file failed, as it does on a truncated archive; in its own words.
  case cannotUnpack(file: String, tool: String, detail: String)
  /// Packed data came through a pipe, where the unpacking program cannot read it.
  case packedStream(file: String)
  /// The file has no bytes.
  case empty(file: String)
  /// A CSV file's header names no column of dates.
  case noDateColumn(file: String, header: String)
  /// A CSV file's header names two columns for one attribute.
  case repeatedColumn(file: String, column: String)
  /// A line is longer than `Limits` allows, as in a file that isn't text.
  case lineTooLong(file: String, line: Int, byteCountMax: Int)
  /// A JSON document is longer than `Limits` allows.
  case documentTooLong(file: String, byteCountMax: Int)
  /// The text is no JSON; the detail is the decoder's.
  case notJSON(file: String, detail: String)
  /// The JSON document has none of the known shapes.
  case unknownShape(file: String, detail: String)
  /// The document is the vendor's answer to a failed request.
  case vendorError(file: String, code: String, message: String)
  /// Neither the rows nor the file's name nor the caller say whose quotes these are.
  case noTicker(file: String)
  /// The text in the ticker's place is not a ticker symbol.
  case badTicker(file: String, TickerSymbolError)
  /// Rows are bad, and the caller did not ask to skip them.
  case rejected(BadRows)

  /// What happened, in which file, and how to fix it; for `rejected`, one more line for each of the first rows.
  public var description: String {
    switch self {
    case .cannotOpen(let file, let number): "cannot open \(file): \(Self.text(of: number))"
    case .cannotRead(let file, let number): "cannot read \(file): \(Self.text(of: number))"
    case .toolMissing(let file, let tool):
      "cannot unpack \(file): the program '\(tool)' is not installed; install it, or unpack the file first"
    case .cannotUnpack(let file, let tool, let detail):
      "cannot unpack \(file): \(tool) says: \(detail); the archive may be truncated"
    case .packedStream(let file):
      "\(file) is packed, and a pipe cannot be unpacked here; unpack it on the way: gzip -dc FILE | quoin import -"
    case .empty(let file): "\(file) is empty; a CSV file begins with a header line"
    case .noDateColumn(let file, let header):
      "\(file) has no column 'date'; its header is '\(header)', "
        + "where one such as 'date,open,high,low,close' is expected"
    case .repeatedColumn(let file, let column): "\(file) has two columns for '\(column)'; remove or rename one"
    case .lineTooLong(let file, let line, let limit):
      "\(file), line \(line): longer than \(limit) bytes; is this a CSV file?"
    case .documentTooLong(let file, let limit):
      "\(file) is longer than \(limit) bytes, more than one JSON document may be; split it, or use CSV"
    case .notJSON(let file, let detail): "\(file) is not valid JSON: \(detail)"
    case .unknownShape(let file, let detail): "\(file) is not a Quandl document: \(detail)"
    case .vendorError(let file, let code, let message):
      "\(file) holds no quotes but the vendor's error \(code): \(message)"
    case .noTicker(let file):
      "\(file) does not say whose quotes it holds; name the ticker"
    case .badTicker(let file, let error):
      "\(file) does not say whose quotes it holds (\(error)); name the ticker"
    case .rejected(let rows): Self.text(of: rows)
    }
  }

  private static func text(of rows: BadRows) -> String {
    let count = rows.count == 1 ? "1 row is bad" : "\(rows.count) rows are bad"
    return "\(count), so nothing was imported; mend the file, or import the rest\n\(rows)"
  }

  private static func text(of number: Int32) -> String {
    guard let text = unsafe strerror(number) else { return "error \(number)" }
    return unsafe String(cString: text)
  }
}
