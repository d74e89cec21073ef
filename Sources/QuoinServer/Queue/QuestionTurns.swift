import Synchronization

/// Whose threads do a question's work.
enum QuestionLane: CaseIterable {
  case short, long
}

/// How much a queue does at the same time.
struct QueueLimits: Sendable {
  /// Threads of each lane.
  var threadCount = ServerLimits.questionThreads
  /// Bytes that all answers that are being made may hold together, by their estimates.
  var byteCount = 4 << 30
  /// How long work waits for its first turn.
  var queueTime = ServerLimits.queueTime

  /// What takes longer than this on a thread for short work was taken for short by mistake: another thread stands in for it.
  static let lateness = Duration.milliseconds(250)

  /// Threads of a lane with those that stand in.
  func threadCountMax(of lane: QuestionLane) -> Int { lane == .short ? 4 * threadCount : threadCount }

  /// Threads of a lane that one client may have.
  var share: Int { max(1, threadCount / 2) }
}

/// Who waits for a turn, who has one, and who is next.
struct QuestionTurns {
  private struct Running {
    let job: QuestionQueue.Job
    let begin: ContinuousClock.Instant

    func isLate(_ now: ContinuousClock.Instant) -> Bool { job.lane == .short && now - begin > QueueLimits.lateness }
  }

  private let limits: QueueLimits
  private var waiting: [QuestionQueue.Job] = []
  private var running: [Running] = []
  /// Held by answers that are being made.
  var byteCount = 0
  var isTicking = false
  private var isEnding = false

  init(_ limits: QueueLimits) { self.limits = limits }

  var figures: (running: Int, waiting: Int, byteCount: Int) { (running.count, waiting.count, byteCount) }

  var underWay: [QuestionWork] { running.map(\.job.work) }

  /// Has a job wait.
  ///
  /// - Returns: why it may not.
  mutating func add(_ job: QuestionQueue.Job) -> Refusal? {
    guard !isEnding else { return .serverEnds }
    waiting.append(job)
    return nil
  }

  mutating func drop(_ job: QuestionQueue.Job) { waiting.removeAll { $0 === job } }

  mutating func finish(_ job: QuestionQueue.Job, _ now: ContinuousClock.Instant) {
    guard let index = running.firstIndex(where: { $0.job === job }) else { return }
    job.work.spent.wrappingAdd((now - running[index].begin).nanoseconds, ordering: .relaxed)
    running.remove(at: index)
  }

  /// The jobs that wait, none of which has a turn any more.
  mutating func end() -> [QuestionQueue.Job] {
    isEnding = true
    defer { waiting = [] }
    return waiting
  }

  /// Whether somebody has to look from time to time, and nobody does yet.
  mutating func wantsTick() -> Bool {
    guard !isTicking, !running.isEmpty || !waiting.isEmpty else { return false }
    isTicking = true
    return true
  }

  /// Gives the next turn of a lane; nil when there is no thread, or nobody may have one.
  mutating func next(_ lane: QuestionLane, _ now: ContinuousClock.Instant) -> QuestionQueue.Job? {
    guard !waiting.isEmpty else { return nil }
    let busy = running.filter { $0.job.lane == lane }
    guard busy.count < limits.threadCountMax(of: lane), busy.count(where: { !$0.isLate(now) }) < limits.threadCount
    else { return nil }
    // Who has waited long for much memory isn't overtaken for ever by those who need little.
    let first = waiting.filter { $0.lane == .long && !fits($0) && now - $0.begin > .seconds(1) }
      .min { $0.work.due < $1.work.due }
    let allowed = waiting.filter { job in
      job.lane == lane && isFair(job, now)
        && (job.work.isAdmitted.load(ordering: .relaxed) || fits(job) && (lane == .short || first == nil))
    }
    guard let job = allowed.min(by: { $0.work.due < $1.work.due }) else { return nil }
    waiting.removeAll { $0 === job }
    running.append(Running(job: job, begin: now))
    if !job.work.isAdmitted.exchange(true, ordering: .relaxed) { byteCount += job.work.cost.byteCount }
    return job
  }

  /// Whether the client has fewer threads than it may have. While some of its work takes longer than its estimate, what is
  /// estimated alike has no thread for short work.
  private func isFair(_ job: QuestionQueue.Job, _ now: ContinuousClock.Instant) -> Bool {
    let own = running.filter { $0.job.work.client == job.work.client && $0.job.lane == job.lane }
    let late = own.filter { $0.isLate(now) }
    return own.count - late.count < limits.share && late.allSatisfy { job.work.cost.time * 4 < $0.job.work.cost.time }
  }

  /// Whether there is memory for a job, or it has it.
  private func fits(_ job: QuestionQueue.Job) -> Bool {
    job.work.isAdmitted.load(ordering: .relaxed) || byteCount == 0
      || byteCount + job.work.cost.byteCount <= limits.byteCount
  }

  /// The work on which threads have worked for longer than they may.
  func late(_ now: ContinuousClock.Instant) -> [QuestionWork] {
    running.filter { running in
      guard let limit = running.job.work.timeLimit else { return false }
      let spent = Duration.nanoseconds(running.job.work.spent.load(ordering: .relaxed))
      return spent + (now - running.begin) > limit
    }.map(\.job.work)
  }

  /// Takes those out of the queue that have waited too long for their first turn, each with what it waits for.
  mutating func giveUpWaiting(_ now: ContinuousClock.Instant) -> [(QuestionQueue.Job, Refusal)] {
    let refused = waiting.filter {
      now - $0.begin > limits.queueTime && !$0.work.isAdmitted.load(ordering: .relaxed)
    }
    guard !refused.isEmpty else { return [] }
    let refusals = refused.map { ($0, Refusal.busy(reason(for: $0, now), retryAfter: ServerLimits.retryAfter)) }
    waiting.removeAll { job in refused.contains { $0 === job } }
    return refusals
  }

  private func reason(for job: QuestionQueue.Job, _ now: ContinuousClock.Instant) -> String {
    if !isFair(job, now) {
      return "the answers to \(limits.share) questions of yours are being made, and more have no turn at the same time"
    }
    if !fits(job) { return "answers that are being made hold the memory that this one needs" }
    let before = waiting.count { $0.lane == job.lane && $0.work.due < job.work.due }
    return "\(limits.threadCount) answers are being made, and \(before) more questions were before this one"
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
