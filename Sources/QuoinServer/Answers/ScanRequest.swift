import QuandlService
import Quoin

/// A question to `/api/v1/scan`: the rows for which conditions hold, as `quoin scan` has them.
struct ScanRequest {
  static let parameters = ["where", "tickers", "from", "to", "columns", "limit", "order", "format"]

  private let tickers: [TickerSymbol]?
  private let predicates: [Predicate]
  private let first: TradingDay?
  private let last: TradingDay?
  private let columns: [OutputColumn]
  private let limit: Int?
  private let order: DateOrder
  private let format: OutputFormat

  /// - Throws: `Refusal` when a parameter is unknown or wrong.
  init(_ request: ServiceRequest) throws(Refusal) {
    let query = try QueryReader(request.query, known: Self.parameters)
    tickers = try Self.tickers(query.list("tickers"))
    predicates = try Self.predicates(query.all("where"))
    (first, last) = (try Self.day("from", query), try Self.day("to", query))
    columns = try Self.columns(query.list("columns"))
    limit = try Self.limit(query.value("limit"))
    order = try query.word("order", of: DateOrder.allCases) ?? .ascending
    format = try OutputFormat(query, accept: request.accept)
  }

  /// The rows, made as they are asked for.
  ///
  /// - Parameter most: how many there may be.
  /// - Throws: `Refusal` when a ticker is unknown or there are too many rows, `StoreError` when the store is damaged.
  func answer(
    from store: QuoteStore, _ metrics: ServerMetrics, most: Int = ServerLimits.scanRowCount
  ) throws -> ServiceAnswer {
    let query = try query(in: store)
    try checkRowCount(of: query, in: store, most)
    let text = ScanText(query, columns, format) { metrics.scannedRows.increment(by: $0) }
    return ServiceAnswer(
      headers: [("content-type", format.mediaType)], body: AnswerBody { try text.next() })
  }

  private func query(in store: QuoteStore) throws -> QuoteQuery {
    try checkTickers(in: store)
    var query = (tickers.map { store.quotes(for: $0) } ?? store.allQuotes).threads(1)
    for predicate in predicates { query = query.where(predicate) }
    if first != nil || last != nil { query = query.dates(from: first, to: last) }
    if let limit { query = query.limited(to: limit) }
    let attributes = columns.compactMap { if case .attribute(let name) = $0 { name } else { nil } }
    return query.ordered(order).selecting(AttributeSet(attributes))
  }

  private func checkTickers(in store: QuoteStore) throws {
    for ticker in tickers ?? [] where try store.tickerSummaries(of: [ticker]).isEmpty {
      let nearest = Suggestion.nearestName(to: "\(ticker)", among: store.tickers.lazy.map(\.description))
      throw Refusal(
        status: 404, code: "QECx02",
        message: "there are no quotes of \(ticker); "
          + (nearest.map { "did you mean \($0)?" } ?? "\(Route.tickers.path) lists what there is"))
    }
  }

  /// Nothing is cut off silently: too many rows are refused before the first is sent.
  private func checkRowCount(of query: QuoteQuery, in store: QuoteStore, _ most: Int) throws {
    guard (limit ?? .max) > most, store.summary.rowCount > most else { return }
    let count = try query.count()
    guard count > most else { return }
    throw Refusal.wrongParameter(
      "\(count) rows are more than the \(most) of an answer; ask for fewer by where, tickers, from, to or limit")
  }
}

extension ScanRequest {
  private static func tickers(_ names: [String]?) throws(Refusal) -> [TickerSymbol]? {
    guard let names else { return nil }
    var tickers: [TickerSymbol] = []
    for name in names {
      do { tickers.append(try TickerSymbol(name)) } catch { throw .wrongParameter("tickers: \(error)") }
    }
    return tickers
  }

  private static func predicates(_ texts: [String]) throws(Refusal) -> [Predicate] {
    var predicates: [Predicate] = []
    for text in texts {
      do { predicates.append(try Predicate(parsing: text)) } catch { throw .wrongParameter("where: \(error)") }
    }
    return predicates
  }

  private static func day(_ name: String, _ query: QueryReader) throws(Refusal) -> TradingDay? {
    guard let text = try query.value(name) else { return nil }
    guard let day = TradingDay(text) else {
      throw .wrongParameter("\(name)=\(text.prefix(40)) is no date; write it as YYYY-MM-DD, such as 2005-10-14")
    }
    return day
  }

  private static func columns(_ names: [String]?) throws(Refusal) -> [OutputColumn] {
    guard let names else { return OutputColumn.all }
    let known = OutputColumn.all.map(\.name)
    guard names.count <= known.count else { throw .wrongParameter("columns: there are \(known.count) at most") }
    var columns: [OutputColumn] = []
    for name in names {
      guard let column = OutputColumn(named: name) else {
        let nearest = Suggestion.nearestName(to: name, among: known).map { "did you mean '\($0)'?" }
        throw .wrongParameter(
          "there is no column '\(name.prefix(40))'; " + (nearest ?? "there are \(known.joined(separator: ", "))"))
      }
      columns.append(column)
    }
    return columns
  }

  private static func limit(_ text: String?) throws(Refusal) -> Int? {
    guard let text else { return nil }
    guard let limit = Int(text), limit >= 0 else {
      throw .wrongParameter("limit=\(text.prefix(40)) is no number of rows; write one from 0 on")
    }
    return limit
  }
}
