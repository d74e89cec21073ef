import Foundation
import Quoin
import Synchronization
import Testing

@testable import QuoinServer

/// Who has a turn, and when.
struct QuestionQueueTests {
  private static func queue(
    threads: Int = 4, byteCount: Int = 1 << 30, queueTime: Duration = .seconds(600)
  ) -> QuestionQueue {
    QuestionQueue(
      QueueLimits(threadCount: threads, byteCount: byteCount, queueTime: queueTime), ServerMetrics(PrometheusMetrics()))
  }

  private static func work(
    _ seconds: Double, of client: String = "a", byteCount: Int = 1, limit: Double = 600,
    in queue: QuestionQueue
  ) -> QuestionWork {
    QuestionWork(
      AnswerCost(time: .seconds(seconds), byteCount: byteCount), of: ClientKey(client),
      within: QuestionLimits(seconds: limit), in: queue)
  }

  /// Long work that goes on until it is let go.
  private static func hold(_ gate: Gate, _ works: [QuestionWork], in queue: QuestionQueue) async {
    for work in works { Task { try await queue.run(work) { gate.pass() } } }
    await gate.waitForArrivals()
  }

  /// A gate that work waits at.
  private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivals = Atomic(0)
    private let wanted: Int

    init(_ wanted: Int) { self.wanted = wanted }

    func pass() {
      arrivals.wrappingAdd(1, ordering: .relaxed)
      semaphore.wait()
    }

    var arrivalCount: Int { arrivals.load(ordering: .relaxed) }

    func waitForArrivals() async {
      while arrivalCount < wanted { try? await Task.sleep(for: .milliseconds(2)) }
    }

