import Synchronization

/// Does on a thread of `pool` what blocks its thread, while the calling task waits without one.
///
///     try await onBlockingThread(whenCancelled: StoreError.cancelled) { cancellation throws(StoreError) in
///       try scan(stoppingAt: cancellation)
///     }
///
/// Cancellation of the task is not awaited in the queue of the pool: if `body` hasn't begun, it never will, and the call throws
/// at once. If it has begun, the call ends when `body` does, which looks at its argument from time to time.
///
/// - Parameters:
///   - pool: `readers` or `writers`.
///   - cancellation: what becomes true when the task is cancelled; one of the call's own unless several calls share it.
///   - error: what the call throws when its task was cancelled before `body` began.
///   - body: what blocks. It throws its own error when it sees that it was cancelled.
/// - Throws: the error of `body`, or `error`.
package func onBlockingThread<Value: Sendable, Failure: Error>(
  of pool: ThreadPool = .readers, stoppedBy cancellation: Cancellation = Cancellation(), whenCancelled error: Failure,
  _ body: @escaping @Sendable (Cancellation) throws(Failure) -> Value
) async throws(Failure) -> Value {
  let call = BlockingCall(cancellation, error, body)
  let result = await withTaskCancellationHandler {
    await withCheckedContinuation { call.start($0, pool) }
  } onCancel: {
    call.cancel()
  }
  return try result.get()
}

/// Whether nobody waits for a result any more.
package final class Cancellation: Sendable {
  private let flag = Atomic(false)
  /// What else may say so, asked on any thread that works for the result.
  private let other: (@Sendable () -> Bool)?

  package init(or other: (@Sendable () -> Bool)? = nil) { self.other = other }

  package var isCancelled: Bool { flag.load(ordering: .relaxed) || other?() == true }

  package func cancel() { flag.store(true, ordering: .relaxed) }
}

/// What a task waits for: its continuation is resumed once, by the thread that does the body or by the task's cancellation.
private final class BlockingCall<Value: Sendable, Failure: Error>: Sendable {
  typealias Waiter = CheckedContinuation<Result<Value, Failure>, Never>

  private let error: Failure
  private let body: @Sendable (Cancellation) throws(Failure) -> Value
  private let cancellation: Cancellation
  /// The task, until the body begins. Cancellation is noted under the lock, so that it isn't missed.
  private let waiter = Mutex<Waiter?>(nil)

  init(
    _ cancellation: Cancellation, _ error: Failure,
    _ body: @escaping @Sendable (Cancellation) throws(Failure) -> Value
  ) {
    (self.cancellation, self.error, self.body) = (cancellation, error, body)
  }

  func start(_ continuation: Waiter, _ pool: ThreadPool) {
    let isCancelled = waiter.withLock { waiter in
      waiter = cancellation.isCancelled ? nil : continuation
      return waiter == nil
    }
    guard !isCancelled else { return continuation.resume(returning: .failure(error)) }
    pool.run { self.run() }
  }

  func cancel() {
    let waiting = waiter.withLock { waiter in
      cancellation.cancel()
      return waiter.take()
    }
    waiting?.resume(returning: .failure(error))
  }

  private func run() {
    guard let waiting = waiter.withLock({ $0.take() }) else { return }
    waiting.resume(returning: Result { () throws(Failure) in try body(cancellation) })
  }
}
