import Testing

@testable import Quoin
@testable import QuoteGenerator

@Suite struct AggregateTests {
  /// The tables of neighboring ranges of blocks, appended, are that of all blocks: several threads rely on it. None has
  /// more groups than the memory that is reserved for it.
  @Test func aggregates_dont_depend_on_where_ranges_of_blocks_end() throws {
    var dice = TestSettings.dice("ranges of blocks")
    for _ in 0..<TestSettings.count(debug: 15, release: 200) {
      let market = try RandomMarket(&dice)
      let query = market.store.allQuotes.where(market.predicate(&dice, depth: dice.below(2)))
      let names = dice.subset(of: Attribute.allCases)
      let aggregations =
        [.count] + names.flatMap { name in NaiveGroup.ofBlocks.map { Aggregation($0, of: name) } }
      for grouping in [Grouping?.none, .ticker, .week, .month, .quarter, .halfYear, .year] {
        // Without groups, ends are found row by row.
        let aggregations = aggregations.filter { grouping != nil || $0.function != .first && $0.function != .last }
        let request = AggregateRequest(aggregations, by: grouping)
        let plan = try query.plan()
        let periods = request.periods(of: market.store.snapshot.manifest)
        var whole = GroupTable(request, hasFractions: false)
        var meter = GroupMeter(plan, periods, ReadAhead(plan, plan.candidates, plan.conditions.parts))
        var start = 0
        repeat {
          let end = min(plan.candidates.count, start + 1 + dice.below(3))
          var part = GroupTable(request, hasFractions: false)
          try meter.add(plan.candidates[start..<end], to: &part)
          let bound = try plan.groupCount(plan.candidates[start..<end], by: grouping, periods)
          let rowCount = part.aggregates(aggregations, market.store.tickers).rowCount
          #expect(rowCount <= bound, "\(String(describing: grouping))")
          whole.append(part)
          start = end
        } while start < plan.candidates.count
        let found = whole.aggregates(aggregations, market.store.tickers)
        let expected = try query.aggregate(aggregations, by: grouping)
        #expect(Self.cells(found) == Self.cells(expected), "\(String(describing: grouping))")
      }
    }
  }

  private static func cells(_ table: AggregateTable) -> [[String]] {
    let periods = table.periods.isEmpty ? [] : [table.periods.map { "\($0)" }]
    return [["\(table.rowCount)"], table.tickers.map { "\($0)" }] + periods
      + table.columns.map { column in (0..<table.rowCount).map { column.text(at: $0) ?? "-" } }
  }

  @Test func periods_begin_where_the_calendar_says() {
    let days: ClosedRange<TradingDay> = "2004-02-26"..."2005-10-14"
    func starts(_ period: CalendarPeriod) -> [String] {
      Periods(period, over: days).starts.map { "\(TradingDay(unchecked: $0))" }
    }
    #expect(starts(.week).prefix(2) == ["2004-02-23", "2004-03-01"] && starts(.week).last == "2005-10-17")
    #expect(starts(.month).prefix(2) == ["2004-02-01", "2004-03-01"] && starts(.month).last == "2005-11-01")
    #expect(starts(.quarter).prefix(2) == ["2004-01-01", "2004-04-01"] && starts(.quarter).last == "2006-01-01")
    #expect(starts(.year) == ["2004-01-01", "2005-01-01", "2006-01-01"])
    for period in CalendarPeriod.allCases {
      let all = Periods(period, over: .earliest ... .latest)
      #expect(all.starts[0] == TradingDay.earliest.daysSince1970)
      #expect(all.contains(Int64(TradingDay.latest.daysSince1970)))
      #expect(!all.contains(Int64(TradingDay.earliest.daysSince1970) - 1))
    }
  }

  /// A group without values has no sum, and neither has one whose sum isn't finite.
  @Test func what_is_not_finite_is_missing() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var quotes: [DailyQuoteSummary] = []
    for (ticker, highs) in [("A", [.infinity, -.infinity]), ("B", [.nan, .nan]), ("C", [1, 2])]
      as [(TickerSymbol, [Double])]
    {
      for (day, high) in zip(["2005-01-03", "2005-01-04"] as [TradingDay], highs) {
        quotes.append(DailyQuoteSummary(ticker: ticker, date: day, high: high, volume: high == 2 ? 7 : nil))
      }
    }
    try store.upsertUnchecked(quotes)
    for query in [store.allQuotes, store.allQuotes.where(.dates(from: "2005-01-01")).threads(3)] {
      let functions = Aggregation.Function.all.map { Aggregation($0, of: .high) }
      let table = try query.aggregate(functions + [.count, .sum(.volume), .max(.volume)], by: .ticker)
      for aggregation in [Aggregation.sum(.high), .mean(.high)] {
        let values = table.doubles(aggregation)
        #expect(values[0] == nil && values[1] == nil && values[2] == (aggregation == .sum(.high) ? 3 : 1.5))
      }
      #expect(
        table.doubles(.min(.high)) == [nil, nil, 1] && table.doubles(.last(.high)) == [nil, nil, 2])
      #expect(table.doubles(.count(.high)) == [2, 0, 2] && table.integers(.count(.high)) == [2, 0, 2])
      #expect(table.integers(.sum(.volume)) == [nil, nil, 7] && table.doubles(.sum(.volume)) == [nil, nil, 7])
      #expect(table.integers(.max(.volume)) == [nil, nil, 7] && table.integers(.max(.high)) == [nil, nil, nil])
      // Not asked for.
      #expect(table.doubles(.sum(.low)) == [nil, nil, nil] && table.integers(.sum(.low)) == [nil, nil, nil])
    }
    let infinite = try store.quotes(for: "A").aggregate(.high)
    #expect(infinite.mean == nil && infinite.maximum == nil && infinite.sum.isNaN && infinite.count == 2)
    // A sum beyond the numbers has a mean all the same.
    try store.upsertUnchecked([
      DailyQuoteSummary(ticker: "D", date: "2005-01-03", high: 1e308, low: 3),
      DailyQuoteSummary(ticker: "D", date: "2005-01-04", high: 1.5e308, low: 4),
    ])
    let deviation = Aggregation(.std, of: .high)
    let large = try store.quotes(for: "D").aggregate([.sum(.high), .mean(.high), .mean(.low), deviation])
    #expect(large.doubles(.sum(.high)) == [nil] && large.doubles(.mean(.high)) == [1.25e308])
    #expect(large.doubles(.mean(.low)) == [3.5] && large.doubles(deviation) == [nil])
    #expect(try store.quotes(for: "B").aggregate(.high).mean == nil)
    #expect(try store.quotes(for: "NONE").aggregate(.volume).integers == .init(minimum: nil, maximum: nil, sum: 0))
  }

  @Test func zeros_have_no_sign_in_extremes() throws {
    let disk = InMemoryFiles()
    let columns = QuoteColumns(days: ["2005-10-13", "2005-10-14"]) { row, name in name == .close ? -0.0 : Double(row) }
    try commit([.fedEx: columns], to: "store", in: disk)
    let query = try QuoteStore(at: "store", in: disk).allQuotes
    for query in [query, query.where(.close, in: -1...1), query.where(.high, below: 1)] {
      let table = try query.aggregate([.min(.close), .max(.close), .min(.open)])
      #expect(table.columns.map { $0.text(at: 0) } == ["0.0", "0.0", "0.0"])
    }
  }
}
