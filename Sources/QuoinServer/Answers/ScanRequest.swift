import QuandlService
import Quoin

/// A question to `/api/v1/scan`: the rows that meet some conditions, as `quoin scan` selects them.
struct ScanRequest: ServerQuestion {
  private var predicates: [Predicate] = []
  private var tickers: [TickerSymbol]?
  private var first: TradingDay?
  private var last: TradingDay?
  private var columns = OutputColumn.all
  private var limit: Int?
  private var order = DateOrder.ascending
  private var format = ServedFormat.json

  static let route: ServerRoute = Route(
    "scan", "/api/v1/scan", "The rows that meet some conditions", asking: ScanRequest.self,
    mediaTypes: ServedFormat.mediaTypes
  ) { call, scan in try scan.answer(from: call.view.store, call.metrics) }

  static let parameters: [Parameter<ScanRequest>] = [
    .texts("where", "A condition such as 'high > 80 and low < 78'. May be repeated.") {
      $0.predicates.append(try predicate($1))
    },
    .list("tickers", "Tickers with commas between them; all if there are none.") { $0.tickers = try tickers($1) },
    .day("from", "Rows of this day and later.") { $0.first = $1 },
    .day("to", "Rows of this day and earlier.") { $0.last = $1 },
    .list("columns", "Columns with commas between them; all if there are none.") { $0.columns = try columns($1) },
    .text("limit", "The largest number of rows.", .number(from: 0)) { $0.limit = try limit($1) },
    .choice("order", among: DateOrder.self, default: .ascending, "Each ticker's rows by ascending or descending date.")
    {
      $0.order = $1
    },
    .format(\.format),
  ]

  init() {}

  /// The rows, made as they are asked for.
  ///
  /// - Parameter most: the largest number of rows that is answered.
  /// - Throws: `Refusal` when a ticker is unknown or there are too many rows, `StoreError` when the store is damaged.
  func answer(
    from store: QuoteStore, _ metrics: ServerMetrics, most: Int = ServerLimits.scanRowCount
  ) throws -> ServiceAnswer {
    let query = try query(in: store)
    try checkRowCount(of: query, in: store, most)
    let text = ScanText(query, columns, format.output) { metrics.scannedRows.increment(by: $0) }
    return ServiceAnswer(format.mediaType, body: AnswerBody { try text.next() })
  }

  private func query(in store: QuoteStore) throws -> QuoteQuery {
    try checkTickers(in: store)
    var query = (tickers.map { store.quotes(for: $0) } ?? store.allQuotes).threads(1)
    for predicate in predicates { query = query.where(predicate) }
    if first != nil || last != nil { query = query.dates(from: first, to: last) }
    if let limit { query = query.limited(to: limit) }
    return query.ordered(order).selecting(AttributeSet(columns.compactMap(\.attribute)))
  }

  private func checkTickers(in store: QuoteStore) throws {
    for ticker in tickers ?? [] where try store.tickerSummary(of: ticker) == nil {
      let hint = Suggestion.question(for: ticker.description, among: store.tickers.lazy.map(\.description), .none)
      throw Refusal(
        status: 404, code: "QECx02",
        message: "there are no quotes of \(ticker); " + (hint ?? "\(TickersRequest.route.pattern) lists the tickers"))
    }
  }

  /// Refuses too many rows before the first is sent, so that nothing is cut off silently.
  private func checkRowCount(of query: QuoteQuery, in store: QuoteStore, _ most: Int) throws {
    guard (limit ?? .max) > most, store.summary.rowCount > most else { return }
    let count = try query.count()
    guard count > most else { return }
    throw Refusal.wrongParameter(
      "\(count) rows are more than the \(most) of an answer; ask for fewer by where, tickers, from, to or limit")
  }
}

extension ScanRequest {
  private static func tickers(_ names: [String]) throws(Refusal) -> [TickerSymbol] {
    var tickers: [TickerSymbol] = []
    for name in names {
      do { tickers.append(try TickerSymbol(name)) } catch { throw .wrongParameter("tickers: \(error)") }
    }
    return tickers
  }

  private static func predicate(_ text: String) throws(Refusal) -> Predicate {
    do { return try Predicate(parsing: text) } catch { throw .wrongParameter("where: \(error)") }
  }

  private static func columns(_ names: [String]) throws(Refusal) -> [OutputColumn] {
    let known = OutputColumn.all.map(\.name)
    guard names.count <= known.count else { throw .wrongParameter("columns: there are \(known.count) at most") }
    var columns: [OutputColumn] = []
    for name in names {
      guard let column = OutputColumn(named: name) else {
        throw .wrongParameter(
          "there is no column '\(name.prefix(40))'; \(Suggestion.hint(for: name, among: known))")
      }
      columns.append(column)
    }
    return columns
  }

  private static func limit(_ text: String) throws(Refusal) -> Int {
    guard let limit = Int(text), limit >= 0 else {
      throw .wrongParameter("limit=\(text.prefix(40)) isn't a number of rows; write one from 0 on")
    }
    return limit
  }
}
