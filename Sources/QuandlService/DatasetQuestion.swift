import Quoin

/// What a time-series call asks for.
struct DatasetQuestion {
  let limit: Int?
  /// 0 is the day, which always comes; the attributes count from 1.
  let columnIndex: Int?
  let firstDay: TradingDay?
  let lastDay: TradingDay?
  let order: DateOrder?
  let collapse: Collapse?
  let transform: Transform?

  init(_ parameters: Parameters) throws(ServiceError) {
    limit = try parameters.number("limit", "rows", from: 0)
    columnIndex = try parameters.number("column_index")
    firstDay = try parameters.day("start_date", "trim_start")
    lastDay = try parameters.day("end_date", "trim_end")
    order = try parameters.choice("order", "sort_order")
    collapse = try parameters.choice("collapse")
    transform = try parameters.choice("transform", "transformation")
    try Self.refuseMisspelled(parameters)
  }

  private static let names = [
    "limit", "rows", "column_index", "start_date", "end_date", "order", "collapse", "transform",
  ]
  private static let others = [
    "trim_start", "trim_end", "sort_order", "transformation", "api_key", "auth_token", "authtoken", "api_version",
  ]

  /// Other parameters are none of the service's business, unless one of its own was probably meant.
  private static func refuseMisspelled(_ parameters: Parameters) throws(ServiceError) {
    for (name, _) in parameters.items where !names.contains(name) && !others.contains(name) {
      guard let nearest = Suggestion.nearestName(to: name, among: names) else { continue }
      throw ServiceError(.badParameter, "There is no parameter \(quoted(name)); did you mean \(nearest)?")
    }
  }

  /// The attributes that are asked for; nil when there is no such column.
  var attributes: [AttributeName]? {
    guard let columnIndex else { return AttributeName.allCases }
    let all = AttributeName.allCases
    if columnIndex == 0 { return [] }
    return (1...all.count).contains(columnIndex) ? [all[columnIndex - 1]] : nil
  }

  var columnNames: [JSONValue] {
    guard let attributes else { return ["Date", nil] }
    return ["Date"] + attributes.map { .string($0.datasetName) }
  }

  /// Whether the values that go out are those of the store.
  private var isPlain: Bool {
    (collapse ?? Collapse.none) == Collapse.none && (transform ?? Transform.none) == Transform.none
  }

  /// The newest row comes first unless the question says otherwise.
  private var dateOrder: DateOrder { order ?? .descending }

  /// The rows of a ticker, in pieces of a block's size.
  func rows(of ticker: TickerSymbol, in store: QuoteStore) throws -> RowBlocks {
    guard let attributes else { return RowBlocks() }
    let query = store.quotes(for: ticker).dates(from: firstDay, to: lastDay)
      .selecting(AttributeSet(attributes)).threads(1)
    guard !isPlain else {
      let ordered = query.ordered(dateOrder)
      let rows = try (limit.map(ordered.limited) ?? ordered).fetchColumns().columns
      return RowBlocks(Series(rows, of: attributes).cells, rows: 0..<rows.rowCount)
    }
    let series = Series(try query.fetchColumns().columns, of: attributes)
      .collapsed(collapse ?? Collapse.none).transformed(transform ?? Transform.none)
    let count = min(limit ?? .max, series.days.count)
    let first = dateOrder == .ascending ? 0 : series.days.count - count
    return RowBlocks(series.cells, rows: first..<(first + count), isReversed: dateOrder == .descending)
  }
}
