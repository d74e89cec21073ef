/// Times a question: up to two runs to warm up (the first checks checksums and fills caches), then up to nine that
/// count. A question that takes long gets fewer of both: no run begins after the budget is spent, but one of each.
struct Stopwatch {
  var warmupCount = 2
  var runCount = 9
  var budget = Duration.seconds(4)

  /// Runs `question` and prints its times and its answer, which has to be the same in the last run as in the first.
  func time<Found>(
    _ engine: String, _ query: String, threads: Int = 1, _ question: () throws -> Found, answer: (Found) -> Answer
  ) throws {
    let start = ContinuousClock.now
    let first = answer(try question())
    var runs = 1
    while runs < warmupCount, ContinuousClock.now - start < budget {
      _ = try question()
      runs += 1
    }
    let (times, last) = try timed(question, since: start)
    precondition(answer(last) == first, "\(query) found \(first), then \(answer(last))")
    Record(engine: engine, query: query, threads: threads, answer: first, times: times).print()
  }

  private func timed<Found>(
    _ question: () throws -> Found, since start: ContinuousClock.Instant
  ) throws -> (times: [Double], last: Found) {
    PeakMemory.reset()
    var times: [Double] = []
    while true {
      let begin = ContinuousClock.now
      let found = try question()
      times.append((ContinuousClock.now - begin) / .milliseconds(1))
      if times.count == runCount || ContinuousClock.now - start > budget { return (times, found) }
    }
  }
}
