import QuandlService
import Quoin

extension Responder {
  /// Makes an answer's first bytes. That may take as long as a look through the whole market.
  ///
  /// - Throws: `Refusal`, and what kept the store from being read.
  func answer(_ question: Question, by route: ServerRoute) throws -> OpenedAnswer {
    switch route.answer {
    case .now(let answer): return try opened(answer(self), question)
    case .store(let answer):
      let view = try store.view()
      let call = StoreCall(view: view, request: question.request, path: question.path, metrics: metrics)
      guard question.isRead else { return try opened(answer(call), question) }
      let tag = EntityTag(view.stamp, accept: question.request.accept)
      if tag.isIn(question.ifNoneMatch) { return try opened(.notModified(tag), question) }
      var opened = try opened(answer(call), question)
      if opened.status == 200 { opened.headers += ServiceAnswer.caching(tag) }
      return opened
    }
  }

  /// The answer to a path that no route has.
  func unknownPath(_ question: Question) throws -> OpenedAnswer {
    guard question.path.isOfService else { throw Refusal.unknownPath(question.path.text) }
    return try opened(QuandlService.unknownPath(question.path).answer, question)
  }

  /// - Throws: what kept the service from answering.
  private func opened(_ answer: sending ServiceAnswer, _ question: Question) throws -> OpenedAnswer {
    if let failure = answer.failure { throw failure }
    return try OpenedAnswer(answer, takesGzip: question.takesGzip)
  }

  /// Says whether the store can be read.
  func health() throws -> ServiceAnswer {
    let generation = try store.view().stamp.generation
    return ServiceAnswer(json: ["status": "ok", "generation": .integer(Int(clamping: generation))])
  }
}
