import HTTPTypes
import Logging
import Synchronization

/// One request and its answer, for the log and the metrics. Each gets one line and one observation, when the answer has
/// been sent or has been given up.
final class Exchange: Sendable {
  private struct State {
    var route: ServerRoute?
    var hasEnded = false
  }

  private let method: String
  private let target: RequestTarget
  private let start = ContinuousClock.now
  private let metrics: ServerMetrics
  private let logger: Logger
  private let state = Mutex(State())

  init(_ method: HTTPRequest.Method, _ target: RequestTarget, _ metrics: ServerMetrics, _ logger: Logger) {
    self.method = method.rawValue
    self.target = target
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
      method: method, route: route?.pattern.description ?? "other", status: status, byteCount: byteCount, time)
    guard logger.logLevel <= .info else { return }
    var metadata: Logger.Metadata = [
      "method": "\(method)", "target": "\(target.logged)", "status": "\(status)", "bytes": "\(byteCount)",
      "ms": "\(time.inMilliseconds)",
    ]
    if !isWhole { metadata["cut"] = "true" }
    logger.info("request", metadata: metadata)
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
