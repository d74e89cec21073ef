import HTTPTypes
import Logging
import NIOCore
import Synchronization

/// One request and its answer, for the log and the metrics. Each gets one line and one observation, when the answer has
/// been sent or has been given up.
final class Exchange: Sendable {
  private struct State {
    var route: ServerRoute?
    var hasEnded = false
  }

  /// What the log says of who asked for what.
  struct Facts {
    let method: String
    let target: RequestTarget
    /// The client's address, by the proxy's word if it is trusted.
    let client: String?
    /// Whose share of the server the answer takes.
    let key: ClientKey
    let agent: String?
    /// The request's name in the log and in the answer: the client's own, or a new one.
    let id: String

    init(
      _ request: HTTPRequest, _ target: RequestTarget, from address: SocketAddress?, _ proxy: ProxyHeaders,
      without token: AccessToken?
    ) {
      (method, self.target) = (request.method.rawValue, target)
      client = proxy.client(of: request) ?? address?.ipAddress
      key = ClientKey(client)
      agent = request.headerFields[.userAgent]
      let id = request.headerFields[.requestID] ?? ""
      let isFit =
        (1...64).contains(id.utf8.count) && id.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        && token?.occurs(in: id) != true
      self.id = isFit ? id : String(UInt64.random(in: 0 ... .max), radix: 36)
    }
  }

  let facts: Facts
  private let token: AccessToken?
  private let start = ContinuousClock.now
  private let metrics: ServerMetrics
  private let logger: Logger
  private let state = Mutex(State())

  /// - Parameter token: the server's, which the log doesn't show.
  init(_ facts: Facts, _ token: AccessToken?, _ metrics: ServerMetrics, _ logger: Logger) {
    (self.facts, self.token) = (facts, token)
    self.metrics = metrics
    self.logger = logger
    metrics.begin()
  }

  /// Ends the exchange of a response that is dropped unsent: the client is gone.
  deinit { end(status: 499, byteCount: 0, isWhole: false) }

  /// The request's route, once it is known; nil if there is none.
  var route: ServerRoute? {
    get { state.withLock { $0.route } }
    set { state.withLock { $0.route = newValue } }
  }

  /// Reports the answer. Only the first call counts.
  ///
  /// - Parameter isWhole: whether the whole answer was sent.
  func end(status: Int, byteCount: Int, isWhole: Bool = true) {
    let route = state.withLock { state -> ServerRoute?? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      return .some(state.route)
    }
    guard let route else { return }
    let time = ContinuousClock.now - start
    metrics.end(
      method: facts.method, route: route?.pattern.description ?? "other", status: status, byteCount: byteCount, time)
    // Somebody tries tokens, or has a wrong one.
    let level = status == 401 ? Logger.Level.warning : .info
    guard logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = [
      "method": "\(facts.method)", "target": "\(facts.target.logged(without: token))", "status": "\(status)",
      "bytes": "\(byteCount)", "ms": "\(time.inMilliseconds)", "id": "\(facts.id)",
    ]
    for (name, value) in [("client", facts.client), ("agent", facts.agent)] {
      guard let value else { continue }
      metadata[name] = token?.occurs(in: value) == true ? "REDACTED" : "\(RequestTarget.shown(value.prefix(200).utf8))"
    }
    if !isWhole { metadata["cut"] = "true" }
    logger.log(level: level, "request", metadata: metadata)
  }
}

extension Duration {
  /// Milliseconds with three digits after the point.
  fileprivate var inMilliseconds: String {
    let microseconds = Int(self / .microseconds(1))
    let fraction = String(microseconds % 1000)
    return "\(microseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }
}

extension HTTPField.Name {
  static let requestID = HTTPField.Name("x-request-id")!
}
