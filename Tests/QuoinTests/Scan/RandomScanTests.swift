import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Random questions to random stores, answered as the oracle answers them.
///
/// `QUOIN_SCANS=1000000 QUOIN_SEED=7 swift test -c release ... --filter RandomScanTests` is the long run.
@Suite struct RandomScanTests {
  private static let scansPerStore = 250
  /// Differences are few when there are any at all; the first ones tell enough.
  private static let reportedDifferences = 5

  /// Four parts, which run side by side where there are processors for them.
  @Test(arguments: 0..<4)
  func random_scans_are_answered_as_the_oracle_answers_them(_ part: Int) throws {
    let scans = TestSettings.count("QUOIN_SCANS", debug: 2000, release: 20_000)
    var run = Run()
    for store in stride(from: part, to: (scans + Self.scansPerStore - 1) / Self.scansPerStore, by: 4) {
      try run.askAll(min(Self.scansPerStore, scans - store * Self.scansPerStore), store: store)
      if run.differenceCount >= Self.reportedDifferences { break }
    }
    print(
      "promise 8: random scans, part \(part): QUOIN_SEED=\(TestSettings.seed), \(run.scanCount) scans, \(run.differenceCount) "
        + "differences, \(run.rowCount) rows in answers, \(run.emptyCount) answers without rows, "
        + "\(run.expressionCount) expressions")
    // A generator that asks for nothing would find nothing.
    #expect(run.emptyCount * 10 <= run.scanCount * 7 && run.rowCount >= run.scanCount)
  }

  private struct Run {
    var scanCount = 0
    var rowCount = 0
    var emptyCount = 0
    var expressionCount = 0
    var differenceCount = 0

    /// Asks random questions of the random store of this number.
    mutating func askAll(_ scans: Int, store: Int) throws {
      var dice = SeededRandom(seed: TestSettings.seed, stream: UInt64(store))
      var market = try RandomMarket(&dice)
      market.hasOthers = true
      for scan in 0..<scans {
        let question = market.question(&dice)
        if let difference = try ask(question, market, &dice) {
          Issue.record("QUOIN_SEED=\(TestSettings.seed), store \(store), scan \(scan): \(difference): \(question)")
          differenceCount += 1
        }
      }
    }

    /// Asks the store and the oracle; says how they differ.
    mutating func ask(_ question: Question, _ market: RandomMarket, _ dice: inout SeededRandom) throws -> String? {
      let answer = question.answer(market.rows)
      let count = answer.reduce(0) { $0 + $1.rows.count }
      scanCount += 1
      rowCount += count
      expressionCount += question.predicate.expressionCount + (question.computed == nil ? 0 : 1)
      if count == 0 { emptyCount += 1 }
      let query = question.query(market.store).threads(dice.element(of: [1, 2, 3]))
      switch dice.below(12) {
      case 0, 1: return try query.count() == count ? nil : "count \(try query.count()), not \(count)"
      case 2: return try compare(query.fetch(), answer, question, market)
      case 3, 4: return try compare(query.fetchColumns(), answer, question, market)
      case 5:
        let rowCount = dice.element(of: [1, 10, 700, 5000])
        return try compare(query.cursor(rowsPerBatch: rowCount), rowCount, answer, question, market)
      case 6:
        return try aggregate(dice.element(of: TypedAttribute<Double>.all), query, question.all(market.rows), market)
      case 7:
        return try aggregate(dice.element(of: TypedAttribute<Int64>.all), query, question.all(market.rows), market)
      default: return try compareGroups(query, question, market, &dice)
      }
    }

    private func compare(
      _ quotes: [DailyQuoteSummary], _ answer: [(ticker: TickerSymbol, rows: [Int])], _ question: Question,
      _ market: RandomMarket
    ) -> String? {
      var index = 0
      for (ticker, rows) in answer {
        guard let columns = market.rows[ticker] else { return "no such ticker" }
        for row in rows {
          let expected = columns.quote(at: row, of: ticker).keeping(question.attributes)
          guard index < quotes.count, quotes[index] == expected else { return "quote \(index) differs" }
          index += 1
        }
      }
      return index == quotes.count ? nil : "\(quotes.count) quotes, not \(index)"
    }

