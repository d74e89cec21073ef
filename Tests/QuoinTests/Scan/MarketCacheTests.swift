import Testing

@testable import Quoin

/// How often a value of the market is found, and what it holds.
@Suite struct MarketCacheTests {
  /// Each row has an old and a new window of ranks of what the level below has, so to find each where it occurs would take a million
  /// queries.
  @Test func a_value_inside_values_is_found_once() throws {
    let store = try Self.market(tickerCount: 20, rowCount: 60)
    var x = QuoteExpression.close
    for _ in 0..<20 { x = .mean(x, 3) + .rankByDay(x) }
    let cache = MarketCache()
    let batch = try store.allQuotes.within(QuestionLimits(seconds: 120)).finding(in: cache)
      .selecting([]).computing("x", x).fetchColumns()
    #expect(batch.rowCount == 1200 && cache.count == 20)
    // The same, level by level.
    var levels = [QuoteExpression.close]
    for _ in 0..<3 { levels.append(.mean(levels[levels.count - 1], 3) + .rankByDay(levels[levels.count - 1])) }
    let ranks = try store.allQuotes.selecting([]).computing("x", levels[3]).computing("r", .rankByDay(levels[2]))
      .computing("y", levels[2]).fetchColumns()
    let (found, rank) = try (#require(ranks.computed("x")), #require(ranks.computed("r")))
    let below = try #require(ranks.computed("y"))
    for row in 58..<60 {
      let mean = (below[row - 2] + below[row - 1] + below[row]) / 3
      #expect(abs(mean + rank[row] - found[row]) < 1e-9)
    }
  }

  /// What is held at once is bounded by the parts of the market, beside eight bytes a row, and four for each
  /// further rank of the same rows.
  @Test func ranks_hold_a_part_of_the_market_and_their_results() throws {
    let store = try Self.market(tickerCount: 40, rowCount: 2000)
    let rowCount = 80_000
    func peak(_ rankCount: Int, _ rowsAtOnce: Int) throws -> Int {
      let budget = QuestionBudget(QuestionLimits(megabytes: 100))
      let ranks = (1...rankCount).map { QuoteExpression.rankByDay(.close * .number(Double($0))) }
      let cache = MarketCache(rowsAtOnce: rowsAtOnce, rowsOfEach: 1)
      let query = store.taking(from: budget).allQuotes.finding(in: cache).threads(1)
      _ = try query.where(ranks.dropFirst().reduce(ranks[0]) { $0 + $1 } > 0).count()
      return budget.peakByteCount
    }
    let (whole, parts) = (try peak(1, 1 << 20), try peak(1, 8000))
    #expect(whole >= 24 * rowCount && parts < 15 * rowCount, "\(whole) and \(parts) bytes")
    let five = try peak(5, 8000)
    #expect(five < parts + 4 * 5 * rowCount, "\(five) bytes")
  }

  private static func market(tickerCount: Int, rowCount: Int) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for ticker in 0..<tickerCount {
      try store.upsert(
        try (0..<rowCount).map { row in
          let close = Double((row * 37 + ticker * 101) % 211) / 4 + 20
          return try DailyQuoteSummary(
            ticker: TickerSymbol("T\(ticker)"), date: TradingDay(daysSince1970: 1000 + row)!, open: close, high: close,
            low: close, close: close, volume: 1)
        })
    }
    return store
  }
}
