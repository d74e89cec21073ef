import Synchronization
import Testing

@testable import Quoin

@Suite struct WorkCrewTests {
  @Test(arguments: [1, 2, 5]) func results_are_those_of_their_pieces(_ threadCount: Int) {
    let crew = WorkCrew(threadCount: threadCount)
    let works = (0..<500).map { index in crew.start { (0...index).reduce(0, +) } }
    for (index, work) in works.enumerated().reversed() { #expect(work.result == index * (index + 1) / 2) }
    #expect(works[7].result == 28)
  }

  @Test(arguments: [1, 2, 5]) func every_piece_is_done_once(_ threadCount: Int) {
    let crew = WorkCrew(threadCount: threadCount)
    let count = Mutex(0)
    let ends = (0..<1000).map { _ in crew.start { count.withLock { $0 += 1 } } }
    for end in ends { end.result }
    #expect(count.withLock { $0 } == 1000)
  }

  @Test func with_one_thread_a_piece_is_done_where_it_is_asked_for() {
    let crew = WorkCrew(threadCount: 1)
    let order = Mutex<[Int]>([])
    let first = crew.start { order.withLock { $0.append(1) } }
    order.withLock { $0.append(2) }
    first.result
    #expect(order.withLock { $0 } == [1, 2])
  }
}
