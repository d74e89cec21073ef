import Quoin

/// What a call for a table's rows asks for.
struct TableQuestion: ServiceQuestion {
  private(set) var tickers = TickerFilter()
  private(set) var conditions: [Predicate] = []
  /// The wanted columns, in this order.
  private(set) var columns = QuoteFormatter.Column.all
  private(set) var rowsPerPage = ServiceLimits.rowsPerPage
  /// The first row of the page; nil for the first page.
  private(set) var start: TableKey?
  /// Whether the answer is a link to a file of all rows, in place of a page.
  private(set) var isExport = false
  private var filterValueCount = 0

  /// All rows with all columns.
  init() {}

  static let parameters: [Parameter<TableQuestion>] =
    [
      filter("ticker", "Tickers with commas between them. Any column may be given like that."),
      filter("date.gte", "Rows of this day and later. Any column has .eq, .gt, .gte, .lt and .lte."),
    ] + pageOptions + [
      .list("qopts.columns", "The wanted columns, with commas between them; all if there are none.") {
        $0.columns = try columns($1)
      }
    ]

  /// What belongs to a page, and not to a file of all rows.
  static let pageOptions: [Parameter<TableQuestion>] = [
    .text("qopts.cursor_id", "The cursor that the previous page gave, for the next page.") { $0.start = try key($1) },
    .choice("qopts.export", among: Truth.self, default: .false, "Whether to get a link to a file of all rows.") {
      $0.isExport = $1 == .true
    },
    .number("qopts.per_page", from: 1, default: ServiceLimits.rowsPerPage, "Rows of a page, at most the default.") {
      $0.rowsPerPage = min($1, ServiceLimits.rowsPerPage)
    },
  ]

  private enum Truth: String, CaseIterable {
    case `true`, `false`
  }

  /// One of the filters. The description has two of them as examples for all columns and comparisons.
  private static func filter(_ name: String, _ meaning: String) -> Parameter<TableQuestion> {
    .list(name, meaning) { question, values in try question.addFilter(name, values) }
  }

  /// Reads the parameters in the order in which they are given. Every name is an option or a filter.
  init(reading parameters: Parameters) throws {
    for name in parameters.namesWithoutValue where !Parameters.namesOfClients.contains(name) && !Self.isOption(name) {
      try refuseNoValue(of: name)
    }
    for (name, values) in parameters.items where !Parameters.namesOfClients.contains(name) {
      if let parameter = Self.parameters.first(where: { $0.name == name }) {
        try read([parameter], from: parameters)
      } else if Self.isOption(name) {
        throw Self.unknownOption(name)
      } else {
        try addFilter(name, values.flatMap { $0.split(separator: ",").map(String.init) })
      }
    }
  }

  private static func isOption(_ name: String) -> Bool { name.hasPrefix("qopts.") }

  private static func unknownOption(_ name: String) -> ServiceError {
    let names = parameters.map(\.name).filter(isOption)
    let hint = Suggestion.hint(for: name, among: names, .none, end: ".")
    return ServiceError(.badParameter, "There is no option \(quoted(name)); \(hint)")
  }

  private static func key(_ cursor: String) throws(ServiceError) -> TableKey {
    if let key = TableKey(cursor: cursor) { return key }
    throw ServiceError(
      .badCursor, "\(quoted(cursor)) isn't a cursor of this table: take meta.next_cursor_id of the page before.")
  }

  /// The columns of these names, each once.
  private static func columns(_ names: [String]) throws(ServiceError) -> [QuoteFormatter.Column] {
    var columns: [QuoteFormatter.Column] = []
    for name in names {
      let column = try column(name[...])
      if !columns.contains(column) { columns.append(column) }
    }
    return columns.isEmpty ? QuoteFormatter.Column.all : columns
  }

  private static func column(_ name: Substring) throws(ServiceError) -> QuoteFormatter.Column {
    if name.utf8.count <= ServiceLimits.valueByteCount, let column = QuoteFormatter.Column(named: name) {
      return column
    }
    let hint = Suggestion.hint(for: String(name), among: QuoteFormatter.Column.all.map(\.name), .none, end: ".")
    throw ServiceError(.unknownColumn, "There is no column \(quoted(String(name))); \(hint)")
  }
}

extension TableQuestion {
  private mutating func addFilter(_ name: String, _ values: [String]) throws(ServiceError) {
    let (columnName, comparison) = TableComparison.parse(name)
    let column = try Self.column(columnName)
    guard !values.isEmpty else { throw .noValue(of: name, comparison) }
    guard column != .ticker else { return tickers.add(comparison, values) }
    filterValueCount += values.count
    guard filterValueCount <= ServiceLimits.filterValueCount else {
      let limit = ServiceLimits.filterValueCount
      throw ServiceError(.tooLarge, "A table is filtered by \(limit) days and numbers at most; ask in several calls.")
    }
    var parts: [Predicate] = []
    for value in values { parts.append(try Self.predicate(column, comparison, value, name)) }
    // A row has one of the listed values, and passes every comparison.
    conditions.append(comparison == .equal ? .any(parts) : .all(parts))
  }

  private func refuseNoValue(of name: String) throws(ServiceError) {
    let (columnName, comparison) = TableComparison.parse(name)
    _ = try Self.column(columnName)
    throw .noValue(of: name, comparison)
  }

  private static func predicate(
    _ column: QuoteFormatter.Column, _ comparison: TableComparison, _ value: String, _ name: String
  ) throws(ServiceError) -> Predicate {
    guard case .attribute(let attribute) = column else {
      guard let day = TradingDay(parameter: value) else { throw .badValue(value, of: name, TradingDay.parameterForm) }
      return .date(comparison.bounds(day))
    }
    guard value.utf8.count <= ServiceLimits.valueByteCount, let number = DecimalLiteral(Array(value.utf8)[...]) else {
      throw .badValue(value, of: name, "it is a number such as 86.9")
    }
    return comparison.predicate(attribute, number.exactNumber)
  }
}
