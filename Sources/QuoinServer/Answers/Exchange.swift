import HTTPTypes
import Logging
import Synchronization

/// One request and its answer, for the log and the metrics: one line and one observation when the answer is on its way, or
/// when it is given up.
final class Exchange: Sendable {
  private struct State {
    var route: Route?
    var hasEnded = false
  }

  private let method: String
  private let target: String
  private let start = ContinuousClock.now
  private let metrics: ServerMetrics
  private let logger: Logger
  private let state = Mutex(State())

  init(_ request: HTTPRequest, _ metrics: ServerMetrics, _ logger: Logger) {
    method = request.method.rawValue
    target = RequestTarget.redacted(request.path ?? "")
    self.metrics = metrics
    self.logger = logger
    metrics.begin()
  }

  /// A response that is dropped unsent has ended, too: the client is gone.
  deinit { end(status: 499, byteCount: 0, isWhole: false) }

  /// What the request is about, once that is known.
  var route: Route? {
    get { state.withLock { $0.route } }
    set { state.withLock { $0.route = newValue } }
  }

  /// Tells of the answer; the first call counts.
  ///
  /// - Parameter isWhole: whether all of it was sent.
  func end(status: Int, byteCount: Int, isWhole: Bool = true) {
    let route = state.withLock { state -> Route?? in
      guard !state.hasEnded else { return nil }
      state.hasEnded = true
      return .some(state.route)
    }
    guard let route else { return }
    let time = ContinuousClock.now - start
    metrics.end(method: method, route: route?.path ?? "other", status: status, byteCount: byteCount, time)
    var metadata: Logger.Metadata = [
      "method": "\(method)", "target": "\(target)", "status": "\(status)", "bytes": "\(byteCount)",
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