    private func compare(
      _ cursor: QuoteCursor, _ rowsPerBatch: Int, _ answer: [(ticker: TickerSymbol, rows: [Int])],
      _ question: Question, _ market: RandomMarket
    ) throws -> String? {
      var whole = QuoteBatch(attributes: question.attributes)
      var tickers: [TickerSymbol] = []
      var values: [Double] = []
      while let batch = try cursor.next() {
        if batch.rowCount == 0 { return "an empty batch" }
        if batch.rowCount >= rowsPerBatch + Limits.rowsPerBlock { return "a batch of \(batch.rowCount) rows" }
        tickers += batch.tickers
        whole.columns.append(batch.columns)
        if let computed = batch.computed("c") { values += computed }
      }
      whole.tickers = TickerColumn(tickers)
      if question.computed != nil { whole.computed = [ComputedColumn(name: "c", values: ColumnBuffer(values))] }
      return compare(whole, answer, question, market)
    }

    private func compare(
      _ batch: QuoteBatch, _ answer: [(ticker: TickerSymbol, rows: [Int])], _ question: Question,
      _ market: RandomMarket
    ) -> String? {
      let columns = batch.columns
      if columns.attributes != question.attributes { return "attributes \(columns.attributes)" }
      let others = NaiveMarket(market.rows, asking: question.tickers)
      var start = 0
      for (ticker, rows) in answer {
        guard let expected = market.rows[ticker]?.gathered(rows) else { return "no such ticker" }
        let range = start..<(start + rows.count)
        guard range.upperBound <= batch.rowCount else {
          return "\(batch.rowCount) rows, at least \(range.upperBound) wanted"
        }
        if batch.tickers[range].contains(where: { $0 != ticker }) { return "rows \(range) are not \(ticker)'s" }
        if columns.days[range] != expected.days[...] { return "the days of \(ticker) differ" }
        if let computed = question.computed, let rowsOfTicker = market.rows[ticker] {
          let wanted = values(computed, rowsOfTicker, of: ticker, in: others)
          guard let found = batch.computed("c"), found.count == batch.rowCount else {
            return "no values of \(computed)"
          }
          for (index, row) in rows.enumerated() where !found[start + index].isSame(as: wanted[row]) {
            return "\(computed) of \(ticker) is \(found[start + index]) in row \(row), not \(wanted[row])"
          }
        }
        for name in question.attributes.names {
          let (column, wanted) = (columns[column: name], expected[column: name])
          let areEqual = rows.indices.allSatisfy { column.bits(start + $0) == wanted.bits($0) }
          if wanted.count != rows.count || !areEqual { return "\(name) of \(ticker) differs" }
        }
        start = range.upperBound
      }
      for name in Attribute.allCases {
        let count = columns[column: name].count
        if count != (question.attributes.contains(name) ? start : 0) { return "\(count) values of \(name)" }
      }
      return start == batch.rowCount && batch.tickers.count == start ? nil : "\(batch.rowCount) rows, not \(start)"
    }

    private func aggregate(
      _ key: TypedAttribute<Int64>, _ query: QuoteQuery, _ answer: [(ticker: TickerSymbol, rows: [Int])],
      _ market: RandomMarket
    ) throws -> String? {
      let cells = NaiveGroup.cells(key, answer, market.rows)
      let values = cells.filter { $0 != .min }
      let found = try query.aggregate(key.name)
      let sum = values.reduce(Int128(0)) { $0 + Int128($1) }
      guard found.count == values.count, found.missingCount == cells.count - values.count,
        found.integers == .init(minimum: values.min(), maximum: values.max(), sum: sum), found.sum == Double(sum),
        found.minimum == values.min().map(Double.init), found.maximum == values.max().map(Double.init),
        found.mean == (values.isEmpty ? nil : NaiveSum.mean(values))
      else { return "aggregate of \(key.name): \(found)" }
      return nil
    }

    private func aggregate(
      _ key: TypedAttribute<Double>, _ query: QuoteQuery, _ answer: [(ticker: TickerSymbol, rows: [Int])],
      _ market: RandomMarket
    ) throws -> String? {
      let cells = NaiveGroup.cells(key, answer, market.rows)
      let values = cells.filter { !$0.isNaN }
      let found = try query.aggregate(key.name)
      guard found.count == values.count, found.missingCount == cells.count - values.count, found.integers == nil,
        isSame(found.minimum ?? .nan, values.min()), isSame(found.maximum ?? .nan, values.max()),
        found.sum.isFinite ? isSum(found.sum, of: values) : isSame(found.sum, NaiveSum.sum(values)),
        isSame(found.mean ?? .nan, values.isEmpty ? nil : NaiveSum.mean(values))
      else { return "aggregate of \(key.name): \(found), sum \(values.reduce(0, +))" }
      return nil
    }

