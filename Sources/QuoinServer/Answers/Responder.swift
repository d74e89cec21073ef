import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import QuandlService
import Quoin

/// The connection on which a request came.
struct ConnectionContext: InitializableFromSource {
  let channel: any Channel

  init(source: ApplicationRequestContextSource) { channel = source.channel }

  /// The connection's end on this machine.
  var address: SocketAddress? { channel.localAddress }
}

/// Answers requests: checks them, finds their route, has the answer made on a thread that it doesn't hold up, and sends
/// it in pieces as fast as the client takes them.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let gate: Gate
  let store: ServedStore
  let metrics: ServerMetrics
  let logger: Logger
  let spool: Spool
  let desk: ImportDesk
  let questions: QuestionQueue
  /// What one question may take.
  let limits: QuestionLimits
  let look: StoreLook
  let listeners = ListenerPlaces()
  let wrongTokens = WrongTokens()

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let target = RequestTarget(request.head.path ?? "")
    let facts = Exchange.Facts(
      request.head, target, from: context.channel.remoteAddress, gate.proxy, without: gate.secrets.token)
    let exchange = Exchange(facts, gate.secrets.token, metrics, logger)
    let conditions = Conditions(request.headers, isGet: request.method == .get)
    let answer: ReadyAnswer
    do {
      answer = try await make(request, target, exchange, context)
    } catch let error as HTTPParserError {
      // The connection answers that and ends.
      exchange.end(status: 400, byteCount: 0)
      throw error
    } catch let error as ClientGone {
      throw error
    } catch StoreError.cancelled {
      throw ClientGone()
    } catch {
      answer = refused(refusal(for: error), request.head, target, exchange)
    }
    // Also a page that says so.
    if answer.isUnauthorized { try? await Task.sleep(for: wrongTokens.delay(for: facts.key)) }
    let range = conditions.range(of: answer.header("etag"), answer.header("last-modified"))
    var response = response(answer, range, isHead: request.method == .head, exchange)
    response.headers[.requestID] = facts.id
    if let origin = gate.sharedOrigin(of: request.head) { CrossOrigin.allow(origin, in: &response.headers) }
    return response
  }

  /// The answer. Whatever asks the store is done by threads of the queue, because the disk may keep it waiting; so the
  /// connection's event loop always has time.
  private func make(
    _ request: Request, _ target: RequestTarget, _ exchange: Exchange, _ context: ConnectionContext
  ) async throws -> ReadyAnswer {
    if request.method == .options, gate.sharedOrigin(of: request.head) != nil {
      return ReadyAnswer(status: 204, headers: CrossOrigin.preflight, contents: .bytes([]))
    }
    let route: ServerRoute? = ServerRoutes.all.route(of: target.path)
    exchange.route = route
    try gate.check(request.head, target, by: route, at: context.address)
    if let token = gate.secrets.token, target.misplaces(token) { throw Refusal.tokenInAddress }
    try checkMethod(request, of: route)
    if route?.takesFiles == true { return try await imports(request, target, route, context) }
    let question = try await Question(request, target, origin: gate.origin(for: request.head), on: context.channel)
    guard let route else { return try ReadyAnswer(unknownPath(question)) }
    switch route.answer {
    case .now(let answer): return try ReadyAnswer(opened(answer(self), question))
    case .open(let answer): return try ReadyAnswer(opened(answer(gate.secrets, question), question))
    case .look(let answer): return try await ReadyAnswer(opened(answer(look.finding()), question))
    case .file: return try await storeFile(at: target.path, by: route)
    case .commits: return try commits(on: context.channel, for: exchange.facts.key)
    case .imports: throw Refusal.failed
    case .store(let answer):
      let work = work(on: question, by: route, for: exchange.facts.key)
      ConnectionWatch.stop(work, whenLeaves: context.channel)
      let found = try await questions.run(work) { try find(question, work.budget, answer) }
      let answer = try await ready(found, work)
      if !answer.isBeingMade { work.finish() }
      return answer
    }
  }

  /// The work on a question, with all that it may take.
  private func work(on question: Question, by route: ServerRoute, for client: ClientKey) -> QuestionWork {
    let cost = AnswerCost(of: question.request, by: route, store.size, megabytes: limits.megabytes)
    return QuestionWork(cost, of: client, within: limits, in: questions)
  }

  private func checkMethod(_ request: Request, of route: ServerRoute?) throws(Refusal) {
    let methods = route?.methods ?? [.get]
    let method = request.method.rawValue
    guard methods.contains(where: { $0.rawValue == method || ($0 == .get && request.method == .head) }) else {
      throw .methodNotAllowed(method, allowed: methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] })
    }
    guard request.method == .post || request.head.hasNoBody else {
      throw .invalid("\(method) has no body")
    }
  }

  /// Notes input that was no HTTP request, which the connection has answered with 400.
  @Sendable func noteMalformed(_ error: any Error) {
    metrics.malformed.increment()
    logger.info("malformed request", metadata: ["error": "\("\(error)".printable)"])
  }

  /// The answer to a request that is refused: for readers a page, or the one on which they sign in.
  private func refused(
    _ refusal: Refusal, _ request: HTTPRequest, _ target: RequestTarget, _ exchange: Exchange
  ) -> ReadyAnswer {
    // A sentence may repeat what was asked.
    if gate.secrets.token?.occurs(in: refusal.message) == true { return ReadyAnswer(.tokenInAddress) }
    let accepted = request.headerFields[.accept] ?? ""
    let isRead = exchange.route?.isPage ?? (accepted.contains("text/html") && !accepted.contains("json"))
    guard isRead, exchange.route != nil || refusal.status == 404 else { return ReadyAnswer(refusal) }
    let answer =
      refusal == .unauthorized
      ? SignIn.needed(for: target, gate.secrets, origin: gate.origin(for: request))
      : refusal.page
    // A page that is made of a sentence can't fail.
    guard var ready = try? ReadyAnswer(OpenedAnswer(answer, takesGzip: false)) else { return ReadyAnswer(refusal) }
    ready.isUnauthorized = refusal == .unauthorized
    ready.headers += refusal.fields
    return ready
  }

  private func refusal(for error: any Error) -> Refusal {
    if let refusal = error as? Refusal ?? (error as? StoreError).flatMap(Refusal.init) { return refusal }
    let sentence = "\(error)".printable
    let isSecret = gate.secrets.token?.occurs(in: sentence) == true
    logger.error("a request failed", metadata: ["error": "\(isSecret ? "REDACTED" : sentence)"])
    return error is StoreError ? .unavailable : .failed
  }
}

extension HTTPRequest {
  var hasNoBody: Bool {
    headerFields[.transferEncoding] == nil && (headerFields[.contentLength].map { $0 == "0" } ?? true)
  }
}
