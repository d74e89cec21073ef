import QuandlService
import Quoin

/// What several pages ask in the same words.
enum PageQuestion {
  /// The tickers of a list with commas, each of which the store must have.
  static func tickers(_ text: String, in store: QuoteStore) throws(Refusal) -> [TickerSymbol] {
    var tickers: [TickerSymbol] = []
    for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let ticker: TickerSymbol
      do { ticker = try TickerSymbol(name) } catch { throw .wrongParameter("tickers: \(error)") }
      guard let known = store.ticker(forCode: ticker.description) else {
        let hint = Suggestion.question(forTicker: "\(ticker)", among: store.tickers)
        throw Refusal(
          status: 404, code: "QECx02", message: "there are no quotes of \(ticker)" + (hint.map { "; \($0)" } ?? ""))
      }
      if !tickers.contains(known) { tickers.append(known) }
    }
    return tickers
  }

  static func day(_ name: String, _ address: PageAddress) throws(Refusal) -> TradingDay? {
    guard let text = address[name] else { return nil }
    guard let day = TradingDay(text) else {
      throw .wrongParameter("\(name)=\(text.prefix(40)) isn't a date; write it as YYYY-MM-DD, such as 2005-10-14")
    }
    return day
  }

  static func predicate(_ name: String, _ address: PageAddress) throws(Refusal) -> Predicate? {
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
