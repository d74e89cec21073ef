import Dispatch
import Synchronization
import Testing

@testable import Quoin

@Suite struct BlockingCallTests {
  private struct Cancelled: Error, Equatable {}
  private struct Refused: Error, Equatable {}

  private final class Tally: Sendable {
    let running = Atomic(0)
    let most = Atomic(0)
    let sum = Atomic(0)
  }

  private static func block(microseconds: Int) {
    _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .microseconds(microseconds))
  }

  @Test func the_body_runs_elsewhere_and_its_result_and_its_error_come_back() async throws {
    let answer = try await onBlockingThread(whenCancelled: Cancelled()) { _ throws(Cancelled) in 42 }
    #expect(answer == 42)
    await #expect(throws: Refused()) {
      try await onBlockingThread(whenCancelled: Refused()) { _ throws(Refused) in throw Refused() }
    }
  }

  @Test func no_more_bodies_run_at_once_than_there_are_threads() async {
    let pool = ThreadPool(threadCount: 3)
    let tally = Tally()
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          try? await onBlockingThread(of: pool, whenCancelled: Cancelled()) { _ throws(Cancelled) in
            tally.most.max(tally.running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
            Self.block(microseconds: 500)
            tally.running.subtract(1, ordering: .relaxed)
            tally.sum.add(number, ordering: .relaxed)
          }
        }
      }
    }
    let (sum, most) = (tally.sum.load(ordering: .relaxed), tally.most.load(ordering: .relaxed))
    #expect(sum == 199 * 100)
    #expect((1...3).contains(most))
  }

  @Test func a_body_that_has_not_begun_never_does_after_cancellation() async throws {
    let pool = ThreadPool(threadCount: 1)
    let gate = DispatchSemaphore(value: 0)
    let tally = Tally()
    pool.run { gate.wait() }
    let task = Task {
      try await onBlockingThread(of: pool, whenCancelled: Cancelled()) { _ throws(Cancelled) in
        tally.sum.add(1, ordering: .relaxed)
      }
    }
    task.cancel()
    // The only thread is still busy.
    await #expect(throws: Cancelled()) { try await task.value }
    gate.signal()
    try await onBlockingThread(of: pool, whenCancelled: Cancelled()) { _ throws(Cancelled) in }
    let sum = tally.sum.load(ordering: .relaxed)
    #expect(sum == 0)
  }

  @Test func a_body_that_runs_learns_of_cancellation() async {
    let tally = Tally()
    let task = Task {
      try await onBlockingThread(whenCancelled: Refused()) { cancellation throws(Refused) in
        tally.sum.add(1, ordering: .relaxed)
        while !cancellation.isCancelled { Self.block(microseconds: 100) }
        throw Refused()
      }
    }
    while tally.sum.load(ordering: .relaxed) == 0 { try? await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    await #expect(throws: Refused()) { try await task.value }
  }

  @Test func cancelling_at_any_moment_resumes_the_task_once() async {
    for round in 0..<2000 {
      let task = Task { () -> Bool in
        do throws(Cancelled) {
          return try await onBlockingThread(whenCancelled: Cancelled()) { _ throws(Cancelled) in true }
        } catch { return false }
      }
      if round % 2 == 0 { await Task.yield() }
      task.cancel()
      _ = await task.value
    }
  }
}
