import Synchronization
import Testing

@testable import Quoin

@Suite struct HelpersTests {
  /// Work of `count` items, which does nothing but count.
  private final class CountedWork: SharedWork {
    let waiting: Atomic<Int>
    let done = Atomic(0)
    let helpers: Helpers

    init(_ count: Int, _ helpers: Helpers) {
      waiting = Atomic(count)
      self.helpers = helpers
    }

    var hasWaitingItems: Bool { waiting.load(ordering: .relaxed) > 0 }

    func help() {
      while true {
        let count = waiting.load(ordering: .relaxed)
        guard count > 0 else { return }
        guard waiting.compareExchange(expected: count, desired: count - 1, ordering: .relaxed).exchanged else {
          continue
        }
        helpers.note(waiting: -1)
        done.add(1, ordering: .relaxed)
        if helpers.wait(besides: count - 1) { return }
      }
    }
  }

  /// Waits for helpers, without keeping a thread that they may need.
  private static func wait(until condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(20)
    while !condition() {
      try #require(ContinuousClock.now < end, "no helper has come")
      try await Task.sleep(for: .microseconds(10))
    }
  }

  @Test func helpers_do_all_works_that_are_shared() async throws {
    for limit in [1, 3] {
      let helpers = Helpers(limit: limit)
      let works = [CountedWork(1000, helpers), CountedWork(10, helpers), CountedWork(100, helpers)]
      for work in works {
        helpers.add(work)
        helpers.note(waiting: work.waiting.load(ordering: .relaxed))
      }
      helpers.call()
      try await Self.wait { works.map { $0.done.load(ordering: .relaxed) } == [1000, 10, 100] }
    }
  }

  @Test func work_is_done_whenever_it_comes() async throws {
    // Soon after the last one, when helpers watch; later, when they are leaving; and much later, when they have left.
    let helpers = Helpers(limit: 2)
    let work = CountedWork(0, helpers)
    helpers.add(work)
    for round in 0..<500 {
      work.waiting.add(1, ordering: .relaxed)
      helpers.note(waiting: 1)
      helpers.call()
      try await Self.wait { work.done.load(ordering: .relaxed) == round + 1 }
      let pause = Spin.limit * (round % 20) / 10
      let end = ContinuousClock.now + pause
      while ContinuousClock.now < end {}
    }
  }

  @Test func what_was_removed_gets_no_help() async throws {
    let helpers = Helpers(limit: 1)
    let (removed, work) = (CountedWork(1, helpers), CountedWork(1, helpers))
    for work in [removed, work] { helpers.add(work) }
    helpers.remove(removed)
    helpers.note(waiting: 1)
    helpers.call()
    try await Self.wait { work.done.load(ordering: .relaxed) == 1 }
    #expect(removed.done.load(ordering: .relaxed) == 0)
  }

  @Test func spinning_ends() {
    let start = ContinuousClock.now
    Spin.wait { false }
    Spin.wait { true }
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
