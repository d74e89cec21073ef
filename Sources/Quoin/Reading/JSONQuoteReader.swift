#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Reads one Quandl document: `dataset_data`, `dataset` or `datatable`.
///
///     {"dataset_data":{"column_names":["Date","Open",...],"data":[["2005-10-14",86.9,...],...],...}}
///     {"dataset":{"dataset_code":"FDX","column_names":[...],"data":[...],...}}
///     {"datatable":{"data":[["FDX","2005-10-14",86.9,...],...],"columns":[{"name":"ticker",...},...]},"meta":{...}}
///
/// Each cell is decoded as a number, straight from the row's array: for 9,400 rows that took a third of the time that
/// decoding an enum for each cell took.
enum JSONQuoteReader {
  /// - Parameter options: what the caller says of columns and dates.
  static func read(
    _ bytes: [UInt8], _ options: ImportOptions = ImportOptions(), file: String
  ) throws(ImportError) -> JSONQuoteDocument {
    let decoder = JSONDecoder()
    if let key = JSONQuoteDocument.optionsKey { decoder.userInfo[key] = options }
    do {
      return try decoder.decode(JSONQuoteDocument.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw importError(error, file: file)
    } catch let error as JSONDocumentError {
      throw error.importError(file: file)
    } catch let error as ImportError {
      throw error.naming(file)
    } catch {
      throw .notJSON(file: file, detail: "\(error)")
    }
  }

  /// The error with the decoder's message, in one line.
  private static func importError(_ error: DecodingError, file: String) -> ImportError {
    switch error {
    case .dataCorrupted(let context):
      let cause = context.underlyingError.map { ShownText.sanitized(plain($0).utf8, byteCount: 300) }
      return .notJSON(file: file, detail: cause ?? context.debugDescription)
    case .keyNotFound(let key, let context):
      return .unknownShape(file: file, path: path(context), detail: "'\(key.stringValue)' is missing")
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      return .unknownShape(file: file, path: path(context), detail: context.debugDescription)
    @unknown default: return .notJSON(file: file, detail: "\(error)")
    }
  }

  private static func path(_ context: DecodingError.Context) -> String {
    context.codingPath.map { $0.intValue.map { "\($0 + 1)" } ?? $0.stringValue }.joined(separator: ".")
  }

  /// Only Darwin's decoder names a cause, an `NSError` whose description would be several lines.
  private static func plain(_ cause: any Error) -> String {
    #if canImport(FoundationEssentials)
      return "\(cause)"
    #else
      return (cause as NSError).userInfo["NSDebugDescription"] as? String ?? "\(cause)"
    #endif
  }
}

/// The reason why a well-formed document has no quotes.
enum JSONDocumentError: Error {
  case unknownShape(String)
  case vendor(code: String, message: String)

  func importError(file: String) -> ImportError {
    switch self {
    case .unknownShape(let detail): .unknownShape(file: file, path: "", detail: detail)
    case .vendor(let code, let message): .vendorError(file: file, code: code, message: message)
    }
  }
}

extension ImportError {
  /// The error of a column plan, with the file's name, which a decoder doesn't know.
  fileprivate func naming(_ file: String) -> ImportError {
    switch self {
    case .noDateColumn(_, let header): .noDateColumn(file: file, header: header)
    case .noValueColumn(_, let header): .noValueColumn(file: file, header: header)
    case .repeatedColumn(_, let column): .repeatedColumn(file: file, column: column)
    default: self
    }
  }
}

/// The rows of a document, and what it says about itself.
struct JSONQuoteDocument: Decodable {
  private(set) var rows: [ParsedRows] = []
  private(set) var datasetCode: String?
  /// Where a decoder has what the caller says of columns and dates.
  static let optionsKey = CodingUserInfoKey(rawValue: "options")
  private(set) var hasTickerColumn = false
  private(set) var columns: [ImportedFile.Column] = []

  private enum Key: String, CodingKey {
    case datasetData = "dataset_data"
    case dataset, datatable
    case vendorError = "quandl_error"
  }

  private enum BodyKey: String, CodingKey {
    case datasetCode = "dataset_code"
    case columnNames = "column_names"
    case columns, data
  }

  private struct Column: Decodable { let name: String }

  private struct VendorError: Decodable {
    let code: String?
    let message: String?
  }

  init(from decoder: any Decoder) throws {
    guard let document = try? decoder.container(keyedBy: Key.self) else {
      throw JSONDocumentError.unknownShape(
        "it isn't an object; one with 'dataset_data', 'dataset' or 'datatable' is expected")
    }
    if document.contains(.vendorError) {
      let error = try document.decode(VendorError.self, forKey: .vendorError)
      throw JSONDocumentError.vendor(code: error.code ?? "without a code", message: error.message ?? "no message")
    }
    guard let key = [Key.datasetData, .dataset, .datatable].first(where: document.contains) else {
      throw JSONDocumentError.unknownShape("it has neither 'dataset_data' nor 'dataset' nor 'datatable'")
    }
    let options = Self.optionsKey.flatMap { decoder.userInfo[$0] as? ImportOptions } ?? ImportOptions()
    try readBody(document.nestedContainer(keyedBy: BodyKey.self, forKey: key), options, isTable: key == .datatable)
  }

  private mutating func readBody(
    _ body: KeyedDecodingContainer<BodyKey>, _ options: ImportOptions, isTable: Bool
  ) throws {
    datasetCode = try body.decodeIfPresent(String.self, forKey: .datasetCode)
    let names =
      isTable
      ? try body.decode([Column].self, forKey: .columns).map(\.name)
      : try body.decode([String?].self, forKey: .columnNames).map { $0 ?? "" }
    let header = ShownText.sanitized(names.joined(separator: ",").utf8, byteCount: 200)
    let plan = try ColumnPlan(names: names, uses: options.columnUses, header: header, file: "")
    hasTickerColumn = plan.hasTicker
    columns = plan.columns
    guard body.contains(.data) else { throw JSONDocumentError.unknownShape("it has no 'data', only a description") }
    var reader = JSONRowReader(plan: plan, dates: options.dates)
    try reader.read(body.nestedUnkeyedContainer(forKey: .data))
    rows = reader.rows
  }
}
