/// Times questions: two runs to warm up (the first checks checksums and fills caches), then nine that count. A short
/// question gets more of both, as many as fit into the pause. A long one gets fewer, at least one of each: no further run
/// begins after the budget is spent.
///
/// A question must have the same answer in every run and every engine.
final class Stopwatch {
  private let warmupCount: Int
  private let runCount: Int
  /// How long warming up takes at least, and what is timed after it.
  private let pause: Duration
  private let budget = Duration.seconds(4)
  private var answers: [String: Answer] = [:]

  init(warmupCount: Int = 2, runCount: Int = 9, pause: Duration = .milliseconds(50)) {
    self.warmupCount = warmupCount
    self.runCount = runCount
    self.pause = pause
  }

  /// Runs `question` and prints its times and its answer.
  ///
  /// - Parameter suffix: what the record adds to the query's name. The answer doesn't depend on it.
  func time<Found>(
    _ engine: String, _ query: String, suffix: String = "", threads: Int = 1, _ question: () throws -> Found,
    answer: (Found) -> Answer
  ) throws {
    let start = ContinuousClock.now
    let first = answer(try question())
    check(first, query)
    var runs = 1
    while runs < warmupCount || ContinuousClock.now - start < pause, ContinuousClock.now - start < budget {
      _ = try question()
      runs += 1
    }
    let faultCount = PageFaults.count
    let (times, last) = try timed(question, since: start)
    let faults = (PageFaults.count - faultCount) / times.count
    check(answer(last), query)
    Record(
      engine: engine, query: query + suffix, threads: threads, answer: first, times: times, pageFaultCount: faults
    ).print()
  }

  private func check(_ answer: Answer, _ query: String) {
    let known = answers[query] ?? answer
    precondition(answer.agrees(with: known), "\(query) found \(known), then \(answer)")
    answers[query] = known
  }

  private func timed<Found>(
    _ question: () throws -> Found, since start: ContinuousClock.Instant
  ) throws -> (times: [Double], last: Found) {
    PeakMemory.reset()
    let timedStart = ContinuousClock.now
    var times: [Double] = []
    while true {
      let begin = ContinuousClock.now
      let found = try question()
      times.append((ContinuousClock.now - begin) / .milliseconds(1))
      let now = ContinuousClock.now
      if times.count >= runCount && now - timedStart >= pause || now - start > budget { return (times, found) }
    }
  }
}
