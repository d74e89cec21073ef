import Synchronization

/// Work that helpers can take a part of.
protocol SharedWork: AnyObject, Sendable {
  /// Whether there are items that no thread has begun.
  var hasWaitingItems: Bool { get }

  /// Does items as long as there are any, or until other work wants helpers too.
  func help()
}

/// The helping threads of a crew, borrowed from `ThreadPool.helpers`. Where the system has no thread for them, the work is done
/// without: its owner does every item that no helper has begun.
///
/// Waking a thread costs about 0.01 ms, and it takes 0.01 to 0.1 ms until the thread runs: too much for each stage of a query
/// that takes 1 ms. So a helper without work watches for more during `Spin.limit` before it leaves. In the whole process, at
/// most one thread for each processor except the caller's watches at a time.
///
/// Threads are called one at a time: a helper that arrives and finds more work calls the next. So many helpers cost the
/// calling thread no more than one.
final class Helpers: Sendable {
  private let limit: Int
  private let pool: ThreadPool
  /// Items of all shared work that no thread has begun. It is watched without the lock, and then only a hint.
  private let waitingCount = Atomic(0)
  private let isDismissed = Atomic(false)
  private let state = Mutex(State())
  private static let watcherCount = Atomic(0)

  private struct State {
    var works: [any SharedWork] = []
    /// Where the search for work begins, so that no work starves.
    var turn = 0
    /// Helpers that were called and haven't left.
    var helperCount = 0
    /// Whether one of them has yet to arrive.
    var isOneComing = false
    var watchingCount = 0

    mutating func nextWork() -> (any SharedWork)? {
      for offset in works.indices {
        let index = (turn + offset) % works.count
        guard works[index].hasWaitingItems else { continue }
        turn = index + 1
        return works[index]
      }
      return nil
    }

    /// Counts one more helper, if one is wanted.
    mutating func callsOne(_ limit: Int) -> Bool {
      guard helperCount < limit, watchingCount == 0, !isOneComing else { return false }
      helperCount += 1
      isOneComing = true
      return true
    }
  }

  init(limit: Int, of pool: ThreadPool = .helpers) { (self.limit, self.pool) = (limit, pool) }

  func add(_ work: some SharedWork) { state.withLock { $0.works.append(work) } }

  func remove(_ work: some SharedWork) { state.withLock { $0.works.removeAll { $0 === work } } }

  /// Notes a change of the number of waiting items. Every work calls it when its items change.
  func note(waiting change: Int) { waitingCount.add(change, ordering: .acquiringAndReleasing) }

  /// Whether items of other work wait, besides `count` items of this one.
  func wait(besides count: Int) -> Bool { waitingCount.load(ordering: .relaxed) > count }

  /// Makes sure that a helper looks for work.
  func call() {
    guard state.withLock({ $0.callsOne(limit) }), !pool.offer({ self.help() }) else { return }
    state.withLock { state in
      state.helperCount -= 1
      state.isOneComing = false
    }
  }

  /// Makes watching helpers leave, because no more work is expected.
  func dismiss() { isDismissed.store(true, ordering: .relaxed) }

  private func help() {
    state.withLock { $0.isOneComing = false }
    repeat {
      while let work = state.withLock({ $0.nextWork() }) {
        if waitingCount.load(ordering: .relaxed) > 1 { call() }
        work.help()
      }
      watch()
    } while !leaves()
  }

  /// Waits a short time for work.
  private func watch() {
    guard !isDismissed.load(ordering: .relaxed) else { return }
    defer { Self.watcherCount.subtract(1, ordering: .relaxed) }
    guard Self.watcherCount.add(1, ordering: .relaxed).oldValue < Crew.processorCount - 1 else { return }
    state.withLock { $0.watchingCount += 1 }
    Spin.wait { waitingCount.load(ordering: .relaxed) > 0 || isDismissed.load(ordering: .relaxed) }
    state.withLock { $0.watchingCount -= 1 }
  }

  /// Counts the calling helper out, unless there is work. Returns whether it leaves.
  private func leaves() -> Bool {
    state.withLock { state in
      // Checked under the lock. A thread that notes an item later finds the helper gone, and calls another.
      guard waitingCount.load(ordering: .acquiring) == 0 else { return false }
      state.helperCount -= 1
      return true
    }
  }
}
