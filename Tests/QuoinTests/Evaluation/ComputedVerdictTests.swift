import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct ComputedVerdictTests {
  /// A block whose verdict is `none` has no row that matches, and one with `all` has only such rows.
  @Test func verdicts_hold_for_every_row() throws {
    var dice = TestSettings.dice("computed verdicts")
    var decidedCount = 0
    for _ in 0..<TestSettings.count(debug: 80, release: 1000) {
      let market = try RandomMarket(&dice)
      for _ in 0..<5 {
        let predicate = Self.predicate(market, &dice)
        let plan = try market.store.allQuotes.where(predicate).plan()
        for (index, condition) in plan.conditions.enumerated() {
          guard case .computed(_, let value) = condition.range else { continue }
          decidedCount += try check(plan, index, value == 1 ? predicate : !predicate, market)
        }
      }
    }
    #expect(decidedCount > 100, "the statistics decided \(decidedCount) blocks")
  }

  /// A comparison, often with a number that lies outside of a block, so that statistics have something to say.
  private static func predicate(_ market: RandomMarket, _ dice: inout SeededRandom) -> Quoin.Predicate {
    let x = market.expression(&dice, depth: 1 + dice.below(3))
    let comparison = dice.element(of: [Comparison.below, .atMost, .above, .atLeast, .equal, .notEqual])
    if dice.chance(0.2) { return .isMissing(x) }
    let y =
      dice.chance(0.7)
      ? QuoteExpression.number(dice.element(of: [-1e9, -1, 0, 0.5, 1, 20, 100, 1e9, 1e300]))
      : market.expression(&dice, depth: 1)
    return .comparison(x, comparison, y)
  }

  /// Compares the verdicts on a condition, which is the whole predicate, with the rows; the number of blocks that need no look.
  private func check(
    _ plan: ScanPlan, _ index: Int, _ predicate: Quoin.Predicate, _ market: RandomMarket
  ) throws -> Int {
    var decidedCount = 0
    for (place, symbol) in plan.snapshot.symbols.enumerated() {
      let blocks = TickerBlocks(plan.snapshot.manifest, Int32(place), plan.file)
      let truths = truths(predicate, try #require(market.rows[symbol]), of: symbol)
      for (number, block) in blocks[0..<blocks.count].enumerated() {
        let judged = try #require(plan.verdicts[Int(block.fileIndex)])
        let verdict = judged.conditions[index][Int(block.block) - judged.firstBlock]
        let rows = truths[blocks.rows(ofBlock: number)]
        switch verdict {
        case .none: #expect(!rows.contains(yes), "\(predicate): none of block \(number) of \(symbol)")
        case .all: #expect(rows.allSatisfy { $0 == yes }, "\(predicate): all of block \(number) of \(symbol)")
        case .some: continue
        }
        decidedCount += 1
      }
    }
    return decidedCount
  }

  @Test func levels_are_decided_without_reading_rows() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let quotes = (0..<3000).map { day in
      DailyQuoteSummary(
        ticker: "KO", date: TradingDay(daysSince1970: 10_000 + day)!, open: 40 + Double(day / 100),
        high: 50 + Double(day / 100),
        low: 30, close: 45 + Double(day / 100), volume: 1000)
    }
    try store.upsert(quotes)
    for (text, count) in [
      ("(high + low) / 2 > 30", 0), ("(high + low) / 2 > 100", 0), ("close * volume > 1e9", 0), ("close - open = 5", 3),
      ("mean(close, 60) > 100", 0), ("prev(close) < 20", 0), ("year(date) < 1990", 0),
      ("close > 200 or high - low > 100", 0),
      ("std(close, 20) > 100", 0), ("close / open > 10", 0),
    ] {
      let plan = try store.allQuotes.where(Quoin.Predicate(parsing: text)).plan()
      let readCount = plan.candidates.count { $0.verdict == .some }
      #expect(readCount == count, "\(text): \(readCount) blocks are read")
    }
  }

  @Test func each_part_of_a_day_that_rows_have_is_found() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let days = (0..<1461).map { TradingDay(daysSince1970: 12_053 + $0)! }
    #expect(days.first == "2003-01-01" && days.last == "2006-12-31")
    try store.upsert(days.map { DailyQuoteSummary(ticker: "KO", date: $0, close: 1) })
    for field in CalendarField.allCases {
      let values = days.map { field.value(of: $0) }
      let all = try #require(values.min())...(try #require(values.max()))
      for value in Set(values).union([all.lowerBound - 1, all.upperBound + 1]) {
        let text = "\(field.rawValue)(date) = \(value)"
        let count = try store.allQuotes.where(Quoin.Predicate(parsing: text)).count()
        #expect(count == values.count { $0 == value }, "\(text)")
      }
      // What no row has is decided without reading rows.
      let outside = try store.allQuotes.where(Quoin.Predicate(parsing: "\(field.rawValue)(date) > \(all.upperBound)"))
      #expect(try outside.plan().candidates.allSatisfy { $0.verdict != .some }, "\(field)")
    }
  }
}
