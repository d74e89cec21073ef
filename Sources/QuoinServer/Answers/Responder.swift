import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import QuandlService
import Quoin

/// What is known of a connection when a request comes over it.
struct ConnectionContext: InitializableFromSource {
  /// The connection's end on this machine.
  let address: SocketAddress?

  init(source: ApplicationRequestContextSource) { address = source.channel.localAddress }
}

/// Answers requests: checks them, finds out what they are about, lets the answer be made where that holds up nobody, and
/// sends it in pieces at the pace at which the client takes them.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let gate: Gate
  let store: ServedStore
  let metrics: ServerMetrics
  let logger: Logger
  let deadlines: Deadlines
  let streams = StreamSlots(ServerLimits.streams)

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let exchange = Exchange(request.head, metrics, logger)
    let opened: OpenedAnswer
    do {
      opened = try await open(request, exchange, context)
    } catch let error as HTTPParserError {
      // The connection answers that, for it can't go on.
      exchange.end(status: 400, byteCount: 0)
      throw error
    } catch {
      opened = try OpenedAnswer(ServiceAnswer(refusal(for: error)), takesGzip: false)
    }
    return response(opened, isHead: request.method == .head, exchange)
  }

  /// The answer with its first bytes.
  private func open(
    _ request: Request, _ exchange: Exchange, _ context: ConnectionContext
  ) async throws -> OpenedAnswer {
    let target = try RequestTarget(request.head.path ?? "")
    try gate.check(request.head, target, at: context.address)
    let route = Route(target.path)
    exchange.route = route
    try checkMethod(request, route, target)
    let question = try await Question(request, target, scheme: gate.scheme)
    guard let route else {
      guard target.path.hasPrefix(Route.quandlPrefix) else { throw Refusal.unknownPath(target.path) }
      // The service knows best what was probably meant.
      return try opened(store.view().service.answer(to: question.request), question)
    }
    if route.isQuick { return try answer(question, route) }
    return try await NIOThreadPool.singleton.runIfActive { try answer(question, route) }
  }

  private func checkMethod(_ request: Request, _ route: Route?, _ target: RequestTarget) throws(Refusal) {
    let methods = route?.methods ?? ["GET", "HEAD"]
    guard methods.contains(request.method.rawValue) else {
      throw .methodNotAllowed(request.method.rawValue, allowed: methods)
    }
    guard request.method == .post || request.head.hasNoBody else {
      throw .invalid("\(request.method.rawValue) has no body")
    }
  }

  /// Tells of what was no request, which the connection has answered with 400.
  @Sendable func noteMalformed(_ error: any Error) {
    metrics.malformed.increment()
    logger.info("malformed request", metadata: ["error": "\(error)"])
  }

  private func refusal(for error: any Error) -> Refusal {
    switch error {
    case let refusal as Refusal: return refusal
    case is NIOTooManyBytesError: return .bodyTooLong
    default:
      logger.error("a request failed", metadata: ["error": "\(error)"])
      return error is StoreError ? .unavailable : .failed
    }
  }
}

extension HTTPRequest {
  var hasNoBody: Bool {
    headerFields[.transferEncoding] == nil && (headerFields[.contentLength].map { $0 == "0" } ?? true)
  }
}
