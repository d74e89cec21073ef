import Dispatch
import Synchronization

/// The items that the consumer of a map and its helpers share, from the oldest one whose result hasn't been taken.
///
///     slots     done done begun done begun waiting waiting
///               ^ firstNumber              ^ nextNumber
///
/// Items are begun in order. After a failure no more are begun; all items before the failed one have been begun.
final class MapWork<Worker, Item: Sendable, Output: Sendable, Failure: Error>: SharedWork {
  private enum Slot {
    case waiting(Item)
    case begun
    case done(Result<Output, Failure>)
  }

  private struct State {
    var slots: [Slot] = []
    var firstNumber = 0
    /// The item that is begun next.
    var nextNumber = 0
    var runningCount = 0
    var hasFailed = false
    var isCancelled = false
    var isConsumerAsleep = false
    var idle: [IdleWorker] = []
  }

  // Sound to send: only the thread that has taken it out of the list uses it.
  private struct IdleWorker: @unchecked Sendable {
    var worker: Worker
  }

  /// What the consumer does to get the oldest item's result.
  enum Step {
    case take(Result<Output, Failure>)
    /// Do an item meanwhile.
    case perform(Int, Item)
    /// Wait until more items are finished than these.
    case wait(finishedCount: Int)
    case end
  }

  private let helpers: Helpers
  private let makeWorker: @Sendable () -> Worker
  private let body: @Sendable (inout Worker, Item) throws(Failure) -> Output
  private let state = Mutex(State())
  /// Watched without the lock, like `finishedCount`.
  private let waitingCount = Atomic(0)
  private let finishedCount = Atomic(0)
  private let wakeUp = DispatchSemaphore(value: 0)

  init(
    _ helpers: Helpers, _ makeWorker: @escaping @Sendable () -> Worker,
    _ body: @escaping @Sendable (inout Worker, Item) throws(Failure) -> Output
  ) {
    (self.helpers, self.makeWorker, self.body) = (helpers, makeWorker, body)
    helpers.add(self)
  }

  var count: Int { state.withLock { $0.slots.count } }

  var hasWaitingItems: Bool { waitingCount.load(ordering: .relaxed) > 0 }

  func push(_ item: Item) {
    state.withLock { state in
      precondition(!state.isCancelled, "an item for a map that has thrown an error")
      state.slots.append(.waiting(item))
      if !state.hasFailed { note(waiting: 1) }
    }
    helpers.call()
  }

  /// The consumer's next step.
  func nextStep() -> Step {
    state.withLock { state in
      guard let first = state.slots.first else { return .end }
      if case .done(let result) = first {
        state.slots.removeFirst()
        state.firstNumber += 1
        return .take(result)
      }
      if let (number, item) = begin(&state) { return .perform(number, item) }
      return .wait(finishedCount: finishedCount.load(ordering: .relaxed))
    }
  }

  /// Takes the oldest item that no thread has begun.
  private func begin(_ state: inout State) -> (number: Int, Item)? {
    let number = state.nextNumber
    let index = number - state.firstNumber
    guard !state.hasFailed, index < state.slots.count, case .waiting(let item) = state.slots[index] else { return nil }
    state.slots[index] = .begun
    state.nextNumber += 1
    state.runningCount += 1
    note(waiting: -1)
    return (number, item)
  }

  func finish(_ number: Int, _ result: Result<Output, Failure>) {
    let wakesConsumer = state.withLock { state in
      state.runningCount -= 1
      let index = number - state.firstNumber
      // After `cancel` the item is no longer there.
      if state.slots.indices.contains(index) { state.slots[index] = .done(result) }
      if case .failure = result { drop(&state) }
      finishedCount.add(1, ordering: .releasing)
      defer { state.isConsumerAsleep = false }
      return state.isConsumerAsleep
    }
    if wakesConsumer { wakeUp.signal() }
  }

  /// Makes sure that no more items are begun.
  private func drop(_ state: inout State) {
    let waitingCount = max(0, state.firstNumber + state.slots.count - state.nextNumber)
    if !state.hasFailed { note(waiting: -waitingCount) }
    state.hasFailed = true
  }

  private func note(waiting change: Int) {
    waitingCount.add(change, ordering: .relaxed)
    helpers.note(waiting: change)
  }

  /// The consumer waits until more items are finished than `count`: awake for a short time, then asleep.
  func wait(_ count: Int) {
    Spin.wait { finishedCount.load(ordering: .acquiring) != count }
    let sleeps = state.withLock { state in
      state.isConsumerAsleep = finishedCount.load(ordering: .relaxed) == count
      return state.isConsumerAsleep
    }
    if sleeps { wakeUp.wait() }
  }

  /// Drops all items. When it returns, no thread does one, and none will.
  func cancel() {
    state.withLock { state in
      drop(&state)
      state.isCancelled = true
      (state.slots, state.firstNumber) = ([], state.nextNumber)
    }
    helpers.remove(self)
    while let finishedCount = state.withLock({ $0.runningCount > 0 ? finishedCount.load(ordering: .relaxed) : nil }) {
      wait(finishedCount)
    }
  }

  func help() {
    guard var (number, item) = state.withLock({ begin(&$0) }) else { return }
    var worker = state.withLock { $0.idle.popLast() } ?? IdleWorker(worker: makeWorker())
    while true {
      let result = Result { () throws(Failure) in try body(&worker.worker, item) }
      finish(number, result)
      guard !helpers.wait(besides: waitingCount.load(ordering: .relaxed)),
        let next = state.withLock({ begin(&$0) })
      else { break }
      (number, item) = next
    }
    let idle = worker
    state.withLock { $0.idle.append(idle) }
  }
}
