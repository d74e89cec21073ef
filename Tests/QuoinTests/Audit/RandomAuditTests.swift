import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Random quotes of few values on few days, audited as the naive oracle audits them; and nasty ones, which end nothing.
@Suite struct RandomAuditTests {
  private static let rules = Set(AuditRule.allCases).subtracting([.adjusted])

  @Test func random_quotes_are_audited_as_the_oracle_audits_them() throws {
    let marketCount = TestSettings.count("QUOIN_AUDITS", debug: 100, release: 1000)
    var found: [AuditRule: Int] = [:]
    for number in 0..<marketCount {
      var dice = SeededRandom(seed: TestSettings.seed, stream: UInt64(number))
      let rows = Self.rows(&dice)
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      try store.upsertUnchecked(rows)
      var options = AuditOptions(
        rules: Self.rules, jump: dice.element(of: [5, 40, 100]), today: "2001-03-17", threads: dice.element(of: [1, 3]))
      if dice.chance(0.3) { options.from = "2001-01-15" }
      var findings: [String] = []
      try store.audit(options) { finding in
        found[finding.rule, default: 0] += 1
        findings.append("\(finding.ticker) \(finding.day) \(finding.rule.rawValue)")
      }
      let expected = NaiveAudit(rows: rows, options: options).findings
      #expect(findings == expected, "QUOIN_SEED=\(TestSettings.seed), market \(number)")
      if findings != expected { break }
    }
    print("audits: QUOIN_SEED=\(TestSettings.seed), \(marketCount) markets, \(found.values.reduce(0, +)) findings")
    #expect(Set(found.keys) == Self.rules)
  }

  /// A few tickers with most of forty days, of which the first are equal now and then.
  private static func rows(_ dice: inout SeededRandom) -> [TickerSymbol: QuoteColumns] {
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for ticker in RandomMarket.symbols.prefix(1 + dice.below(6)) {
      if let known = rows["A"], dice.chance(0.2) {
        rows[ticker] = known
        if dice.chance(0.5), let last = known.days.indices.last {
          rows[ticker]?[.close][dice.chance(0.5) ? 0 : last] = 11.5
        }
        if dice.chance(0.3) { for row in known.days.indices { rows[ticker]?.clear(.open, row: row) } }
        continue
      }
      let density = dice.element(of: [0.05, 0.9, 0.97])
      // Now and then a ticker has a gap, or all of them have one.
      let gap = dice.chance(0.3) ? 15 + dice.below(5) : 45
      let weekends = dice.element(of: [0.1, 1])
      let days = (0..<45).filter { _ in dice.chance(density) }.map { $0 < gap ? $0 : $0 + 40 }
        .filter { ![5, 6].contains($0 % 7) || dice.chance(weekends) }
      var columns = QuoteColumns()
      for day in days.isEmpty ? [3] : days {
        columns.append(quote(of: ticker, on: TradingDay(daysSince1970: 11_323 + day) ?? .earliest, &dice))
      }
      rows[ticker] = columns
    }
    return rows
  }

  private static func quote(of ticker: TickerSymbol, on day: TradingDay, _ dice: inout SeededRandom)
    -> DailyQuoteSummary
  {
    func price(_ usual: [Double], _ dice: inout SeededRandom) -> Double? {
      dice.chance(0.93) ? dice.element(of: usual) : dice.element(of: [nil, 0, -1, 5, 10, 11, 30, .infinity])
    }
    if dice.chance(0.01) {
      return DailyQuoteSummary(ticker: ticker, date: day, splitRatio: dice.element(of: [nil, 1]))
    }
    let adjusted: Double? = dice.element(of: [9, 9, 9, 9, nil, -1])
    return DailyQuoteSummary(
      ticker: ticker, date: day, open: price([10, 10.5], &dice), high: price([10.5, 11], &dice),
      low: price([10, 9.5], &dice), close: price([10, 10.5], &dice),
      volume: dice.element(of: [100, 100, 200, 0, nil, -5]),
      exDividend: dice.element(of: [0, 0, 0, nil, 5, -1]), splitRatio: dice.element(of: [1, 1, 1, nil, 2, 0.5, 0]),
      adjustedLow: dice.element(of: [9, nil]), adjustedClose: adjusted)
  }

  @Test func the_findings_of_nasty_quotes_do_not_depend_on_threads_and_come_in_order() throws {
    for number in 0..<TestSettings.count("QUOIN_NASTY_AUDITS", debug: 20, release: 150) {
      var dice = SeededRandom(seed: TestSettings.seed, stream: UInt64(number))
      let market = try RandomMarket(&dice)
      var options = AuditOptions(jump: dice.element(of: [0.1, 40, 1e300]), today: dice.element(of: NastyValues.days))
      var runs: [[AuditFinding]] = []
      for threads in [1, 4] {
        options.threads = threads
        var findings: [AuditFinding] = []
        try market.store.audit(options) { findings.append($0) }
        runs.append(findings)
      }
      let keys = runs[0].map { ($0.ticker, $0.day, $0.rule) }
      #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 }, "QUOIN_SEED=\(TestSettings.seed), market \(number)")
      #expect(runs[0].map(\.description) == runs[1].map(\.description))
    }
  }
}
