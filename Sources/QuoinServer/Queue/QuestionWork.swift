import Quoin
import Synchronization

/// The work on the answer to one request: whose it is, what it may take, and what ends it early.
///
/// Whoever waits for it goes on as soon as it is ended; the thread that does it follows when it looks. It holds its place among
/// the answers that are being made until the last reference goes.
final class QuestionWork: Sendable {
  /// Why work ends.
  enum End {
    case isDone, clientLeft, overTime, serverEnds
  }

  private struct State {
    var end: End?
    /// Called once, when the work is ended.
    var onEnd: (@Sendable (End) -> Void)?
  }

  let client: ClientKey
  let cost: AnswerCost
  /// How long threads may work on it; nil for any time.
  let timeLimit: Duration?
  /// The earlier, the sooner it has its turn: who has waited as long as its work takes goes before others.
  let due: ContinuousClock.Instant
  /// What scans may take for it. It is set by `stop`, too.
  let budget: QuestionBudget
  /// Whether it has its memory. Written by the queue.
  let isAdmitted = Atomic(false)
  /// Nanoseconds that threads have worked on it. Written by the queue.
  let spent = Atomic<Int64>(0)
  private let state = Mutex(State())
  private let queue: QuestionQueue

  init(_ cost: AnswerCost, of client: ClientKey, within limits: QuestionLimits, in queue: QuestionQueue) {
    (self.cost, self.client, self.queue) = (cost, client, queue)
    timeLimit = limits.seconds.map { .seconds($0) }
    budget = QuestionBudget(limits, sharing: queue.memory)
    due = .now + min(cost.time * 2, .seconds(30))
  }

  deinit {
    if isAdmitted.load(ordering: .relaxed) { queue.free(cost.byteCount) }
  }

  /// The answer is made. Who leaves now cancels nothing.
  func finish() { state.withLock { $0.end = $0.end ?? .isDone } }

  /// Ends the work early. Only the first call counts.
  func stop(_ end: End) {
    let (isFirst, onEnd) = state.withLock { state in
      guard state.end == nil else { return (false, (@Sendable (End) -> Void)?.none) }
      state.end = end
      return (true, state.onEnd.take())
    }
    guard isFirst else { return }
    queue.note(end)
    // First of all, because the thread may be quicker than this one.
    onEnd?(end)
    budget.cancellation.cancel()
  }

  /// Has `body` called when the work is ended, unless it is.
  ///
  /// - Returns: why it is ended.
  func whenEnded(_ body: @escaping @Sendable (End) -> Void) -> End? {
    state.withLock { state in
      if state.end == nil { state.onEnd = body }
      return state.end
    }
  }

  /// Nobody waits for it any more.
  func forget() {
    let onEnd = state.withLock { $0.onEnd.take() }
    withExtendedLifetime(onEnd) {}
  }

  /// What somebody who waits for the work is told when it is ended.
  func error(_ end: End) -> any Error {
    switch end {
    case .isDone, .clientLeft: ClientGone()
    case .overTime: Refusal.overTime(timeLimit ?? .zero)
    case .serverEnds: Refusal.serverEnds
    }
  }
}
