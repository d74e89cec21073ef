/// A query on a table: which columns and rows.
public struct DatatableQuery: Hashable, Sendable {
  /// How a column's value compares with a given one. In a request, the raw value follows the column's name.
  public enum Comparison: String, Hashable, Sendable {
    /// The same value.
    case equal = ""
    /// A greater value.
    case greater = ".gt"
    /// A smaller value.
    case less = ".lt"
    /// The same value or a greater one.
    case atLeast = ".gte"
    /// The same value or a smaller one.
    case atMost = ".lte"
  }

  struct Filter: Hashable, Sendable {
    let name: String
    let values: [String]
  }

  /// The table.
  public let table: DatasetCode
  /// The wanted columns; all columns if this is empty.
  public var columns: [String] = []
  /// The number of rows of a page; nil leaves it to the service, which also has a largest number.
  public var pageRowCount: Int?
  private(set) var filters: [Filter] = []

  /// All rows and columns of a table.
  public init(_ table: DatasetCode = "WIKI/PRICES") { self.table = table }

  /// The same query, only for rows whose value of `column` is one of these.
  public func filtered(_ column: String, in values: [String]) -> Self { adding(Filter(name: column, values: values)) }

  /// The same query, only for rows whose value of `column` compares in this way.
  public func filtered(_ column: String, _ comparison: Comparison, _ value: String) -> Self {
    adding(Filter(name: column + comparison.rawValue, values: [value]))
  }

  /// The number of tickers that it names.
  var tickerCount: Int { filters.first { $0.name == "ticker" }?.values.count ?? 0 }

  private func adding(_ filter: Filter) -> Self {
    var query = self
    query.filters.append(filter)
    return query
  }
}

extension DatatableQuery {
  /// Each parameter with its values: one, or a list.
  private func parameters(cursor: String?, isExport: Bool) -> [(name: String, values: [String], isList: Bool)] {
    var result = filters.map { ($0.name, $0.values, $0.values.count != 1) }
    if !columns.isEmpty { result.append(("qopts.columns", columns, true)) }
    if let pageRowCount, !isExport { result.append(("qopts.per_page", ["\(pageRowCount)"], false)) }
    if let cursor { result.append(("qopts.cursor_id", [cursor], false)) }
    if isExport { result.append(("qopts.export", ["true"], false)) }
    return result
  }

  /// The call for a page, or for the export.
  func call(_ base: ServiceBase, cursor: String? = nil, isExport: Bool = false) -> Call {
    let parameters = parameters(cursor: cursor, isExport: isExport)
    let items = parameters.flatMap { parameter in
      parameter.values.map { (name: parameter.isList ? parameter.name + "[]" : parameter.name, value: Optional($0)) }
    }
    let route = isExport ? "\(route).json" : route
    let call = Call(base.url(route, items))
    guard call.url.text.utf8.count > Self.addressByteCountMax else { return call }
    // Servers and proxies refuse longer addresses.
    var post = Call(base.url(route))
    post.body = Self.json(parameters)
    return post
  }

  /// The table's address without a query. The store's record of the import names it as the origin.
  var route: String { "datatables/\(table.path)" }

  private static let addressByteCountMax = 6000

  private static func json(_ parameters: [(name: String, values: [String], isList: Bool)]) -> [UInt8] {
    let members = parameters.map { parameter in
      let values = parameter.values.map(quoted).joined(separator: ",")
      return quoted(parameter.name) + ":" + (parameter.isList ? "[\(values)]" : values)
    }
    return Array("{\(members.joined(separator: ","))}".utf8)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\u{0}"..."\u{1f}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
