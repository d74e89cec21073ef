import Testing

@testable import Quoin
@testable import QuoteGenerator

/// Nothing that is computed is infinite.
@Suite struct FiniteValueTests {
  private static func store(_ closes: [Double]) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let columns = try QuoteColumns(
      days: closes.indices.map { TradingDay(daysSince1970: 10_000 + $0)! },
      doubles: [.open: closes.reversed(), .close: closes, .high: closes, .low: closes],
      integers: [.volume: closes.indices.map { Int64($0 % 3) }])
    try store.upsertUnchecked(["KO": columns, "BA": columns])
    return store
  }

  @Test(arguments: [
    "close / 0", "close / -0.0", "0 / 0", "-1 / 0", "log(0)", "log(-1)", "sqrt(-1)", "exp(1000)", "1e200 * 1e200",
    "1e308 + 1e308", "-1e308 - 1e308", "10 ^ 400", "0 ^ -1", "(0 - 8) ^ 0.5", "if(close / 0 > 0, 1, 2)",
    "close / (close - close)",
    "larger(1 / 0, 5)", "abs(-1 / 0)", "prev(close) / 0 - 1", "1 / (1 / 0)", "product(close * 1e200, 3)",
    "sum(close * 1e307, 20)", "var(close * 1e200, 5)", "slope(close, open * 0, 5)", "std(close * 1e300, 3)",
  ])
  func what_is_not_finite_is_missing(_ text: String) throws {
    let store = try Self.store((0..<2500).map { 20 + Double($0 % 7) })
    let x = try QuoteExpression(parsing: text)
    #expect(try store.allQuotes.where(.isMissing(x)).count() == 5000)
    #expect(try store.allQuotes.computing("x", x).fetchColumns().computed("x")?.allSatisfy(\.isNaN) == true)
    let comparisons: [Quoin.Predicate] = [x > 0, x < 0, .comparison(x, .notEqual, 1), !(x > 0), !(x < 0)]
    for comparison in comparisons {
      #expect(try store.allQuotes.where(comparison).count() == 0, "\(comparison)")
    }
  }

  @Test(arguments: ["close > 1 / 0", "not (close > 1 / 0)", "close != 0 / 0", "not (1 / 0 < close)"])
  func what_is_compared_with_something_missing_is_unknown(_ text: String) throws {
    let store = try Self.store([1, 2, 3])
    #expect(try store.allQuotes.where(Quoin.Predicate(parsing: text)).count() == 0)
  }

  @Test func no_function_has_an_infinite_value() throws {
    var dice = TestSettings.dice("finite")
    for round in 0..<3 {
      let store = try Self.store(
        (0..<600).map { _ in dice.element(of: round == 0 ? [0, 1, -1, 2] : NastyValues.doubles).canonical })
      var expressions = RowFunction.all.map {
        QuoteExpression($0, [.close, .prev(.open)].prefix($0.operandCount).map { $0 })
      }
      for function in WindowFunction.all {
        for rows in [2, 20, 450] {
          let inputs = [QuoteExpression.close, .open].prefix(function.inputCounts.upperBound)
          let window = RowWindow(rows: rows, minimum: 1)
          expressions.append(QuoteExpression(.window(function, Array(inputs), .rows(window), 0.3), around: []))
        }
      }
      expressions += Indicator.all.map { indicator in
        QuoteExpression.indicator(
          indicator, indicator.inputs.map { .attribute($0) }, indicator.periods.map { Double($0) })
      }
      expressions += [.zscoreByDay(.close), .demeanedByDay(.close), .byDay(Aggregation(.sum, of: .close))]
      for x in expressions {
        let values = try store.allQuotes.computing("x", x).fetchColumns().computed("x") ?? []
        #expect(values.count == 1200 && !values.contains { $0.isInfinite }, "\(x)")
      }
      for function in Aggregation.Function.all {
        for x in [QuoteExpression.close, 1 / .close, .volume] {
          let aggregation = Aggregation(function, of: x, weight: .open)
          for grouping in [nil, Grouping.ticker, .day, .week] {
            let values = try store.allQuotes.aggregate([aggregation], by: grouping).doubles(aggregation)
            #expect(!values.contains { $0?.isFinite == false }, "\(aggregation)")
          }
        }
      }
    }
  }

  /// Aggregates and windows of the same values have the same bits.
  @Test func a_mean_of_a_group_has_the_bits_of_a_window() throws {
    var dice = TestSettings.dice("means")
    for _ in 0..<20 {
      let closes = (0..<(2 + dice.below(300))).map { _ in Double(dice.below(100_000)) / 100 }
      let store = try Self.store(closes)
      for x in [QuoteExpression.close, .change(.close), .volume] {
        let window = try store.quotes(for: "KO").computing("x", .mean(x)).computing("s", .sum(x)).fetchColumns()
        let table = try store.quotes(for: "KO").aggregate([Aggregation(.mean, of: x), Aggregation(.sum, of: x)])
        #expect(table.doubles(Aggregation(.mean, of: x))[0] == window.computed("x")?.last)
        #expect(table.doubles(Aggregation(.sum, of: x))[0] == window.computed("s")?.last)
      }
    }
  }
}
