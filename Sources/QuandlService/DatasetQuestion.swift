import Quoin

/// What a call for a dataset's rows asks for.
struct DatasetQuestion: ServiceQuestion {
  private(set) var limit: Int?
  /// 0 is the day, which always comes; the attributes count from 1.
  private(set) var columnIndex: Int?
  private(set) var firstDay: TradingDay?
  private(set) var lastDay: TradingDay?
  private(set) var order: DateOrder?
  private(set) var collapse: Collapse?
  private(set) var transform: Transform?

  static let parameters: [Parameter<DatasetQuestion>] = [
    .number("limit", or: "rows", from: 0, "The largest number of rows.") { $0.limit = $1 },
    .number("column_index", "One column, from 1. 0 is the date, which always comes.") { $0.columnIndex = $1 },
    .day("start_date", or: "trim_start", "The first day, inclusive.") { $0.firstDay = $1 },
    .day("end_date", or: "trim_end", "The last day, inclusive.") { $0.lastDay = $1 },
    .choice("order", or: "sort_order", among: DateOrder.self, default: .descending, "Oldest or newest row first.") {
      $0.order = $1
    },
    .choice("collapse", among: Collapse.self, default: Collapse.none, "One row for each period.") { $0.collapse = $1 },
    .choice(
      "transform", or: "transformation", among: Transform.self, default: Transform.none,
      "Changes, sums or shares in place of values."
    ) { $0.transform = $1 },
  ]

  init() {}

  init(reading parameters: Parameters) throws {
    try read(Self.parameters, from: parameters)
    try Self.refuseMisspelled(parameters)
  }

  /// Unknown parameters are ignored, unless one is probably a misspelling of a known one.
  private static func refuseMisspelled(_ parameters: Parameters) throws(ServiceError) {
    let known = descriptions.flatMap(\.names)
    for (name, _) in parameters.items where !known.contains(name) && !Parameters.namesOfClients.contains(name) {
      guard let hint = Suggestion.question(for: name, among: known, .none) else { continue }
      throw ServiceError(.badParameter, "There is no parameter \(quoted(name)); \(hint)")
    }
  }

  /// The wanted attributes; nil if there is no such column.
  var attributes: [Attribute]? {
    guard let columnIndex else { return Attribute.allCases }
    let all = Attribute.allCases
    if columnIndex == 0 { return [] }
    return (1...all.count).contains(columnIndex) ? [all[columnIndex - 1]] : nil
  }

  var columnNames: [JSONValue] {
    guard let attributes else { return ["Date", nil] }
    return ["Date"] + attributes.map { .string($0.datasetName) }
  }

  /// Whether the answer has the store's values as they are.
  private var isPlain: Bool {
    (collapse ?? Collapse.none) == Collapse.none && (transform ?? Transform.none) == Transform.none
  }

  /// The newest row comes first unless the question says otherwise.
  private var dateOrder: DateOrder { order ?? .descending }

  /// The rows of a ticker, a block at a time.
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