    /// Compares a random table of aggregates, cell by cell.
    private func compareGroups(
      _ query: QuoteQuery, _ question: Question, _ market: RandomMarket, _ dice: inout SeededRandom
    ) throws -> String? {
      let grouping =
        dice.chance(0.2) ? nil : dice.element(of: [Grouping.ticker, .week, .month, .quarter, .halfYear, .year])
      let aggregations = (0..<dice.below(6)).map { _ in
        Aggregation(dice.element(of: NaiveGroup.ofBlocks), of: dice.element(of: Attribute.allCases))
      }
      let table = try query.aggregate(aggregations + [.count], by: grouping)
      // A limit is of groups, so all quotes count.
      let groups = NaiveGroup.groups(question.all(market.rows), market.rows, grouping)
        .dropFirst(question.offset).prefix(question.limit ?? .max)
      guard table.rowCount == groups.count, table.columns.count == aggregations.count + 1 else {
        return "\(table.rowCount) groups by \(String(describing: grouping)), not \(groups.count)"
      }
      let counts = table.integers(.count)
      for (index, group) in groups.enumerated() {
        if grouping != nil, table.tickers[index] != group.parts[0].ticker { return "the ticker of group \(index)" }
        if let period = group.period, table.periods[index] != period { return "period \(table.periods[index])" }
        if counts[index] != Int128(group.rowCount) { return "the rows of group \(index)" }
        for (aggregation, column) in zip(aggregations, table.columns)
        where !group.isRight(column, index, aggregation, market.rows) {
          return "\(aggregation) of group \(index) by \(String(describing: grouping)): \(column.text(at: index) ?? "-")"
        }
      }
      return nil
    }
  }

  /// Below, inside, above and missing are all there is.
  @Test func every_row_is_below_inside_above_or_missing() throws {
    var dice = TestSettings.dice("below, inside, above, missing")
    for _ in 0..<(TestSettings.count("QUOIN_SCANS", debug: 2000, release: 20_000) / 100) {
      let market = try RandomMarket(&dice)
      let total = try market.store.allQuotes.count()
      #expect(total == market.rows.values.reduce(0) { $0 + $1.rowCount })
      for key in TypedAttribute<Double>.all {
        let ends = [market.number(key, &dice), market.number(key, &dice)].filter { !$0.isNaN }.sorted()
        guard let low = ends.first, let high = ends.last else { continue }
        try expectSplit(
          market.store, total, below: .range(key.name, ..<low), inside: .range(key.name, low...high),
          above: .range(key.name, above: high), missing: .isMissing(key.name))
      }
      for key in TypedAttribute<Int64>.all {
        let ends = [market.number(key, &dice), market.number(key, &dice)].sorted()
        try expectSplit(
          market.store, total, below: .range(key.name, ..<ends[0]), inside: .range(key.name, ends[0]...ends[1]),
          above: .range(key.name, above: ends[1]), missing: .isMissing(key.name))
      }
    }
  }

  private func expectSplit(
    _ store: QuoteStore, _ total: Int, below: Predicate, inside: Predicate, above: Predicate, missing: Predicate
  ) throws {
    let counts = try [below, inside, above, missing].map { try store.allQuotes.where($0).count() }
    #expect(counts.reduce(0, +) == total, "\(inside): \(counts)")
    #expect(try store.allQuotes.where(!inside).count() == counts[0] + counts[2], "not \(inside)")
    #expect(try store.allQuotes.where(inside || below || above || missing).count() == total)
    #expect(try store.allQuotes.where(inside && !inside).count() == 0)
  }
}

extension DailyQuoteSummary {
  /// The quote with these attributes only.
  fileprivate func keeping(_ attributes: AttributeSet) -> DailyQuoteSummary {
    var quote = self
    for attribute in AttributeSet.all.subtracting(attributes) { quote[attribute] = nil }
    return quote
  }
}
