import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import QuandlService
import Quoin

/// The connection on which a request came.
struct ConnectionContext: InitializableFromSource {
  /// The connection's end on this machine.
  let address: SocketAddress?

  init(source: ApplicationRequestContextSource) { address = source.channel.localAddress }
}

/// Answers requests: checks them, finds their route, has the answer made on a thread that it doesn't hold up, and sends
/// it in pieces as fast as the client takes them.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let gate: Gate
  let store: ServedStore
  let metrics: ServerMetrics
  let logger: Logger
  let deadlines: Deadlines
  let streams = StreamSlots(ServerLimits.streams)

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let target = RequestTarget(request.head.path ?? "")
    let exchange = Exchange(request.method, target, metrics, logger)
    let opened: OpenedAnswer
    do {
      opened = try await open(request, target, exchange, context)
    } catch let error as HTTPParserError {
      // The connection answers that and ends.
      exchange.end(status: 400, byteCount: 0)
      throw error
    } catch {
      opened = try OpenedAnswer(ServiceAnswer(refusal(for: error)), takesGzip: false)
    }
    return response(opened, isHead: request.method == .head, exchange)
  }

  /// The answer with its first bytes. Quick routes are answered here, on the connection's event loop; all others by a
  /// thread of the pool, because they may take long.
  private func open(
    _ request: Request, _ target: RequestTarget, _ exchange: Exchange, _ context: ConnectionContext
  ) async throws -> OpenedAnswer {
    try gate.check(request.head, target, at: context.address)
    let route = ServerRoutes.all.route(of: target.path)
    exchange.route = route
    try checkMethod(request, of: route)
    let question = try await Question(request, target, scheme: gate.scheme)
    guard let route else { return try unknownPath(question) }
    if route.isQuick { return try answer(question, by: route) }
    return try await NIOThreadPool.singleton.runIfActive { try answer(question, by: route) }
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