    func open() { for _ in 0..<100 { semaphore.signal() } }
  }

  @Test func short_work_has_threads_whatever_long_work_there_is() async throws {
    let (queue, gate) = (Self.queue(threads: 2), Gate(2))
    await Self.hold(gate, (0..<20).map { Self.work(5, of: "\($0)", in: queue) }, in: queue)
    for _ in 0..<100 { #expect(try await queue.run(Self.work(0.001, in: queue)) { 7 } == 7) }
    #expect(gate.arrivalCount == 2 && queue.figures.waiting == 18)
    gate.open()
  }

  @Test func a_client_has_half_of_the_threads_and_the_others_are_for_the_next_one() async throws {
    let (queue, gate) = (Self.queue(), Gate(2))
    await Self.hold(gate, (0..<20).map { _ in Self.work(5, in: queue) }, in: queue)
    #expect(try await queue.run(Self.work(5, of: "b", in: queue)) { 7 } == 7)
    #expect(gate.arrivalCount == 2)
    gate.open()
  }

  @Test func what_was_taken_for_short_by_mistake_keeps_no_short_work_waiting() async throws {
    let (queue, gate) = (Self.queue(threads: 2), Gate(2))
    await Self.hold(gate, ["a", "b"].map { Self.work(0.1, of: $0, in: queue) }, in: queue)
    #expect(try await queue.run(Self.work(0.001, of: "c", in: queue)) { 7 } == 7)
    #expect(try await queue.run(Self.work(0.001, of: "a", in: queue)) { 7 } == 7)
    gate.open()
  }

  private final class Log: Sendable { let order = Mutex<[Int]>([]) }

  @Test func shorter_work_goes_first_and_equal_work_in_order_but_nobody_is_overtaken_for_ever() async throws {
    let (queue, gate) = (Self.queue(threads: 1), Gate(1))
    let log = Log()
    await Self.hold(gate, [Self.work(5, in: queue)], in: queue)
    // The last one would be due after all others, had it not waited for so long.
    let works = [9, 3, 3, 1, 60].map { Self.work($0, in: queue) }
    await withTaskGroup { group in
      for (index, work) in works.enumerated() {
        group.addTask { try? await queue.run(work) { log.order.withLock { $0.append(index) } } }
        while queue.figures.waiting <= index { try? await Task.sleep(for: .milliseconds(1)) }
      }
      gate.open()
    }
    #expect(log.order.withLock { $0 } == [3, 1, 2, 0, 4])
    #expect(works[4].due - .now < .seconds(31))
  }

  @Test func work_waits_for_memory_and_others_do_not_wait_with_it() async throws {
    let queue = Self.queue(byteCount: 10)
    let first = Self.work(5, byteCount: 8, in: queue)
    _ = try await queue.run(first) {}
    #expect(queue.figures.byteCount == 8)
    let waiting = Self.work(5, of: "b", byteCount: 3, in: queue)
    let answer = Task { try await queue.run(waiting) { 7 } }
    while queue.figures.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(try await queue.run(Self.work(0.001, byteCount: 2, in: queue)) { 8 } == 8)
    #expect(queue.figures.waiting == 1)
    waiting.stop(.clientLeft)
    await #expect(throws: ClientGone.self) { try await answer.value }
    withExtendedLifetime(first) {}
  }

  @Test func memory_is_free_when_its_work_is_done_though_its_thread_goes_on() async throws {
    let (queue, gate) = (Self.queue(threads: 1, byteCount: 10), Gate(1))
    try await { try await queue.run(Self.work(5, byteCount: 8, in: queue)) {} }()
    await Self.hold(gate, [Self.work(5, byteCount: 1, in: queue)], in: queue)
    let start = ContinuousClock.now
    while queue.figures.byteCount > 1, ContinuousClock.now - start < .seconds(20) {
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(queue.figures.byteCount == 1)
    gate.open()
  }

  @Test func who_waits_too_long_is_told_for_what() async throws {
    func reason(_ queue: QuestionQueue, _ work: QuestionWork) async -> String {
      let refusal = await #expect(throws: Refusal.self) { try await queue.run(work) {} }
      #expect(refusal?.status == 503 && refusal?.headers["retry-after"] == "5")
      return refusal?.message ?? ""
    }
    let (queue, gate) = (Self.queue(byteCount: 100, queueTime: .milliseconds(100)), Gate(4))
    await Self.hold(gate, ["a", "a", "b", "c"].map { Self.work(5, of: $0, in: queue) }, in: queue)
    #expect(await reason(queue, Self.work(5, in: queue)).contains("2 questions of yours"))
    #expect(await reason(queue, Self.work(5, of: "d", in: queue)).contains("4 answers are being made"))
    #expect(await reason(queue, Self.work(5, of: "d", byteCount: 100, in: queue)).contains("memory"))
    gate.open()
  }

  @Test func work_that_takes_too_long_is_ended_and_says_so() async throws {
    let (queue, gate) = (Self.queue(), Gate(1))
    let work = Self.work(5, limit: 0.1, in: queue)
    let refusal = await #expect(throws: Refusal.self) { try await queue.run(work) { gate.pass() } }
    #expect(refusal?.status == 422 && refusal?.message.contains("question-seconds") == true)
    while !work.budget.cancellation.isCancelled { try await Task.sleep(for: .milliseconds(1)) }
    gate.open()
  }

  @Test func what_the_engine_counts_is_told_too() async throws {
    let queue = Self.queue(byteCount: 3 << 20)
    let work = QuestionWork(
      AnswerCost(time: .seconds(1)), of: ClientKey("a"), within: QuestionLimits(seconds: 600, megabytes: 2), in: queue
    )
    let budget = work.budget
    let tooBig = await #expect(throws: Refusal.self) { _ = try await queue.run(work) { try budget.hold(5 << 20) } }
    #expect(
      tooBig?.status == 422
        && tooBig?.message.contains("needs 5 MB of memory at once, and one question may hold 2 MB") == true)
    let held = try budget.hold(2 << 20)
    let other = Self.work(1, in: queue)
    let otherBudget = other.budget
    let busy = await #expect(throws: Refusal.self) { _ = try await queue.run(other) { try otherBudget.hold(2 << 20) } }
    #expect(busy?.status == 503 && busy?.message.contains("memory") == true)
    withExtendedLifetime(held) {}
    let tooLong = await #expect(throws: Refusal.self) {
      try await queue.run(work) { throw StoreError.questionTooLong(seconds: 600) }
    }
    #expect(tooLong?.status == 422 && tooLong?.message.contains("more than 600 s,") == true)
  }

  @Test func only_the_time_of_threads_counts() async throws {
    let queue = Self.queue()
    let work = Self.work(5, limit: 0.4, in: queue)
    for _ in 0..<4 {
      _ = try await queue.run(work) {}
      try await Task.sleep(for: .milliseconds(200))
    }
    let refusal = await #expect(throws: Refusal.self) {
      for _ in 0..<40 { try await queue.run(work) { Thread.sleep(forTimeInterval: 0.05) } }
    }
    #expect(refusal?.status == 422)
  }

  @Test func nobody_waits_for_the_thread_of_a_client_that_has_left() async throws {
    let (queue, gate) = (Self.queue(), Gate(1))
    let work = Self.work(5, in: queue)
    let answer = Task { try await queue.run(work) { gate.pass() } }
    await gate.waitForArrivals()
    work.stop(.clientLeft)
    await #expect(throws: ClientGone.self) { try await answer.value }
    #expect(work.budget.cancellation.isCancelled && queue.figures.running == 1)
    await #expect(throws: ClientGone.self) { try await queue.run(work) {} }
    gate.open()
  }

  @Test func a_queue_that_ends_refuses_at_once_and_ends_what_is_under_way() async throws {
    let (queue, gate) = (Self.queue(threads: 1), Gate(1))
    let work = Self.work(5, in: queue)
    let answer = Task { try await queue.run(work) { gate.pass() } }
    await gate.waitForArrivals()
    let waiting = Task { try await queue.run(Self.work(5, in: queue)) {} }
    while queue.figures.waiting == 0 { try await Task.sleep(for: .milliseconds(1)) }
    let start = ContinuousClock.now
    queue.end(after: .seconds(5))
    let refusal = await #expect(throws: Refusal.self) { try await waiting.value }
    let isUnderWay = !work.budget.cancellation.isCancelled
    // Other tests may have kept this one waiting.
    #expect(refusal?.status == 503 && (isUnderWay || ContinuousClock.now - start > .seconds(5)))
    await #expect(throws: Refusal.self) { try await queue.run(Self.work(0.001, in: queue)) {} }
    await #expect(throws: Refusal.self) { try await answer.value }
    // Who waits is told first.
    while !work.budget.cancellation.isCancelled { try await Task.sleep(for: .milliseconds(1)) }
    gate.open()
  }
}
