import Synchronization
import Testing

@testable import Quoin

/// What tickers say of each other, and what is asked for.
@Suite struct MarketAuditTests {
  @Test func two_tickers_say_nothing_of_each_other() throws {
    for row in [0, 100, 299] {
      var market = SoundMarket("A", "B")
      market.removeDay(row, of: "B")
      #expect(try market.findings().isEmpty)
    }
  }

  @Test func days_are_missing_between_the_first_and_the_last_alone() throws {
    var market = SoundMarket("A", "B", "C", "D")
    for row in [299, 200, 150, 149, 0] { market.removeDay(row, of: "B") }
    let days = SoundMarket("A")["A"].days
    let expected = [149, 150, 200].map { "B \(days[$0]) missing-day traded=3 listed=4" }
    #expect(try market.findings() == expected)
    // On a day on which half of them trade, nobody is wrong.
    for row in [200, 150] { market.removeDay(row, of: "C") }
    #expect(try market.findings() == Array(expected.prefix(1)))
  }

  @Test func a_day_in_the_future_makes_no_life_longer() throws {
    var market = SoundMarket("A", "B", "C", "D")
    market["B"] = market["B"].sliced(0..<100)
    market.append("2999-01-01", to: "B")
    market.append("2018-04-02", to: "B")
    #expect(
      try market.findings { $0.rules = [.futureDay, .missingDay, .loneDay] } == [
        "B 2018-04-02 future-day days_ahead=1", "B 2999-01-01 future-day days_ahead=358213",
      ])
    #expect(try market.findings { $0.today = "2018-04-02" }.contains { $0.contains("2018-04-02 future-day") } == false)
    // Everything is in the future.
    let all = try market.findings {
      $0.rules = [.futureDay, .missingDay, .loneDay]
      $0.today = "1990-01-01"
    }
    #expect(all.count == 3 * 300 + 102 && all.allSatisfy { $0.contains(" future-day ") })
  }

  @Test func histories_of_a_few_days_are_no_twins() throws {
    for days in 1...6 {
      var market = SoundMarket("A", days: days)
      market["B"] = market["A"]
      let found = try market.findings { $0.rules = [.equalHistory] }
      #expect(found.count == (days < 5 ? 0 : 2), "\(days) days: \(found)")
    }
  }

  @Test func all_twins_are_named_and_others_are_not() throws {
    var market = SoundMarket("A", "B", "C")
    market["D"] = market["B"]
    market["E"] = market["B"]
    market["F"] = market["C"]
    // The same last row, and the same but for one cell.
    market["G"] = market["C"]
    market["G"][.low][17] -= 0.01
    // Adjusted values don't count.
    market["F"][.adjustedClose] = Array(repeating: .missing, count: 300)
    let twins = [("B", "D"), ("C", "F"), ("D", "B"), ("E", "B"), ("F", "C")]
    let expected = twins.map { "\($0) 2018-03-27 equal-history twin=\($1)" }
    #expect(try market.findings { $0.rules = [.equalHistory] } == expected)
    let chosen = try market.findings {
      $0.rules = [.equalHistory]
      $0.tickers = ["F", "A"]
    }
    #expect(chosen == [expected[4]])
  }

  @Test func findings_are_those_of_the_tickers_and_days_that_are_wanted() throws {
    var market = SoundMarket("A", "B", "C", "D")
    for ticker in ["D", "B", "A"] as [TickerSymbol] {
      for row in [50, 100, 150] { market[ticker][.volume][row] = 0 }
    }
    market["B"][.low][100] = 0
    let days = market["A"].days
    func text(_ tickers: [String], _ rows: [Int]) -> [String] {
      tickers.flatMap { ticker in
        rows.flatMap { row in
          (ticker == "B" && row == 100 ? ["B \(days[row]) zero-price low=0.0"] : [])
            + ["\(ticker) \(days[row]) zero-volume volume=0"]
        }
      }
    }
    #expect(try market.findings() == text(["A", "B", "D"], [50, 100, 150]))
    #expect(try market.findings { $0.from = days[100] } == text(["A", "B", "D"], [100, 150]))
    #expect(try market.findings { $0.to = days[100] } == text(["A", "B", "D"], [50, 100]))
    #expect(try market.findings { ($0.from, $0.to) = (days[100], days[100]) } == text(["A", "B", "D"], [100]))
    #expect(try market.findings { ($0.from, $0.to) = (days[100], days[99]) }.isEmpty)
    #expect(try market.findings { $0.tickers = ["D", "XYZ", "B", "D"] } == text(["B", "D"], [50, 100, 150]))
    #expect(try market.findings { $0.tickers = [] }.isEmpty)
    #expect(try market.findings { $0.rules = [] }.isEmpty)
  }

  @Test func the_day_before_the_first_wanted_one_counts() throws {
    var market = SoundMarket("A")
    for row in 100..<300 {
      for name in [TypedAttribute<Double>.open, .high, .low, .close] { market["A"][name][row] *= 2 }
    }
    let day = market["A"].days[100]
    #expect(
      try market.findings {
        $0.rules = [.jump]
        $0.from = day
      }.count == 1)
  }

  @Test func an_empty_store_has_no_findings() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    #expect(try store.audit { _ in Issue.record("a finding") } == 0)
  }

  @Test func a_task_gets_the_same_findings_until_it_is_cancelled() async throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var market = SoundMarket("A", "B", "C", days: 9000)
    market["B"][.volume] = Array(repeating: 0, count: 9000)
    try await store.upsert(market.rows)
    let options = AuditOptions(today: SoundMarket.today, threads: 1)
    let count = Mutex(0)
    #expect(try await store.audit(options) { _ in count.withLock { $0 += 1 } } == 27_000)
    #expect(count.withLock { $0 } == 9000)
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await store.audit(options) { _ in Issue.record("a finding of a cancelled task") }
    }
    task.cancel()
    await #expect(throws: StoreError.cancelled) { try await task.value }
    // Each ticker is a part of its own, and the first one has no findings.
    let cancellation = Cancellation()
    func cancel(_ checkedCount: Int, of rowCount: Int) { cancellation.cancel() }
    #expect(throws: StoreError.cancelled) {
      try Audit(store.snapshot, options, within: QuestionBudget(stoppedBy: cancellation)).forEachFinding(
        progress: cancel
      ) { _ in
        Issue.record("a finding after it was cancelled")
      }
    }
  }

  @Test func an_error_of_the_body_ends_it_and_damage_is_an_error() throws {
    struct Enough: Error {}
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    var market = SoundMarket("A", "B", "C", days: 3000)
    market["A"][.volume] = Array(repeating: 0, count: 3000)
    try store.upsert(market.rows)
    var count = 0
    #expect(throws: Enough.self) {
      try store.audit(AuditOptions(today: SoundMarket.today)) { _ in
        count += 1
        throw Enough()
      }
    }
    #expect(count == 1)
    var steps: [Int] = []
    #expect(try store.audit(progress: { steps += [$0, $1] }, { _ in }) == 9000)
    #expect(steps.suffix(2) == [9000, 9000])
    let name = try #require(store.snapshot.manifest.files.first?.name)
    let byteCount = try #require(files["store/" + name]?.count)
    files["store/" + name]?[byteCount - 100] ^= 1
    let reopened = try QuoteStore(at: "store", in: files)
    #expect(throws: StoreError.self) { try reopened.audit { _ in } }
  }

  /// The only findings in three histories of WIKI: two splits that it lacks, two days that were so, wrong lows, a row of a day without
  /// trade that has a dividend, and a day that a file of another year lacks.
  @Test(.enabled(if: RealAdjustmentTests.folder != nil, "QUOIN_REAL_QUOTES is not set"))
  func what_is_found_in_real_quotes_is_true() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let files = ["AAPL", "KO", "MSFT"].map { "\(RealAdjustmentTests.folder ?? "")/WIKI-\($0).csv" }
    try store.importFiles(files)
    var findings: [String] = []
    #expect(try store.audit { findings.append("\($0)") } == 31_223)
    #expect(
      findings == [
        "AAPL 1997-08-06 jump close_before=19.75 high=27.75 change_percent=40.5",
        "AAPL 2000-09-29 jump close_before=53.5 close=25.75 change_percent=-51.9",
        "KO 1965-02-19 jump close_before=148.75 close=74.5 change_percent=-49.9",
        "KO 1968-06-03 jump close_before=147.5 close=74.0 change_percent=-49.8",
        "KO 2001-09-12 zero-volume volume=0", "KO 2001-09-12 dividend ex-dividend=0.18",
        "KO 2001-09-12 lone-day traded=1 listed=3",
        "KO 2002-10-07 jump close_before=50.9 low=30.16 change_percent=-40.7",
        "KO 2003-12-23 jump close_before=50.16 low=5.18 change_percent=-89.7",
        "KO 2016-03-10 missing-day traded=2 listed=3",
      ])
  }
}
