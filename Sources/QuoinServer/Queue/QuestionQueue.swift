import NIOCore
import NIOPosix
import Quoin
import Synchronization

/// Gives the work on answers its turns on threads of the server's own.
///
/// There are two lanes. What is short by its estimated cost has threads to itself, so it never waits for what is long; the threads
/// of long work let others run first. In each lane the work that is due first has the next turn, and one client has half of the
/// threads at most. Work begins when there is memory for it, and is ended when it takes too long.
///
///     run ──> waiting ── a thread, the client's share, memory ──> running ──> done
///                └─ queueTime ──> 503                └─ timeLimit ──> 422
final class QuestionQueue: Sendable {
  /// A piece of work that waits for a thread, or has one.
  final class Job: Sendable {
    let work: QuestionWork
    let lane: QuestionLane
    let begin = ContinuousClock.now
    let run: @Sendable () -> Void
    let giveUp: @Sendable (any Error) -> Void

    fileprivate init(
      _ work: QuestionWork, run: @escaping @Sendable () -> Void, giveUp: @escaping @Sendable (any Error) -> Void
    ) {
      (self.work, self.run, self.giveUp) = (work, run, giveUp)
      lane = work.cost.isShort ? .short : .long
    }
  }

  /// What all questions hold together.
  let memory: MemoryAccount
  private let state: Mutex<QuestionTurns>
  private let pools: [QuestionLane: ThreadPool]
  private let metrics: ServerMetrics

  /// How often the queue looks whether somebody takes or waits too long.
  private static let pace = TimeAmount.milliseconds(50)

  init(_ limits: QueueLimits, _ metrics: ServerMetrics) {
    state = Mutex(QuestionTurns(limits))
    memory = MemoryAccount(byteCountMax: limits.byteCount)
    self.metrics = metrics
    pools = [
      .short: ThreadPool(threadCount: limits.threadCountMax(of: .short), givesWay: false),
      .long: ThreadPool(threadCount: limits.threadCountMax(of: .long), givesWay: true),
    ]
  }

  /// Does a piece of a question's work on a thread, when it has its turn.
  ///
  /// - Throws: what `body` throws; `Refusal` when the turn doesn't come in time or the work takes too long; `ClientGone`.
  func run<Value: Sendable>(
    _ work: QuestionWork, _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
      let answer = Waiter(continuation)
      let job = Job(work) {
        answer.resume(Result { try body() }.mapError { self.told($0, work) })
      } giveUp: {
        answer.resume(.failure($0))
      }
      let end = work.whenEnded { [weak self] end in
        self?.drop(job)
        job.giveUp(work.error(end))
      }
      if let end { return job.giveUp(work.error(end)) }
      let refusal = state.withLock { $0.add(job) }
      if let refusal { return giveUp(job, refusal) }
      begin()
    }
  }

  /// Somebody who waits, and goes on once.
  private final class Waiter<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

    init(_ continuation: CheckedContinuation<Value, any Error>) { self.continuation = Mutex(continuation) }

    func resume(_ result: Result<Value, any Error>) {
      continuation.withLock { $0.take() }?.resume(with: result)
    }
  }

  /// What is going on.
  var figures: (running: Int, waiting: Int, byteCount: Int) { state.withLock { $0.figures } }

  /// Refuses what waits and comes from now on, and ends what is under way after some time.
  func end(after grace: Duration) {
    for job in state.withLock({ $0.end() }) { giveUp(job, .serverEnds) }
    NIOSingletons.posixEventLoopGroup.any().scheduleTask(in: TimeAmount(grace)) {
      for work in self.state.withLock({ $0.underWay }) { work.stop(.serverEnds) }
    }
  }

  /// What a client is told whose question takes too much, by the engine's count.
  private func told(_ error: any Error, _ work: QuestionWork) -> any Error {
    switch error {
    case StoreError.questionTooLong: work.stop(.overTime)
    case StoreError.questionTooBig(let count, let limit):
      metrics.overBudget.increment()
      return Refusal.overMemory(count, of: limit)
    case StoreError.questionsTooBig:
      return Refusal.busy("answers that are being made hold the memory that this one needs")
    default: return error
    }
    return work.error(.overTime)
  }

  /// Counts work that is ended early.
  func note(_ end: QuestionWork.End) {
    switch end {
    case .clientLeft: metrics.canceled.increment()
    case .overTime: metrics.overBudget.increment()
    case .isDone, .serverEnds: break
    }
  }

  /// Gives memory back.
  func free(_ byteCount: Int) {
    state.withLock { $0.byteCount -= byteCount }
    begin()
  }

  /// Begins what can begin.
  private func begin() {
    let (jobs, isTickWanted) = state.withLock { state in
      let now = ContinuousClock.now
      var jobs: [Job] = []
      for lane in QuestionLane.allCases { while let job = state.next(lane, now) { jobs.append(job) } }
      return (jobs, state.wantsTick())
    }
    if isTickWanted { scheduleTick() }
    for job in jobs {
      // A thread holds what it was made for as long as it lives, so that is no more than a box.
      let box = Box(job)
      guard pools[job.lane]?.offer({ box.take().map(self.carryOut) }) != true else { continue }
      state.withLock { $0.finish(job, .now) }
      giveUp(job, .noThread)
    }
  }

  private final class Box: Sendable {
    private let job: Mutex<Job?>

    init(_ job: Job) { self.job = Mutex(job) }

    func take() -> Job? { job.withLock { $0.take() } }
  }

  /// Does a job on the calling thread.
  private func carryOut(_ job: Job) {
    job.run()
    job.work.forget()
    state.withLock { $0.finish(job, .now) }
    begin()
  }

  private func giveUp(_ job: Job, _ refusal: Refusal) {
    job.work.forget()
    job.giveUp(refusal)
  }

  private func drop(_ job: Job) { state.withLock { $0.drop(job) } }

  private func scheduleTick() {
    NIOSingletons.posixEventLoopGroup.any().scheduleTask(in: Self.pace) { self.tick() }
  }

  /// Ends what takes too long, and refuses who has waited too long.
  private func tick() {
    let (late, refused) = state.withLock { state in
      state.isTicking = false
      return (state.late(.now), state.giveUpWaiting(.now))
    }
    for work in late { work.stop(.overTime) }
    for (job, refusal) in refused { giveUp(job, refusal) }
    begin()
  }
}
