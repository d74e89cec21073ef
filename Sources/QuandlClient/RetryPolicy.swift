/// How often a request is repeated, and after which waits.
public struct RetryPolicy: Hashable, Sendable {
  /// Repetitions after the first attempt.
  public var count = 5
  /// Repetitions after attempts that ran into one of `TimeLimits`: each has been waited for a long time.
  public var timeoutCount = 1
  /// The wait before the first repetition. Each further wait is twice as long.
  public var firstDelay = Duration.milliseconds(500)
  /// The longest of these waits.
  public var longestDelay = Duration.seconds(8)
  /// The longest wait that the service can get by a `Retry-After` header; longer ones are shortened.
  public var longestAskedDelay = Duration.seconds(120)

  /// Five repetitions, one of them after a timeout, the first after half a second.
  public init() {}

  /// The wait before repetition `index`, counted from 0.
  ///
  /// The client shortens its own waits at random by up to a half, so that many clients don't come back at once. A wait that the
  /// service asks for isn't shortened in this way.
  func delay(before index: Int, asked: Duration?, random: Double) -> Duration {
    if let asked { return min(max(asked, .zero), longestAskedDelay) }
    var delay = min(firstDelay, longestDelay)
    for _ in 0..<max(0, index) where delay < longestDelay { delay = min(delay * 2, longestDelay) }
    return delay * (0.5 + random / 2)
  }
}

/// The clocks that decide when a request is repeated: the system's, or a test's.
struct Timing: Sendable {
  /// Throws `cancelled` in a cancelled task, and nothing else.
  let sleep: @Sendable (Duration) async throws(QuandlClientError) -> Void
  let secondsSince1970: @Sendable () -> Int64

  static let system = Timing(
    sleep: { (time) async throws(QuandlClientError) in
      do { try await Task.sleep(for: time) } catch { throw .cancelled }
    }, secondsSince1970: { SystemClock.secondsSince1970 })
}
