import Hummingbird
import QuandlService
import Quoin

extension Responder {
  /// Makes an answer's first bytes; may take as long as it takes to look through the market.
  func answer(_ question: Question, _ route: Route) throws -> OpenedAnswer {
    switch route {
    case .metrics: return try opened(metrics.answer, question)
    case .openAPI: return try opened(OpenAPI.answer, question)
    case .health: return try opened(health(), question)
    default: break
    }
    let view = try store.view()
    guard question.isRead else { return try opened(view.service.answer(to: question.request), question) }
    let tag = EntityTag(view.stamp, accept: question.request.accept)
    if tag.isIn(question.ifNoneMatch) { return try opened(.notModified(tag), question) }
    var opened = try opened(answer(question, route, view), question)
    if opened.status == 200 { opened.headers += ServiceAnswer.caching(tag) }
    return opened
  }

  private func answer(_ question: Question, _ route: Route, _ view: StoreView) throws -> ServiceAnswer {
    switch route {
    case .scan: try ScanRequest(question.request).answer(from: view.store, metrics)
    case .tickers: try TickersRequest(question.request).answer(from: view.store)
    default: view.service.answer(to: question.request)
    }
  }

  /// - Throws: what kept the service from answering.
  func opened(_ answer: sending ServiceAnswer, _ question: Question) throws -> OpenedAnswer {
    if let failure = answer.failure { throw failure }
    return try OpenedAnswer(answer, takesGzip: question.takesGzip)
  }

  /// Whether the store can be read.
  private func health() throws -> ServiceAnswer {
    let generation = try store.view().stamp.generation
    return ServiceAnswer(json: ["status": "ok", "generation": .integer(Int(clamping: generation))])
  }
}
