import QuandlService
import Quoin

/// A question of the server's own routes, whose parameters are fields of `QuoteQuestion`.
///
/// What a field is and how it is read is in `QuestionField`: a route takes all fields of some subjects.
struct Selection: ServerQuestion {
  /// On one thread: others have questions too.
  var asked = QuoteQuestion()

  /// Which rows, of which tickers and days.
  static let parameters = fields(of: [.selection])

  /// The parameters for the fields of some subjects.
  static func fields(of subjects: [QuestionField.Subject]) -> [Parameter<Selection>] {
    fields { subjects.contains($0.subject) }
  }

  static func fields(where isWanted: (QuestionField) -> Bool) -> [Parameter<Selection>] {
    QuestionField.all.filter(isWanted).map { field in
      let name = field.name.rawValue
      return Parameter(ParameterDescription(field)) { query, selection in
        let texts = field.isRepeatable ? query.all(name) : try query.value(name).map { [$0] } ?? []
        do throws(QuestionError) { for text in texts { try selection.asked.read(text, as: field) } } catch {
          throw Refusal(error)
        }
      }
    }
  }

  init() { asked.threads = 1 }

  /// Refuses fields that don't go together, and unknown tickers.
  func check(in store: QuoteStore) throws {
    do throws(QuestionError) { try asked.check() } catch { throw Refusal(error) }
    for ticker in asked.tickers ?? [] where try store.tickerSummary(of: ticker) == nil {
      throw Refusal.unknownTicker(ticker, among: store.tickers)
    }
    if asked.columns?.count ?? 0 > ServerLimits.columns {
      throw Refusal.wrongParameter("columns: there are \(ServerLimits.columns) at most")
    }
  }

  /// An answer with what should be told beside it, in a header.
  func remarking(_ answer: ServiceAnswer, in store: QuoteStore) -> ServiceAnswer {
    let remarks = asked.remarks(among: store.tickers).map { $0.text { $0.rawValue } }
    var answer = answer
    if !remarks.isEmpty { answer.headers.append(("quoin-remark", remarks.joined(separator: "; "))) }
    return answer
  }

  /// What `ask` makes of a query for the rows.
  ///
  /// - Throws: `Refusal` when a ticker is unknown, `StoreError` when the store is damaged.
  func ask<Answer>(_ store: QuoteStore, _ ask: (QuoteQuery) throws(StoreError) -> Answer) throws -> Answer {
    try check(in: store)
    return try store.asking(asked, ask)
  }
}

extension ParameterDescription {
  /// What is said of a field.
  fileprivate init(_ field: QuestionField) {
    let values: Values =
      switch field.kind {
      case .tickers, .language: .text
      case .day: .day
      case .dayMark: .text
      case .words(let words): .words(words)
      case .flag: .words(["true", "false"])
      case .count(let least): .number(from: least)
      }
    let example =
      switch field.kind {
      case .tickers, .language: " Such as '\(field.example)'."
      case .day, .dayMark, .words, .flag, .count: ""
      }
    let repeated = field.isRepeatable ? " May be repeated." : ""
    self.init(field.name.rawValue, field.meaning + example + repeated, values, defaultValue: field.usual)
  }
}

extension Refusal {
  init(_ error: QuestionError) { self = .wrongParameter(error.text()) }

  /// Nil for what is wrong with the store, and not with the question.
  init?(_ error: StoreError) {
    switch error {
    case .unknownTicker(let ticker): self = .unknownTicker(ticker)
    case .splitInPrices:
      self = .wrongParameter("\(error); \(QuestionField.Name.trustSplits.rawValue)=true counts the split")
    case _ where error.isOfQuestion: self = .wrongParameter("\(error)")
    default: return nil
    }
  }
}
