import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Random quotes of few values on few days, audited as the naive oracle audits them; and nasty ones, which end nothing.
@Suite struct RandomAuditTests {
  private static let rules = Set(AuditRule.allCases).subtracting([.adjusted])

  @Test func random_quotes_are_audited_as_the_oracle_audits_them() throws {
    let marketCount = TestSettings.count("QUOIN_AUDITS", debug: 100, release: 3000)
    var found: [AuditRule: Int] = [:]
    for number in 0..<marketCount {
      var dice = SeededRandom(seed: TestSettings.seed, stream: UInt64(number))
      let rows = Self.rows(&dice)
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      try store.upsert(rows)
      var options = AuditOptions(
        rules: Self.rules, jump: dice.element(of: [5, 40, 100]), today: "2001-02-10", threads: dice.element(of: [1, 3]))
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
        continue
      }
      let density = dice.element(of: [0.05, 0.9, 0.97])
      let days = (0..<45).filter { _ in dice.chance(density) }
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
    return DailyQuoteSummary(
      ticker: ticker, date: day, open: price([10, 10.5], &dice), high: price([10.5, 11], &dice),
      low: price([10, 9.5], &dice), close: price([10, 10.5], &dice),
      volume: dice.element(of: [100, 100, 200, 0, nil, -5]),
      exDividend: dice.element(of: [0, 0, 0, nil, 5, -1]), splitRatio: dice.element(of: [1, 1, 1, nil, 2, 0.5, 0]))
  }

  @Test func the_findings_of_nasty_quotes_do_not_depend_on_threads_and_come_in_order() throws {
    for number in 0..<TestSettings.count("QUOIN_NASTY_AUDITS", debug: 20, release: 600) {
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

/// The rules as their documentation says them, quote by quote.
private struct NaiveAudit {
  let rows: [TickerSymbol: QuoteColumns]
  let options: AuditOptions

  var findings: [String] {
    var found: [(TickerSymbol, TradingDay, AuditRule)] = []
    for (ticker, columns) in rows {
      let quotes = columns.days.indices.map { columns.quote(at: $0, of: ticker) }
      for (row, quote) in quotes.enumerated() {
        for rule in faults(of: quote, after: quotes.prefix(row)) { found.append((ticker, quote.date, rule)) }
      }
      for day in missingDays(of: ticker) { found.append((ticker, day, .missingDay)) }
      if quotes.count >= 5, let last = quotes.last,
        rows.contains(where: { $0.key != ticker && isTwin($0.value, of: columns) })
      {
        found.append((ticker, last.date, .equalHistory))
      }
    }
    return found.filter { $0.1 >= options.from ?? .earliest }.sorted { $0 < $1 }
      .map { "\($0.0) \($0.1) \($0.2.rawValue)" }
  }

  private func faults(of quote: DailyQuoteSummary, after before: ArraySlice<DailyQuoteSummary>) -> [AuditRule] {
    var faults: [AuditRule] = []
    if quote.date > options.today { faults.append(.futureDay) }
    if let volume = quote.volume, volume <= 0 { faults.append(.zeroVolume) }
    let prices = [quote.open, quote.high, quote.low, quote.close]
    if prices.contains(where: { $0 ?? 1 <= 0 }) { faults.append(.zeroPrice) }
    let (low, high) = (positive(quote.low), positive(quote.high))
    let outside = [quote.open, quote.close].compactMap(positive).contains { $0 < low ?? 0 || $0 > high ?? .infinity }
    let isUpsideDown = low ?? 0 > high ?? .infinity
    if isUpsideDown { faults.append(.lowAboveHigh) } else if outside { faults.append(.outsideRange) }
    let compared = isUpsideDown || outside ? [quote.close] : [quote.close, quote.low, quote.high]
    if compared.compactMap(positive).contains(where: { jumps($0, quote, before) }) { faults.append(.jump) }
    if let last = before.last, !prices.contains(nil), prices == [last.open, last.high, last.low, last.close],
      let volume = quote.volume, volume != 0, last.volume == volume
    {
      faults.append(.repeatedRow)
    }
    let (traded, listed) = market(on: quote.date)
    if quote.date <= options.today, listed >= 3, traded == 1 { faults.append(.loneDay) }
    return faults
  }

  private func positive(_ price: Double?) -> Double? { price.flatMap { $0 > 0 ? $0 : nil } }

  private func jumps(_ price: Double, _ quote: DailyQuoteSummary, _ before: ArraySlice<DailyQuoteSummary>) -> Bool {
    guard let last = before.lastIndex(where: { positive($0.close) != nil }), let close = positive(before[last].close)
    else { return false }
    var (shares, cash) = (1.0, 0.0)
    for day in before[(last + 1)...] + [quote] {
      shares *= positive(day.splitRatio) ?? 1
      cash += shares * (positive(day.exDividend) ?? 0)
    }
    // Of an infinite close no part is known.
    let (bottom, top) = (close * (1 - options.jump / 100), close * (1 + options.jump / 100))
    return [price, price * shares + cash].allSatisfy { $0 < bottom || $0 > top }
  }

  /// How many tickers traded and were listed on a day.
  private func market(on day: TradingDay) -> (traded: Int, listed: Int) {
    let lives = rows.values.map { $0.days.filter { $0 <= options.today } }
    let listed = lives.filter { life in life.contains { $0 <= day } && life.contains { $0 >= day } }
    return (listed.count { $0.contains(day) }, listed.count)
  }

  private func missingDays(of ticker: TickerSymbol) -> [TradingDay] {
    let days = (rows[ticker]?.days ?? []).filter { $0 <= options.today }
    guard let first = days.first, let last = days.last else { return [] }
    return (first.daysSince1970...last.daysSince1970).compactMap { TradingDay(daysSince1970: Int($0)) }.filter { day in
      let (traded, listed) = market(on: day)
      return !days.contains(day) && listed >= 3 && traded * 2 > listed
    }
  }

  private func isTwin(_ other: QuoteColumns, of columns: QuoteColumns) -> Bool {
    let names: [Attribute] = [.open, .high, .low, .close, .volume]
    guard names.dropLast().contains(where: { name in columns.doubles(name).contains { !$0.isNaN } }) else {
      return false
    }
    return other.days == columns.days
      && names.allSatisfy { name in
        columns.days.indices.allSatisfy { columns.text(of: name, at: $0) == other.text(of: name, at: $0) }
      }
  }
}
