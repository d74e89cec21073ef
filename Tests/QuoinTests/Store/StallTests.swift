import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Each in a process of its own, because other tests keep the threads of Swift's tasks busy.
@Suite struct StallTests {
  @Test func async_scans_of_the_market_do_not_stall_other_tasks() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await Self.measureScans()
    }
    Self.printFigures(result)
  }

  @Test func writers_that_wait_do_not_stall_other_tasks() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      try await Self.measureWaitingWriters()
    }
    Self.printFigures(result)
  }

  private static func printFigures(_ result: ExitTest.Result?) {
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    print(output.split(separator: "\n").last { $0.hasPrefix("promise 19: ") } ?? "no figures")
  }

  private static func measureScans() async throws {
    let rowCount = TestSettings.size("QUOIN_STALL_ROWS", debug: 40_000, release: 2_000_000)
    let market = try QuoteGenerator(tickerCount: rowCount / 5000, rowCount: rowCount, seed: 1)
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try await store.write { transaction in
      for (index, ticker) in market.tickers.enumerated() {
        try transaction.upsert(market.quotes(at: index), of: ticker)
      }
    }

    let sums = try await expectNoStall("64 async scans of \(rowCount) rows") {
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<64 {
          group.addTask { try await store.allQuotes.where(.high, above: 50).fetchColumns().rowCount }
        }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
    }
    precondition(sums.count == 1)
  }

  private static func measureWaitingWriters() async throws {
    let folder = TemporaryDirectory()
    let path = folder.path + "/store"
    let store = try await QuoteStore(at: path)
    let rowCount = try await expectNoStall("24 waiting writers") {
      var lock: WriterLock? = try WriterLock(path, SystemFiles(), patience: .zero)
      return try await withThrowingTaskGroup(of: UpsertCounts.self) { group in
        for number in 0..<24 {
          group.addTask {
            try await QuoteStore(at: path).upsert([TickerSymbol("T\(number)"): .sample(1)], patience: .seconds(60))
          }
        }
        try await Task.sleep(for: .milliseconds(200))
        if lock != nil { lock = nil }
        return try await group.reduce(0) { $0 + $1.inserted }
      }
    }
    try await store.refresh()
    precondition(rowCount == 24 && store.tickers.count == 24)
  }

  /// Runs `work`, and ends the program if another task was kept waiting meanwhile.
  private static func expectNoStall<Result>(
    _ what: String, _ work: () async throws -> Result
  ) async throws -> Result {
    let ticking = Task { await delays() }
    let start = ContinuousClock.now
    let result = try await work()
    let duration = ContinuousClock.now - start
    ticking.cancel()
    let late = await ticking.value.sorted()
    let (median, worst) = (late[late.count / 2], late[late.count - 1])
    print(
      "promise 19: \(what) took \(duration); of \(late.count) ticks meanwhile the median came \(median) late, the last "
        + "\(worst)")
    precondition(median < .milliseconds(50) && worst < .milliseconds(500))
    return result
  }

  /// How much later than wanted a task goes on that sleeps for a millisecond, again and again until it is cancelled.
  private static func delays() async -> [Duration] {
    var delays: [Duration] = []
    while !Task.isCancelled {
      let start = ContinuousClock.now
      try? await Task.sleep(for: .milliseconds(1))
      delays.append(ContinuousClock.now - start - .milliseconds(1))
    }
    return delays
  }
}
