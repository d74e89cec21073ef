import QuandlService
import Quoin

/// The rows that a page is about: some tickers' or the market's, on some days.
struct PageSubject {
  /// None for the market.
  var tickers: [TickerSymbol] = []
  var first: TradingDay?
  var last: TradingDay?

  /// Takes what an address says, up to the first mistake.
  ///
  /// - Throws: `Refusal` if a ticker is unknown, or a day is none.
  mutating func read(_ address: PageAddress, in store: QuoteStore) throws(Refusal) {
    if let text = address["tickers"] { tickers = try Self.tickers(text, in: store) }
    try readDays(address)
  }

  mutating func readDays(_ address: PageAddress) throws(Refusal) {
    if let text = address["from"] { first = try TradingDay(served: text, of: "from") }
    if let text = address["to"] { last = try TradingDay(served: text, of: "to") }
  }

  /// The condition on the days; nil if there is none.
  var days: Predicate? { first == nil && last == nil ? nil : .dates(from: first, to: last) }

  /// The query of the rows.
  func query(for call: StoreCall, in store: QuoteStore) -> QuoteQuery {
    let query = call.query(tickers.isEmpty ? store.allQuotes : store.quotes(for: tickers))
    return days.map { query.where($0) } ?? query
  }

  /// The tickers of a list with commas, each of which the store must have.
  static func tickers(_ text: String, in store: QuoteStore) throws(Refusal) -> [TickerSymbol] {
    var tickers: [TickerSymbol] = []
    for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let ticker: TickerSymbol
      do { ticker = try TickerSymbol(name) } catch { throw .wrongParameter("tickers: \(error)") }
      guard let known = store.ticker(forCode: "\(ticker)") else { throw .noQuotes(of: "\(ticker)", in: store) }
      if !tickers.contains(known) { tickers.append(known) }
    }
    return tickers
  }
}

extension Refusal {
  /// There is no such ticker, which a reader may have meant another by.
  static func noQuotes(of name: String, in store: QuoteStore) -> Refusal {
    let hint = Suggestion.question(forTicker: name, among: store.tickers).map { "; \($0)" } ?? ""
    return Refusal(status: 404, code: "QECx02", message: "there are no quotes of \(name.prefix(40))\(hint)")
  }
}

extension Predicate {
  /// The condition that a field of a page has; nil if it is empty.
  static func served(_ name: String, _ address: PageAddress) throws(Refusal) -> Predicate? {
    guard let text = address[name] else { return nil }
    do throws(PredicateSyntaxError) { return try Predicate(parsing: text) } catch {
      throw .wrongParameter("\(error)")
    }
  }
}

extension StoreCall {
  /// The same query on one thread, because others have questions too; it ends when the reader stops it.
  func query(_ query: QuoteQuery) -> QuoteQuery { query.threads(1).stopped(by: cancellation) }
}
