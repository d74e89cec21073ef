import Quoin

/// What a call of the table asks for.
struct TableQuestion {
  private(set) var tickers = TickerFilter()
  private(set) var conditions: [Predicate] = []
  /// The columns that go out, in this order.
  private(set) var columns = OutputColumn.all
  private(set) var rowsPerPage = ServiceLimits.rowsPerPage
  /// Where the page begins; nil for the first one.
  private(set) var start: TableKey?
  /// Whether a file of all rows is wanted in place of a page.
  private(set) var isExport = false
  private var filterValueCount = 0

  /// All rows with all columns.
  init() {}

  init(_ parameters: Parameters) throws(ServiceError) {
    for (name, values) in parameters.items {
      if name.hasPrefix("qopts.") {
        try setOption(name, values, parameters)
      } else if !Self.ignoredNames.contains(name) {
        try addFilter(name, values.flatMap { $0.split(separator: ",").map(String.init) })
      }
    }
  }

  /// What clients send beside the question.
  static let ignoredNames: Set = ["api_key", "auth_token", "authtoken", "api_version"]
  static let pageOptions: Set = ["qopts.export", "qopts.per_page", "qopts.cursor_id"]

  private mutating func setOption(_ name: String, _ values: [String], _ parameters: Parameters) throws(ServiceError) {
    switch name {
    case "qopts.columns": columns = try Self.columns(values.flatMap { $0.split(separator: ",") }.map(String.init))
    case "qopts.per_page":
      rowsPerPage = min(try parameters.number(name, from: 1) ?? .max, ServiceLimits.rowsPerPage)
    case "qopts.cursor_id": start = try Self.key(values)
    case "qopts.export": isExport = try parameters.choice(name, among: Truth.self) == .true
    default: throw Self.unknownOption(name)
    }
  }

  private enum Truth: String, CaseIterable {
    case `true`, `false`
  }

  private static func unknownOption(_ name: String) -> ServiceError {
    let names = pageOptions.sorted() + ["qopts.columns"]
    let hint = Suggestion.nearestName(to: name, among: names).map { "did you mean \($0)?" }
    return ServiceError(
      .badParameter, "There is no option \(quoted(name)); \(hint ?? "there are \(names.joined(separator: ", ")).")")
  }

  private static func key(_ values: [String]) throws(ServiceError) -> TableKey? {
    guard let cursor = values.last else { return nil }
    if let key = TableKey(cursor: cursor) { return key }
    throw ServiceError(
      .badCursor, "\(quoted(cursor)) is no cursor of this table: take meta.next_cursor_id of the page before.")
  }

  /// The columns of these names, each once.
  private static func columns(_ names: [String]) throws(ServiceError) -> [OutputColumn] {
    var columns: [OutputColumn] = []
    for name in names {
      let column = try column(name[...])
      if !columns.contains(column) { columns.append(column) }
    }
    return columns.isEmpty ? OutputColumn.all : columns
  }

  private static func column(_ name: Substring) throws(ServiceError) -> OutputColumn {
    if name.utf8.count <= ServiceLimits.valueByteCount, let column = OutputColumn(named: name) { return column }
    let names = OutputColumn.all.map(\.name)
    let hint = Suggestion.nearestName(to: String(name), among: names).map { "did you mean \($0)?" }
    throw ServiceError(
      .unknownColumn,
      "There is no column \(quoted(String(name))); \(hint ?? "there are \(names.joined(separator: ", ")).")")
  }
}

extension TableQuestion {
  private mutating func addFilter(_ name: String, _ values: [String]) throws(ServiceError) {
    let (columnName, comparison) = TableComparison.parse(name)
    let column = try Self.column(columnName)
    guard column != .ticker else { return tickers.add(comparison, values) }
    filterValueCount += values.count
    guard filterValueCount <= ServiceLimits.filterValueCount else {
      let limit = ServiceLimits.filterValueCount
      throw ServiceError(.tooLarge, "A table is filtered by \(limit) days and numbers at most; ask in several calls.")
    }
    var parts: [Predicate] = []
    for value in values { parts.append(try Self.predicate(column, comparison, value, name)) }
    // One of the listed values, but every comparison.
    conditions.append(comparison == .equal ? .any(parts) : .all(parts))
  }

  private static func predicate(
    _ column: OutputColumn, _ comparison: TableComparison, _ value: String, _ name: String
  ) throws(ServiceError) -> Predicate {
    guard case .attribute(let attribute) = column else {
      guard let day = TradingDay(parameter: value) else { throw .badValue(value, of: name, TradingDay.parameterForm) }
      return .date(comparison.bounds(day))
    }
    guard value.utf8.count <= ServiceLimits.valueByteCount, let number = DecimalLiteral(Array(value.utf8)[...]) else {
      throw .badValue(value, of: name, "it is a number such as 86.9")
    }
    if let key = Attribute<Int64>(name: attribute) { return .integer(key, comparison.bounds(number.integerPosition)) }
    guard let key = Attribute<Double>(name: attribute) else { return .any([]) }
    return .double(key, comparison.bounds(number.double))
  }
}
