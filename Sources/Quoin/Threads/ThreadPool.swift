import Dispatch
import Synchronization

/// A bounded number of threads that may block, beside those that run Swift's tasks.
///
/// Each is a serial queue, because Dispatch gives every busy serial queue a thread of its own. The threads of its concurrent
/// queues are the same ones that run Swift's tasks on Linux: a body that blocks there stalls every task of the process. An
/// idle pool has no threads.
package final class ThreadPool: Sendable {
  package typealias Job = @Sendable () -> Void

  /// For async functions that read. More threads than processors, because some wait for the disk.
  package static let readers = ThreadPool("quoin.reader", threadCount: max(8, Crew.processorCount))

  /// For async functions that write. They have threads of their own, because each may wait a long time for another writer.
  package static let writers = ThreadPool("quoin.writer", threadCount: 8)

  /// For the helpers of all crews, which never wait long.
  static let helpers = ThreadPool("quoin.helper", threadCount: Crew.processorCount)

  private struct State {
    /// Jobs that no thread has begun, oldest first.
    var jobs: [Job] = []
    var idle: [DispatchQueue]
  }

  private let state: Mutex<State>

  init(_ label: String, threadCount: Int) {
    state = Mutex(State(idle: (0..<max(1, threadCount)).map { DispatchQueue(label: "\(label).\($0)") }))
  }

  /// Does `job` on one of the threads, after the jobs that came before it have begun. Returns at once.
  package func run(_ job: @escaping Job) {
    let queue = state.withLock { state in
      state.jobs.append(job)
      return state.idle.popLast()
    }
    guard let queue else { return }
    queue.async { self.work(queue) }
  }

  /// Does jobs until none is left.
  private func work(_ queue: DispatchQueue) {
    while let job = nextJob(queue) { job() }
  }

  /// The oldest job; nil if there is none. Then the thread of `queue` is idle.
  private func nextJob(_ queue: DispatchQueue) -> Job? {
    state.withLock { state in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      state.idle.append(queue)
      return nil
    }
  }
}
