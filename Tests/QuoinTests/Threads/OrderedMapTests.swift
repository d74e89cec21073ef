import Dispatch
import Synchronization
import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct OrderedMapTests {
  /// Does as much work as `amount` says. Returns 0, which the compiler doesn't know.
  private static func work(_ amount: Int) -> Int {
    var sum = 0
    for step in 0..<(amount * 200) { sum &+= step ^ sum }
    return sum == 1 ? 1 : 0
  }

  private static func failure(_ index: Int) -> StoreError { .damaged(path: "item", offset: index, reason: "it fails") }

  @Test func results_come_in_order_whichever_is_done_first() {
    for threads in [1, 2, 3, 8] {
      let crew = Crew(threadCount: threads)
      for count in [0, 1, 2, 7, 200] {
        // Later items are done sooner.
        let items = crew.map(count, worker: ()) { _, index in index + Self.work(count - index) }
        #expect(items == Array(0..<count), "\(threads) threads")
        let merged = crew.reduce(
          count, worker: (), into: "", merge: { $0 += "\($1) " },
          body: { _, index in
            index + Self.work(count - index)
          })
        #expect(merged == (0..<count).map { "\($0) " }.joined(), "\(threads) threads")
      }
    }
  }

  @Test func every_item_is_done_once() {
    for threads in [1, 2, 5, 64] {
      let count = Atomic(0)
      let crew = Crew(threadCount: threads)
      for itemCount in [1, 3, 1000] {
        count.store(0, ordering: .relaxed)
        _ = crew.map(itemCount, worker: ()) { _, _ in count.add(1, ordering: .relaxed).newValue }
        #expect(count.load(ordering: .relaxed) == itemCount, "\(threads) threads")
      }
    }
  }

  @Test func where_no_thread_is_to_be_had_the_caller_does_all_items() {
    let pool = ThreadPool(threadCount: 4) { _ in false }
    let here = pthread_self()
    let crew = Crew(threadCount: 4, helpedBy: pool)
    for _ in 0..<3 {
      let isHere = crew.map(100, worker: ()) { _, _ in pthread_equal(pthread_self(), here) != 0 }
      #expect(isHere == Array(repeating: true, count: 100))
    }
    let done = Atomic(0)
    pool.run { done.add(1, ordering: .relaxed) }
    #expect(done.load(ordering: .relaxed) == 1)
  }

  @Test func a_job_for_which_no_thread_is_to_be_had_waits_for_one_that_is_there() async {
    let started = Atomic(0)
    let pool = ThreadPool(threadCount: 4) { body in
      started.add(1, ordering: .relaxed).oldValue == 0 && SystemThread.start(body)
    }
    let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    pool.run { gate.wait() }
    #expect(pool.offer { done.signal() })
    gate.signal()
    #expect(done.wait(timeout: .now() + .seconds(10)) == .success)
  }

  /// A thread that left must not be counted on, and a job that comes when it leaves must not be lost.
  @Test func threads_that_have_left_come_again() {
    let pool = ThreadPool(threadCount: 2)
    let done = DispatchSemaphore(value: 0)
    for pause in [0, 990_000, 1_000_000, 1_010_000, 1_500_000] as [UInt32] {
      usleep(pause)
      pool.run { done.signal() }
      #expect(done.wait(timeout: .now() + .seconds(10)) == .success)
    }
  }

  @Test func the_error_of_the_first_item_that_fails_is_thrown() {
    for threads in [1, 2, 3, 8] {
      let crew = Crew(threadCount: threads)
      for _ in 0..<20 {
        let begun = Atomic(0)
        let error = #expect(throws: StoreError.self) {
          try crew.map(1000, worker: ()) { _, index throws(StoreError) in
            begun.add(1, ordering: .relaxed)
            // Several fail, if helpers are there.
            if index == 7 { Self.wait(.milliseconds(1)) { begun.load(ordering: .relaxed) >= 9 } }
            if index >= 7 { throw Self.failure(index) }
            return index
          }
        }
        #expect(error == Self.failure(7))
        // Once one has failed, no more are begun.
        #expect(begun.load(ordering: .relaxed) < 500)
      }
    }
  }

  @Test func results_before_the_first_failure_are_taken() throws {
    for threads in [1, 2, 5] {
      var map = OrderedMap(Crew(threadCount: threads), worker: ()) { (_, item: Int) throws(StoreError) in
        if item >= 3 { throw Self.failure(item) }
        return item
      }
      var (taken, next) = ([Int](), 0)
      let error = #expect(throws: StoreError.self) {
        while true {
          while !map.isFull, next < 100 {
            map.push(next)
            next += 1
          }
          guard let output = try map.next() else { break }
          taken.append(output)
        }
      }
      #expect(taken == [0, 1, 2] && error == Self.failure(3))
      #expect(try map.next() == nil && map.count == 0)
    }
  }

  @Test func no_more_items_are_in_the_map_than_the_window_allows() {
    for (threads, perThread) in [(1, 8), (2, 1), (2, 8), (3, 2)] {
      let produced = Atomic(0)
      let done = Atomic(0)
      var map = OrderedMap(Crew(threadCount: threads), itemsPerThread: perThread, worker: ()) { (_, item: Int) in
        done.add(1, ordering: .relaxed)
        return item
      }
      #expect(map.window == (threads == 1 ? 1 : threads * perThread))
      var taken = 0
      for _ in 0..<50 {
        while !map.isFull { map.push(produced.add(1, ordering: .relaxed).oldValue) }
        #expect(map.count == map.window)
        #expect(produced.load(ordering: .relaxed) == taken + map.window)
        #expect(done.load(ordering: .relaxed) <= taken + map.window)
        #expect(map.next() == taken)
        taken += 1
      }
    }
  }

  @Test func the_consumer_does_items_while_it_waits() {
    // A helper ends its first item only when the consumer has done another one.
    let consumer = ThreadName.own
    let hasHelped = Atomic(false)
    let threads = Crew(threadCount: 2).map(10, worker: ()) { _, _ in
      if ThreadName.own == consumer {
        hasHelped.store(true, ordering: .relaxed)
      } else {
        Self.wait(.seconds(20)) { hasHelped.load(ordering: .relaxed) }
      }
      return ThreadName.own
    }
    #expect(threads.contains(consumer))
  }

  @Test func one_thread_is_the_calling_one() {
    let consumer = ThreadName.own
    let order = Mutex<[Int]>([])
    var map = OrderedMap(.alone, worker: ()) { (_, item: Int) in
      order.withLock { $0.append(item) }
      return ThreadName.own
    }
    for item in 0..<10 {
      map.push(item)
      order.withLock { #expect($0.count == item) }
      #expect(map.next() == consumer)
    }
    #expect(map.next() == nil)
    #expect(order.withLock { $0 } == Array(0..<10))
  }

  @Test func so_many_threads_work_and_no_more() {
    let crew = Crew(threadCount: 3)
    for _ in 0..<20 {
      let running = Atomic(0)
      let most = Atomic(0)
      _ = crew.map(100, worker: ()) { _, index in
        most.max(running.add(1, ordering: .relaxed).newValue, ordering: .relaxed)
        defer { running.subtract(1, ordering: .relaxed) }
        return Self.work(20)
      }
      #expect(most.load(ordering: .relaxed) <= 3)
    }
  }

  @Test func a_worker_is_made_once_for_a_thread_and_used_by_one_at_a_time() {
    final class Worker {
      var isBusy = false
      init(_ made: borrowing Atomic<Int>) { made.add(1, ordering: .relaxed) }
    }
    for threads in [1, 2, 4] {
      let made = Atomic(0)
      let crew = Crew(threadCount: threads)
      let wasBusy = crew.map(500, worker: Worker(made)) { worker, index in
        let wasBusy = worker.isBusy
        worker.isBusy = true
        defer { worker.isBusy = false }
        return wasBusy || Self.work(index % 7) > 0
      }
      #expect(!wasBusy.contains(true))
      #expect((1...threads).contains(made.load(ordering: .relaxed)))
    }
  }

  @Test func maps_nest() {
    for threads in [1, 2, 4] {
      let crew = Crew(threadCount: threads)
      let sums = crew.map(20, worker: ()) { _, outer in
        crew.map(20, worker: ()) { _, inner in
          crew.map(3, worker: ()) { _, _ in outer * inner + Self.work(1) }.reduce(0, +)
        }.reduce(0, +)
      }
      #expect(sums == (0..<20).map { $0 * 190 * 3 }, "\(threads) threads")
    }
  }

  @Test func two_maps_share_a_crew() {
    for threads in [1, 2, 4] {
      let crew = Crew(threadCount: threads)
      var first = OrderedMap(crew, itemsPerThread: 2, worker: ()) { (_, item: Int) in item + Self.work(5) }
      var second = OrderedMap(crew, worker: ()) { (_, item: Int) in -item - Self.work(2) }
      var (pushed, found) = (0, [Int]())
      while true {
        while !first.isFull, pushed < 300 {
          first.push(pushed)
          pushed += 1
        }
        guard let item = first.next() else { break }
        second.push(item)
        if second.isFull, let item = second.next() { found.append(item) }
      }
      while let item = second.next() { found.append(item) }
      #expect(found == (0..<300).map { -$0 }, "\(threads) threads")
    }
  }

  @Test func no_item_is_under_way_when_the_map_is_gone() {
    let crew = Crew(threadCount: 4)
    for round in 0..<200 {
      let running = Atomic(0)
      func leave() {
        var map = OrderedMap(crew, worker: ()) { (_, item: Int) in
          running.add(1, ordering: .relaxed)
          defer { running.subtract(1, ordering: .relaxed) }
          return item + Self.work(10)
        }
        for item in 0..<map.window { map.push(item) }
        for item in 0..<(round % 5) { #expect(map.next() == item) }
      }
      leave()
      #expect(running.load(ordering: .relaxed) == 0)
      // What the body captured is not used again.
      let count = running.load(ordering: .relaxed)
      Self.wait(.microseconds(20)) { false }
      #expect(running.load(ordering: .relaxed) == count)
    }
  }

  @Test func no_item_is_under_way_when_an_error_is_thrown() {
    for threads in [2, 4] {
      let crew = Crew(threadCount: threads)
      for _ in 0..<100 {
        let running = Atomic(0)
        #expect(throws: StoreError.self) {
          try crew.map(100, worker: ()) { _, index throws(StoreError) in
            running.add(1, ordering: .relaxed)
            defer { running.subtract(1, ordering: .relaxed) }
            if index == 3 { throw Self.failure(index) }
            return Self.work(30)
          }
        }
        #expect(running.load(ordering: .relaxed) == 0)
      }
    }
  }

  /// Waits until `condition` holds, but no longer than `limit`.
  private static func wait(_ limit: Duration, until condition: () -> Bool) {
    let end = ContinuousClock.now + limit
    while !condition(), ContinuousClock.now < end { sched_yield() }
  }
}

/// Tells threads apart.
struct ThreadName: Equatable, Sendable {
  private let number: Int

  static var own: ThreadName {
    #if canImport(Glibc)
      ThreadName(number: Int(pthread_self()))
    #else
      ThreadName(number: Int(bitPattern: unsafe pthread_self()))
    #endif
  }
}
