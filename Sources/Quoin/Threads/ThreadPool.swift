import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A bounded number of threads that may block, beside those that run Swift's tasks.
///
/// They are made when there is work for them, and end when there was none for a second. They are no threads of Dispatch: those
/// run Swift's tasks too on Linux, so a body that blocks there stalls every task of the process; and where the system has no
/// thread left, Dispatch waits for one without end.
package final class ThreadPool: Sendable {
  package typealias Job = @Sendable () -> Void

  /// For async functions that read. More threads than processors, because some wait for the disk.
  package static let readers = ThreadPool(threadCount: max(8, Crew.processorCount))

  /// For async functions that write. They have threads of their own, because each may wait a long time for another writer.
  package static let writers = ThreadPool(threadCount: 8)

  /// For the helpers of all crews, which never wait long.
  static let helpers = ThreadPool(threadCount: Crew.processorCount)

  private struct State {
    /// Jobs that no thread has begun, oldest first.
    var jobs: [Job] = []
    var threadCount = 0
    /// Threads without work; the one that had some last is last.
    var idle: [Sleeper] = []
  }

  /// A thread that waits for work. The job is set, under the pool's lock, by whoever wakes it.
  private final class Sleeper: @unchecked Sendable {
    // Sound to share: only the holder of the pool's lock touches the job.
    var job: Job?
    let wakeUp = DispatchSemaphore(value: 0)
  }

  private let threadCountMax: Int
  private let startThread: @Sendable (@escaping Job) -> Bool
  private let state = Mutex(State())
  /// The child of a fork has none of its parent's threads, one of which may have held the lock at that moment. And there `Mutex`
  /// takes the calling thread for its parent's, so a lock that another thread wants too ends the process. So it gets no threads.
  private let process = getpid()

  /// - Parameter startThread: what makes a thread; it returns false if there is none.
  init(threadCount: Int, startThread: @escaping @Sendable (@escaping Job) -> Bool = SystemThread.start) {
    (threadCountMax, self.startThread) = (max(1, threadCount), startThread)
  }

  /// - Parameter givesWay: whether other threads of the machine go first.
  package convenience init(threadCount: Int, givesWay: Bool) {
    self.init(threadCount: threadCount) { body in
      SystemThread.start {
        if givesWay { SystemThread.giveWay() }
        body()
      }
    }
  }

  /// Does `job` on one of the threads, after the jobs that came before it have begun, and returns at once. Where no thread is to
  /// be had, the calling one does it.
  package func run(_ job: @escaping Job) {
    if !offer(job) { job() }
  }

  /// Has one of the threads do `job`, after the jobs that came before it have begun. Returns false, and drops the job, if there
  /// is no thread and none is to be had.
  package func offer(_ job: @escaping Job) -> Bool {
    guard getpid() == process else { return false }
    let isNewThreadWanted = state.withLock { state in
      if let sleeper = state.idle.popLast() {
        sleeper.job = job
        sleeper.wakeUp.signal()
        return false
      }
      guard state.threadCount < threadCountMax else {
        state.jobs.append(job)
        return false
      }
      state.threadCount += 1
      return true
    }
    guard isNewThreadWanted, !startThread({ self.work(beginningWith: job) }) else { return true }
    return state.withLock { state in
      state.threadCount -= 1
      // One of the others does it later.
      if state.threadCount > 0 { state.jobs.append(job) }
      return state.threadCount > 0
    }
  }

  /// Does jobs until none has come for a second.
  private func work(beginningWith job: Job) {
    job()
    let sleeper = Sleeper()
    while let job = nextJob(sleeper) { job() }
  }

  /// The oldest job, which the calling thread may have to wait for; nil if none comes. Then the thread is counted out.
  private func nextJob(_ sleeper: Sleeper) -> Job? {
    let waiting = state.withLock { state -> Job? in
      guard state.jobs.isEmpty else { return state.jobs.removeFirst() }
      state.idle.append(sleeper)
      return nil
    }
    if let waiting { return waiting }
    while sleeper.wakeUp.wait(timeout: .now() + .seconds(1)) == .timedOut {
      let isLeaving = state.withLock { state in
        guard let index = state.idle.firstIndex(where: { $0 === sleeper }) else { return false }
        state.idle.remove(at: index)
        state.threadCount -= 1
        return true
      }
      // Else a job was given to it just now.
      if isLeaving { return nil }
    }
    return state.withLock { _ in sleeper.job.take() }
  }
}
