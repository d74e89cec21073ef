import QuandlService
import Quoin

/// An answer to a question: one that was made before, or one of which the first bytes are made.
enum FoundAnswer: Sendable {
  case kept(SpooledAnswer)
  /// The key is what the answer can be kept for.
  case opened(OpenedAnswer, AnswerKey?)
}

extension Responder {
  /// Finds an answer about the store, or makes its first bytes. That may take as long as a look through the whole market.
  ///
  /// - Throws: `Refusal`, and what kept the store from being read.
  func find(
    _ question: Question, _ budget: QuestionBudget, _ answer: @Sendable (StoreCall) throws -> ServiceAnswer
  ) throws -> FoundAnswer {
    let view = try store.view().taking(from: budget)
    let call = call(question, view, budget.cancellation)
    guard question.isRead else { return .opened(try opened(answer(call), question), nil) }
    return try read(question, view) { try opened(answer(call), question) }
  }

  func call(_ question: Question, _ view: StoreView, _ cancellation: Cancellation) -> StoreCall {
    StoreCall(
      view: view, request: question.request, path: question.path, metrics: metrics,
      asksForToken: gate.secrets.token != nil, takesFiles: desk.isOpen, cancellation: cancellation)
  }

  /// The answer to a question that may be about a copy that the client has.
  private func read(
    _ question: Question, _ view: StoreView, _ open: () throws -> OpenedAnswer
  ) throws -> FoundAnswer {
    let conditions = question.conditions
    let tag = EntityTag(view.stamp, question.request, takesGzip: question.takesGzip)
    let time = view.store.committedAt
    if let held = conditions.heldTag, let answer = spool.answer(AnswerKey(target: question.target, tag: held)) {
      return .kept(answer)
    }
    guard !conditions.excludes(tag) else { throw Refusal.changed }
    let unchanged = { FoundAnswer.opened(try self.opened(.notModified(tag, time), question), nil) }
    guard !conditions.includesCopy(tag, time) else { return try unchanged() }
    let key = AnswerKey(target: question.target, tag: tag.text)
    if !conditions.includesAnyCopy, let answer = spool.answer(key) { return .kept(answer) }
    var opened = try open()
    guard opened.status == 200 else { return .opened(opened, nil) }
    guard !conditions.includesAnyCopy else { return try unchanged() }
    opened.headers += ServiceAnswer.caching(tag, time)
    return .opened(opened, key)
  }

  /// The answer to a path that no route has.
  func unknownPath(_ question: Question) throws -> OpenedAnswer {
    guard question.path.isOfService else { throw Refusal.unknownPath(question.path.text) }
    return try opened(QuandlService.unknownPath(question.path).answer, question)
  }

  /// - Throws: what kept the service from answering.
  func opened(_ answer: sending ServiceAnswer, _ question: Question) throws -> OpenedAnswer {
    if let failure = answer.failure { throw failure }
    return try OpenedAnswer(answer, takesGzip: question.takesGzip)
  }

  /// The metrics, as they are now.
  func measured() -> ServiceAnswer {
    metrics.show(questions.figures, spoolByteCount: spool.byteCount)
    return metrics.answer
  }
}
