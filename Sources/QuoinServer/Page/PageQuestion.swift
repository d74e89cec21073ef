import QuandlService
import Quoin

extension QuoteQuestion {
  /// A page's question, on one thread, because others have questions too.
  ///
  /// - Parameter names: what the address calls fields, if not like the table.
  /// - Throws: `Refusal` if a text means nothing, or texts don't go together.
  init(page texts: [QuestionText], names: [QuestionField.Name: String] = [:]) throws(Refusal) {
    do throws(QuestionError) { try self.init(texts) } catch {
      throw .wrongParameter(error.text { names[$0] ?? $0.rawValue })
    }
    threads = 1
  }
}

extension PageAddress {
  /// Some fields of a question, those that the address has.
  ///
  /// - Throws: `Refusal` if the store lacks a ticker. Names may be in any spelling that means one of the store's.
  func texts(_ names: [QuestionField.Name], in store: QuoteStore) throws(Refusal) -> [QuestionText] {
    var texts: [QuestionText] = []
    for name in names {
      for text in all(name.rawValue) {
        texts.append((name, name == .tickers ? try Self.tickers(text, in: store) : text))
      }
    }
    return texts.filter { !$0.text.isEmpty }
  }

  /// The tickers of the store that are meant, each once, with commas between them.
  private static func tickers(_ text: String, in store: QuoteStore) throws(Refusal) -> String {
    var tickers: [String] = []
    for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
      let ticker: TickerSymbol
      do { ticker = try TickerSymbol(name) } catch { throw .wrongParameter("tickers: \(error)") }
      guard let known = store.ticker(forCode: "\(ticker)") else { throw .noQuotes(of: "\(ticker)", in: store) }
      if !tickers.contains("\(known)") { tickers.append("\(known)") }
    }
    return tickers.joined(separator: ",")
  }
}

extension Refusal {
  /// There is no such ticker, which a reader may have meant another by.
  static func noQuotes(of name: String, in store: QuoteStore) -> Refusal {
    let hint = Suggestion.question(forTicker: name, among: store.tickers).map { "; \($0)" } ?? ""
    return Refusal(status: 404, code: "QECx02", message: "there are no quotes of \(name.prefix(40))\(hint)")
  }
}

extension StoreCall {
  /// The same query on one thread, because others have questions too; it ends when the reader stops it.
  func query(_ query: QuoteQuery) -> QuoteQuery { query.threads(1).stopped(by: cancellation) }
}
