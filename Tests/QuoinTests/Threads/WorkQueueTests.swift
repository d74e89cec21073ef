import Synchronization
import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct WorkQueueTests {
  @Test func results_come_in_order_whoever_is_first() throws {
    for threads in [1, 2, 3, 8] {
      for count in [0, 1, 2, 7, 200] {
        let slowFirst: @Sendable (Int) -> Int = { index in
          // Earlier pieces take longer, so that later ones have to wait for them.
          var sum = 0
          for step in 0..<((count - index) * 200) { sum &+= step ^ sum }
          return sum == 1 ? -1 : index
        }
        let pieces = try WorkQueue.run(count, threads: threads, worker: ()) { _, index throws(StoreError) in
          slowFirst(index)
        }
        #expect(pieces == Array(0..<count), "\(threads) threads")
        let merged = try WorkQueue.run(
          count, threads: threads, worker: (), into: "", merge: { $0 += "\($1) " },
          body: { _, index throws(StoreError) in slowFirst(index) })
        #expect(merged == (0..<count).map { "\($0) " }.joined(), "\(threads) threads")
      }
    }
  }

  @Test func the_error_of_the_first_piece_that_fails_is_thrown() {
    for threads in [1, 2, 3, 8] {
      for _ in 0..<20 {
        let begun = Atomic(0)
        let error = #expect(throws: StoreError.self) {
          try WorkQueue.run(1000, threads: threads, worker: ()) { _, index throws(StoreError) in
            begun.add(1, ordering: .relaxed)
            // Several fail.
            while threads > 1, index == 7, begun.load(ordering: .relaxed) < 9 { sched_yield() }
            if index >= 7 { throw .damaged(path: "piece", offset: index, reason: "it fails") }
            return index
          }
        }
        #expect(error == .damaged(path: "piece", offset: 7, reason: "it fails"))
        // The others are not begun once one has failed.
        #expect(begun.load(ordering: .relaxed) < 500)
      }
    }
  }
}
