import QuandlService
import Quoin

/// A question to `/api/v1/scan`: the rows that meet some conditions, as `quoin scan` selects them.
struct ScanRequest: ServerQuestion {
  private var selection = Selection()
  private var columns: [QuoteFormatter.Column.Listed] = QuoteFormatter.Column.all.map { ($0, nil) }
  private var limit: Int?
  private var after: PageStart?
  private var order = RowOrder.date(.ascending)
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "scan", "/api/v1/scan", "The rows that meet some conditions", methods: [.get, .post], asking: ScanRequest.self,
    mediaTypes: ServedFormat.mediaTypes
  ) { call, scan in try scan.answer(from: call.view.store, call.metrics) }

  static let parameters: [Parameter<ScanRequest>] =
    Selection.parameters.map { $0.part(of: \.selection) } + [
      .text(
        "columns",
        "Columns with commas between them, such as 'date, close, mean(close, 20) as ma'; all if there are none."
      ) {
        $0.columns = try QuoteFormatter.Column.listed($1, of: "columns")
      },
      .text("limit", "The largest number of rows.", .number(from: 0)) { $0.limit = try limit($1) },
      .text("after", "Only the rows after this one: the last row of the page before, such as FDX,2005-10-14.") {
        $0.after = try PageStart($1)
      },
      .text(
        "order",
        """
        'asc' or 'desc': each ticker's rows by ascending (the default) or descending date; or what all rows are ordered by, such as \
        'volume desc'.
        """, default: "asc"
      ) { $0.order = try RowOrder(served: $1) },
      .format(\.format),
    ]

  init() {}

  /// The rows, made as they are asked for.
  ///
  /// - Throws: `Refusal` when a ticker is unknown or too many rows would be sorted, `StoreError` when the store is damaged.
  func answer(from store: QuoteStore, _ metrics: ServerMetrics) throws -> ServiceAnswer {
    var query = try selection.query(in: store, after: after)
    if let limit { query = query.limited(to: limit) }
    switch order {
    case .date(let order):
      query = query.ordered(order)
      if let after { query = query.where(after.predicate(order)) }
    case .values: try checkSorting(query)
    }
    query = query.selecting(AttributeSet(columns.compactMap(\.column.attribute)))
    for case (let column, let expression?) in columns { query = query.computing(column.name, expression) }
    let text = ScanText(query, order, columns.map(\.column), format.output) { metrics.scannedRows.increment(by: $0) }
    return ServiceAnswer(format.mediaType, body: AnswerBody { try text.next() })
  }

  /// Rows that are sorted are in memory at once.
  private func checkSorting(_ query: QuoteQuery) throws {
    if after != nil {
      throw Refusal.wrongParameter("after: pages are of rows by date; with an order by values, use limit alone")
    }
    let most = ServerLimits.sortedRows
    guard try limit ?? query.count() > most else { return }
    throw Refusal.wrongParameter(
      "order: at most \(most) rows come in the order of their values; add limit=\(most) or fewer")
  }
}

extension ScanRequest {
  static func limit(_ text: String, of parameter: String = "limit") throws(Refusal) -> Int {
    guard let limit = Int(text), limit >= 0 else {
      throw .wrongParameter("\(parameter)=\(text.prefix(40)) isn't a number of rows; write one from 0 on")
    }
    return limit
  }
}

extension RowOrder {
  /// The order that the parameter `order` spells.
  init(served text: String) throws(Refusal) {
    do throws(PredicateSyntaxError) { try self.init(parsing: text) } catch { throw .wrongParameter("order: \(error)") }
  }
}

extension QuoteFormatter.Column {
  /// The columns that a parameter lists, which may be computed.
  static func listed(_ text: String, of parameter: String) throws(Refusal) -> [Listed] {
    let columns: [Listed]
    do throws(ListError) { columns = try list(parsing: text) } catch {
      switch error {
      case .syntax(let error): throw .wrongParameter("\(parameter): \(error)")
      case .unknown(let name): throw .unknownColumn(name)
      case .repeated(let name, _):
        throw .wrongParameter("\(parameter): there would be two '\(name.prefix(40))'; name one with 'as'")
      }
    }
    guard columns.count <= ServerLimits.columns else {
      throw .wrongParameter("\(parameter): there are \(ServerLimits.columns) at most")
    }
    return columns
  }
}
