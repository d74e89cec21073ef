import QuandlService
import Quoin

/// The rows that a question of the server's own routes is about: tickers, days and conditions.
struct Selection: ServerQuestion {
  private var predicates: [Predicate] = []
  private var tickers: [TickerSymbol]?
  private var first: TradingDay?
  private var last: TradingDay?

  static let parameters: [Parameter<Selection>] = [
    .texts("where", "A condition such as 'high > 80 and low < 78'. May be repeated.") {
      $0.predicates.append(try predicate($1))
    },
    .list("tickers", "Tickers with commas between them; all if there are none.") { $0.tickers = try tickers($1) },
    .day("from", "Rows of this day and later.") { $0.first = $1 },
    .day("to", "Rows of this day and earlier.") { $0.last = $1 },
  ]

  init() {}

  /// A query of these rows, on one thread: others have questions too.
  ///
  /// - Parameter start: leaves out the tickers before its own.
  /// - Throws: `Refusal` when a ticker is unknown, `StoreError` when the store is damaged.
  func query(in store: QuoteStore, after start: PageStart? = nil) throws -> QuoteQuery {
    try checkTickers(in: store)
    var query = (tickers.map { store.quotes(for: $0) } ?? store.allQuotes).threads(1)
    if let start { query = query.keeping(try start.rest(of: tickers ?? store.tickers, areNamed: tickers != nil)) }
    for predicate in predicates { query = query.where(predicate) }
    if first != nil || last != nil { query = query.dates(from: first, to: last) }
    return query
  }

  private func checkTickers(in store: QuoteStore) throws {
    for ticker in tickers ?? [] where try store.tickerSummary(of: ticker) == nil {
      throw Refusal.unknownTicker(ticker, among: store.tickers)
    }
  }

  private static func tickers(_ names: [String]) throws(Refusal) -> [TickerSymbol] {
    var tickers: [TickerSymbol] = []
    for name in names {
      do { tickers.append(try TickerSymbol(name)) } catch { throw .wrongParameter("tickers: \(error)") }
    }
    return tickers
  }

  static func predicate(_ text: String) throws(Refusal) -> Predicate {
    do { return try Predicate(parsing: text) } catch { throw .wrongParameter("where: \(error)") }
  }
}

extension QuoteFormatter.Column {
  /// The columns of these names.
  static func list(_ names: [String]) throws(Refusal) -> [QuoteFormatter.Column] {
    let known = QuoteFormatter.Column.all.map(\.name)
    guard names.count <= known.count else { throw .wrongParameter("columns: there are \(known.count) at most") }
    var columns: [QuoteFormatter.Column] = []
    for name in names {
      guard let column = QuoteFormatter.Column(named: name) else {
        throw .unknownColumn(name)
      }
      columns.append(column)
    }
    return columns
  }
}
