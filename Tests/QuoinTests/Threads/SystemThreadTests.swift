import Testing

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct SystemThreadTests {
  @Test func what_is_deep_has_one_thread_with_room_for_all_of_it() {
    let own = pthread_self()
    let threads = SystemThread.deep(levelCount: 100) {
      (pthread_self(), SystemThread.deep(levelCount: 100) { SystemThread.deep(levelCount: .max) { pthread_self() } })
    }
    #expect(pthread_equal(threads.0, threads.1) != 0 && pthread_equal(threads.0, own) == 0)
    #expect(SystemThread.deep(levelCount: 3) { pthread_equal(pthread_self(), own) } != 0)
  }

  /// Each condition in it was described on a thread of its own, once.
  @Test func a_text_of_many_levels_is_made_soon() throws {
    var expression = QuoteExpression.close
    for level in 0..<80 { expression = .if(expression > .number(Double(level)), .high, .low) }
    let start = ContinuousClock.now
    let text = "\(expression)"
    #expect(text.hasPrefix(String(repeating: "if(", count: 80)))
    #expect(ContinuousClock.now - start < .seconds(1))
  }
}
