import Testing

@testable import Quoin
@testable import QuoteGenerator

/// What is decided in float32 is what float64s say, in every row.
///
/// `QUOIN_NARROW=1000000` is the long run.
@Suite struct NarrowTests {
  /// A program of a condition, and the same truth as a column, which is computed in float64.
  private struct Condition {
    let predicate: Quoin.Predicate
    let truth: QuoteExpression
    let isNarrow: Bool
    let isLinear: Bool

    init(_ text: String) throws {
      predicate = try Quoin.Predicate(parsing: text)
      truth = .if(predicate, 1, 0)
      let conditions = try NormalizedPredicate(predicate, hasFractions: false).conditions
      let tests = conditions.compactMap {
        if case .computed(let program, let value) = $0 { NarrowTest(program, value) } else { nil }
      }
      isNarrow = !tests.isEmpty
      isLinear = tests.contains { $0.linear != nil }
    }
  }

  /// The rows in which a condition holds, as a scan finds them, and as a column says.
  private static func differences(_ condition: Condition, _ store: QuoteStore) throws -> (rows: Int, wrong: Int) {
    var counts = (rows: 0, wrong: 0)
    for ticker in store.tickers {
      let found = try store.quotes(for: [ticker]).where(condition.predicate).fetchColumns().columns.days
      let all = try store.quotes(for: [ticker]).computing("truth", condition.truth).fetchColumns()
      let truths = try #require(all.computed("truth"))
      let expected = zip(all.columns.days, truths).filter { $0.1 == 1 }.map(\.0)
      counts.rows += all.rowCount
      let wrong = Set(found).symmetricDifference(expected)
      counts.wrong += wrong.count
      if let day = wrong.min(), let row = all.columns.days.firstIndex(of: day) {
        let rows = try store.quotes(for: [ticker]).fetchColumns().columns
        let values = Attribute.allCases.filter { !$0.isInteger }.map { "\($0) \(rows.doubles($0)[row])" }
        Issue.record("\(ticker), row \(row) of \(all.rowCount): \(truths[row]), \(values.joined(separator: ", "))")
      }
      if found.count != expected.count, counts.wrong == 0 { counts.wrong = 1 }
    }
    return counts
  }

  /// Prices with ties, of other digits, outliers, that are missing; in one block or several, of one commit or many.
  private static func store(_ dice: inout SeededRandom) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles(areGuarded: dice.chance(0.4)))
    for ticker in ["A", "B", "C"] as [TickerSymbol] {
      let count = dice.element(of: [1, 7, 300, 1024, 1500, 2600])
      let digits = dice.element(of: [0, 2, 2, 2, 4])
      let (rarity, isTied) = (dice.element(of: [3, 40, 1000]), dice.chance(0.3))
      var price = Double(1 + dice.below(dice.element(of: [4, 300, 200_000])))
      func value(_ name: Attribute) -> Double? {
        if name == .open { price = max(0.01, price * (1 + (dice.unit() - 0.5) / 20)) }
        if name.isInteger {
          return dice.below(rarity) == 0
            ? nil : Double(dice.below(dice.element(of: [9, 70_000, 40_000_000, 5_000_000_000])))
        }
        switch dice.below(rarity) {
        case 0: return dice.element(of: [nil, 0, -price, price * 1e6, price / 3, 1e300, 0x1p-1074])
        default:
          let power = powersOfTen[digits]
          let step = isTied ? Double(dice.below(3)) : dice.unit() * price * power / 30
          return (price * power + step).rounded() / power
        }
      }
      var raw: [Attribute: Double] = [:]
      let rows = QuoteColumns(days: (0..<count).map { TradingDay(daysSince1970: 8000 + $0)! }) { row, name in
        if let source = name.derivationSource, dice.below(rarity) != 0 {
          // A factor for each stretch, as splits and dividends leave it.
          let digits = name == .adjustedVolume ? SignificantDigits.whole : SignificantDigits(digits: 14)
          return raw[source].map { digits.rounded($0 * (row < count / 3 ? 0.437211 : row < count / 2 ? 0.93 : 1)) }
        }
        raw[name] = value(name)
        return raw[name]
      }
      let cut = dice.below(count + 1)
      try store.upsertUnchecked([ticker: rows.sliced(0..<cut)])
      try store.upsertUnchecked([ticker: rows.sliced(cut..<count)])
    }
    if dice.chance(0.4) { try store.compact(packing: dice.element(of: [.small, .fast, .balanced])) }
    return store
  }

  private static func expression(_ depth: Int, _ dice: inout SeededRandom) -> String {
    if depth == 0 || dice.chance(0.2) {
      let name = dice.element(of: [
        "open", "high", "low", "close", "close", "volume", "ex-dividend", "split_ratio", "adj_close",
      ])
      switch dice.below(8) {
      case 0: return dice.element(of: ["2", "0.5", "1.1", "100", "3", "-1", "0.01", "1e-9", "12345.67"])
      case 1: return "prev(\(name))"
      case 2: return "prev(\(name), \(dice.element(of: [2, 5, 21, 900, 1024, 1500])))"
      default: return name
      }
    }
    let (x, y) = (expression(depth - 1, &dice), expression(depth - 1, &dice))
    return switch dice.below(11) {
    case 0...2: "(\(x) + \(y))"
    case 3...5: "(\(x) - \(y))"
    case 6: "(\(x) * \(y))"
    case 7: "(\(x) / \(y))"
    case 8: "larger(\(x), \(y))"
    case 9: "smaller(\(x), \(y))"
    default: dice.chance(0.5) ? "abs(\(x))" : "prev((\(x) - low), 3)"
    }
  }

  /// A sum of columns over another one, which may be 0 in some rows.
  private static func quotient(_ dice: inout SeededRandom) -> String {
    func sum() -> String {
      let names = ["open", "high", "low", "close", "volume", "prev(close)", "prev(low, 7)", "adj_close"]
      let terms = (0...(1 + dice.below(2))).map { _ in
        dice.element(of: ["", "", "2 * ", "0.5 * "]) + dice.element(of: names)
      }
      return "(" + terms.joined(separator: dice.element(of: [" + ", " - ", " - "])) + ")"
    }
    return "\(sum()) / \(sum())" + dice.element(of: ["", " - 1", " + 0.5"])
  }

  /// A weighted sum of windows and columns.
  private static func sumWithWindows(_ dice: inout SeededRandom) -> String {
    let terms = (0...dice.below(3)).map { _ in
      let name = dice.element(of: ["open", "high", "low", "close", "close", "volume", "ex-dividend", "adj_close"])
      let term = dice.element(of: [
        name, "mean(\(name), \(dice.element(of: [2, 5, 20, 50, 200, 1000])))", "sum(\(name), 3)",
        "prev(mean(\(name), 10), 2)", "mean(prev(\(name)), 7)",
        "mean(prev(\(name), 3), \(dice.element(of: [4, 20, 500])))",
      ])
      return dice.element(of: ["", "", "2 * ", "0.99 * ", "-1.5 * "]) + term
    }
    return "(" + terms.joined(separator: dice.element(of: [" + ", " - "])) + ")"
  }

  /// Also against a number near the values of some row, where a bound that is too narrow shows.
  @Test func a_random_comparison_is_decided_as_float64s_decide_it() throws {
    let count = TestSettings.count("QUOIN_NARROW", debug: 120, release: 1500)
    var dice = TestSettings.dice("narrow")
    var (narrowCount, rowCount, wrongCount) = (0, 0, 0)
    var store = try Self.store(&dice)
    for number in 0..<count {
      if number % 20 == 0 { store = try Self.store(&dice) }
      let hasWindows = dice.chance(0.3)
      let x =
        hasWindows
        ? Self.sumWithWindows(&dice) : dice.chance(0.2) ? Self.quotient(&dice) : Self.expression(dice.below(4), &dice)
      var y = hasWindows && dice.chance(0.7) ? Self.sumWithWindows(&dice) : Self.expression(dice.below(3), &dice)
      if dice.chance(0.3), let parsed = try? QuoteExpression(parsing: x),
        let values = try store.allQuotes.computing("x", parsed).fetchColumns().computed("x"), !values.isEmpty
      {
        let value = values[dice.below(values.count)]
        y = "\(dice.element(of: [value, value.nextUp, value.nextDown, value * (1 + 1e-9)]))"
        if value.isNaN { y = "0" }
      }
      let comparison = dice.element(of: [">", "<", ">=", "<=", "=", "!="])
      var text =
        (dice.chance(0.2) ? "not " : "") + "(\(dice.chance(0.5) ? x : y) \(comparison) \(dice.chance(0.5) ? y : x))"
      if dice.chance(0.2) {
        text = "\(dice.element(of: ["every", "any"]))(\(text), \(dice.element(of: [2, 3, 5, 20, 63, 64])))"
      }
      guard let condition = try? Condition(text) else { continue }
      narrowCount += condition.isNarrow ? 1 : 0
      let (rows, wrong) = try Self.differences(condition, store)
      rowCount += rows
      wrongCount += wrong
      if wrong > 0 {
        Issue.record("QUOIN_SEED=\(TestSettings.seed), \(number): \(wrong) rows: \(text)")
        if wrongCount > 100 { break }
      }
    }
    print(
      "promise 8: narrow comparisons: QUOIN_SEED=\(TestSettings.seed), \(count) comparisons, \(narrowCount) of which have a narrow form, "
        + "\(rowCount) rows, \(wrongCount) differences")
    #expect(narrowCount * 2 > count && rowCount > count)
  }

  @Test(arguments: [
    "close > open * 1.1", "close > open", "open > prev(high)", "(high - low) / close > 5%",
    "close / prev(close, 5) - 1 > 0.2",
    "close * volume > 1e9", "(close - low) / (high - low) > 0.9", "change(close) > 5%", "close - prev(close) > 0",
    "-close < -open",
    "larger(open, close) = high", "abs(close - open) / open > 2%", "change(adj_close) > 5%",
    "adj_close * adj_volume > 1e9", "not (close > open)", "3 < close / open",
    "prev(close * 1.1) < close",
  ])
  func what_users_ask_has_a_narrow_form(_ text: String) throws {
    let condition = try Condition(text)
    #expect(condition.isNarrow)
    var dice = TestSettings.dice("asked")
    for _ in 0..<TestSettings.count(debug: 1, release: 4) {
      #expect(try Self.differences(condition, Self.store(&dice)).wrong == 0)
    }
  }

  /// One sum of columns on each side, or what a divisor above 0 makes of them: these are decided without a column.
  @Test(arguments: [
    "close > open * 1.1", "close > open", "close = open", "open > prev(high)", "prev(close, 256) <= low",
    "close / prev(close, 5) - 1 > 0.2", "(close - open) / open < -2%", "change(close) > 5%", "close - prev(close) > 0",
    "-close < -open", "not (close > open)", "3 < close / open", "(high + low) / 2 >= (open + close) / 2",
    "(high - low) * 100 > 5 * close", "2 * close - open - prev(close) != 0.01", "volume > 3 * prev(volume)",
    "volume / prev(volume, 5) > 2", "close * 1e6 > volume", "ex-dividend / prev(close) > 0.01",
    "close / open / 2 < 0.51", "1 - open / close > 0.03", "adj_close > adj_open * 1.05",
    "close >= prev(close, 3) + 0.05", "close > mean(close, 200)", "mean(close, 50) > mean(close, 200)",
    "close = mean(close, 2)", "close / mean(close, 20) - 1 > 0.1", "close > 1.05 * mean(close, 50)",
    "high >= mean(close, 3)", "prev(mean(close, 20), 3) < mean(close, 20)", "prev(close) > prev(mean(close, 5))",
    "close - mean(close, 10) > 0", "volume > 2 * mean(volume, 20)", "sum(volume, 5) > 4 * volume",
    "mean(volume, 900) != volume", "mean(close, 1024) > open", "sum(ex-dividend, 250) / close > 0.05",
    "(mean(close, 7) + mean(low, 11)) / 2 <= prev(open, 3)", "volume > 3 * mean(prev(volume), 20)",
    "close >= mean(prev(close, 4), 5)", "prev(mean(prev(prev(close)), 9), 3) < mean(prev(close), 9)",
    "mean(prev(close), 3) != prev(mean(close, 3))", "mean(adj_close, 5) > adj_close",
    "(close - low) / (high - low) > 0.9", "(open - prev(close)) / (high - low) <= 0.5",
    "not (close / (high - low) > 9)",
    "(close - low) / (high - low) = 0.5", "100 * (high - close) / (high - low) - 20 < 0", "close / (open - close) != 3",
    "(close - open) / (high - low + 0.01) > 0.2", "(high - low) / (prev(high, 5) - prev(low, 3)) > 1.5",
    "volume / (volume + prev(volume)) > 0.6", "(close - open) / (high + low) >= (high - low) / (high + low)",
    "every(close > open, 3)", "every(close > prev(close), 2)", "any(close / open > 1.01, 64)",
    "any((close - low) / (high - low) > 0.9, 5)", "every(close > mean(close, 20), 5)", "every(not (close < open), 7)",
  ])
  func a_sum_of_columns_is_linear(_ text: String) throws {
    let condition = try Condition(text)
    #expect(condition.isLinear)
    var dice = TestSettings.dice("linear \(text)")
    for _ in 0..<TestSettings.count("QUOIN_LINEAR", debug: 2, release: 8) {
      #expect(try Self.differences(condition, Self.store(&dice)).wrong == 0, "QUOIN_SEED=\(TestSettings.seed)")
    }
  }

  /// Prices that stand still meet their means, where integers don't tell what rounded values are. Some have two more digits, so that their
  /// integers are rounded.
  @Test(arguments: [1, 2, 3])
  func means_are_compared_as_integers(_ digits: Int) throws {
    var dice = TestSettings.dice("means \(digits)")
    var narrowCount = 0
    for _ in 0..<TestSettings.count("QUOIN_MEANS", debug: 4, release: 40) {
      let power = powersOfTen[digits]
      let roughness = dice.element(of: [0, 0.003, 0.02])
      var integer = 100 + dice.below(dice.element(of: [30, 5000, 900_000]))
      let closes = (0..<(900 + dice.below(3000))).map { _ in
        if dice.chance(0.3) { integer = max(1, integer + dice.below(9) - 4) }
        if dice.chance(0.001) { integer = max(1, integer * 2 / 3) }
        return dice.chance(roughness)
          ? Double(integer * 100 + dice.below(100)) / (power * 100) : Double(integer) / power
      }
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      let columns = try QuoteColumns(
        days: closes.indices.map { TradingDay(daysSince1970: 10_000 + $0)! },
        doubles: [.open: closes.map { ($0 * power - 1).rounded() / power }, .close: closes])
      // The first days alone, or blocks of two files.
      let cut = dice.element(of: [0, closes.count / 2, 1024])
      try store.upsert(["KO": columns.sliced(0..<min(cut, closes.count))])
      try store.upsert(["KO": columns.sliced(min(cut, closes.count)..<closes.count)])
      for comparison in [">", ">=", "<", "<=", "=", "!="] {
        let rows = dice.element(of: [2, 3, 7, 20, 200, 255, 1000])
        for text in [
          "close \(comparison) mean(close, \(rows))", "mean(close, 10) \(comparison) mean(close, \(rows))",
          "open \(comparison) prev(mean(close, \(min(rows, 900))), 4)",
          "mean(open, 9) \(comparison) 0.999 * mean(close, \(rows))",
        ] {
          let condition = try Condition(text)
          let wrong = try Self.differences(condition, store).wrong
          #expect(condition.isLinear && wrong == 0, "QUOIN_SEED=\(TestSettings.seed): \(text)")
        }
      }
      let report = try store.allQuotes.where(Quoin.Predicate(parsing: "close > mean(close, 20)")).explain()
      narrowCount += report.conditions[0].narrowBlockCount
    }
    #expect(narrowCount > 0)
  }

  /// Differences of two bytes are compared as they are, also where what is added to one of them reaches the largest one.
  @Test(arguments: [0, 1, 7, 20_000, 65_534, 65_535, 65_536, 70_000], [false, true])
  func differences_of_two_bytes_are_compared(_ distance: Int, _ isReversed: Bool) throws {
    var dice = TestSettings.dice("differences \(distance)")
    for (openTop, closeTop) in [(65_535, 65_535), (65_534, 65_535), (65_535, 65_534), (40_000, 65_535), (65_535, 300)] {
      let (openBase, closeBase) = isReversed ? (1000 + distance, 1000) : (1000, 1000 + distance)
      let ends = [(0, 0), (openTop, closeTop), (0, closeTop), (openTop, 0)]
      let isRough = dice.chance(0.5)
      let rows = (0..<1500).map { row -> (open: Double, close: Double) in
        var (open, close) = row % 700 < 4 ? ends[row % 700] : (dice.below(openTop + 1), dice.below(closeTop + 1))
        if row % 700 >= 4, dice.chance(0.3) {
          // Equal ones, or next to it.
          close = min(closeTop, max(0, open + openBase - closeBase + dice.below(3) - 1))
        }
        (open, close) = (open + openBase, close + closeBase)
        let isPatch = isRough && dice.chance(0.01)
        return (
          Double(open) / 100, isPatch ? Double(open) / 100 + dice.element(of: [0, 1e-7, 5e4]) : Double(close) / 100
        )
      }
      let store = try QuoteStore(at: "store", in: InMemoryFiles())
      let columns = try QuoteColumns(
        days: rows.indices.map { TradingDay(daysSince1970: 10_000 + $0)! },
        doubles: [.open: rows.map(\.open), .close: rows.map(\.close)])
      try store.upsert(["KO": columns])
      for comparison in [">", ">=", "<", "<=", "=", "!="] {
        for text in [
          "close \(comparison) open", "prev(open) \(comparison) close", "close \(comparison) prev(close, 70)",
        ] {
          let condition = try Condition(text)
          let wrong = try Self.differences(condition, store).wrong
          #expect(condition.isLinear && wrong == 0, "\(text), \(openTop), \(closeTop), QUOIN_SEED=\(TestSettings.seed)")
        }
      }
    }
  }

  @Test(arguments: [
    "close * volume > 1e9", "(close - low) / (high - low) > 0", "abs(close - open) > 1", "larger(open, close) = high",
    "close / (high - high) > 1", "close / (high - low) > open / (high - open)", "close / (close - mean(close, 5)) > 9",
    "prev(close, 257) > close", "close / open > prev(close) / prev(open)", "close - close > 0", "open / close > 0",
    "mean(close, 5) * mean(close, 6) > 9", "larger(mean(close, 5), open) > 9",
  ])
  func other_comparisons_are_not(_ text: String) throws { #expect(try !Condition(text).isLinear) }

  @Test(arguments: [
    "close > mean(close, 200 min 1)", "close > mean(close)", "mean(close, 1025) > 3", "mean(close + open, 5) > 3",
    "sum(prev(close), 5) > 3", "mean(prev(close, 5), 5) > 3", "mean(next(close), 5) > 3",
    "abs(mean(close, 5)) > 3", "prev(mean(close, 1000), 25) > 3", "close > median(close, 200)",
    "close > mean(close, 20 days)", "next(close) > open", "close > log(open)", "prev(close, 1025) > 3",
    "prev(next(close)) > 3",
    "every(close > open, 3 min 2)", "any(close > open, 65)", "not every(close > open, 3)", "every(close > 3, 5)",
    "close > close of 'KO'", "month(date) > 3", "close > if(open > 3, 1, 2)",
  ])
  func other_conditions_have_none(_ text: String) throws {
    #expect(try Condition(text).isNarrow == false)
  }

  @Test(arguments: [
    "close > prev(close, 900)", "close / prev(close, 450) > 1.01", "prev(high, 130) < low",
    "adj_close > prev(adj_close, 700)",
  ])
  func earlier_rows_lie_in_several_blocks(_ text: String) throws {
    let rows = QuoteColumns.sample(1400)
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    for start in stride(from: 0, to: 1400, by: 200) { try store.upsert(["FDX": rows.sliced(start..<(start + 200))]) }
    let condition = try Condition(text)
    let (count, wrong) = try Self.differences(condition, store)
    #expect(condition.isNarrow && count == 1400 && wrong == 0)
  }

  /// What is divided by nearly nothing is infinite, so it has no value: whether that is all that a block has, or one of its values.
  @Test(arguments: [
    [0x1p-1074], [0x1p-1074, 0x1p-1074, 0x1p-1074], [40, 0x1p-1074, 41, 40.5], [0x1p-1022, 0x1p-1022],
  ])
  func quotients_without_a_value_are_above_nothing(_ opens: [Double]) throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let columns = try QuoteColumns(
      days: opens.indices.map { TradingDay(daysSince1970: 10_000 + $0)! },
      doubles: [.open: opens, .close: opens.map { _ in 1e10 }])
    try store.upsert(["KO": columns])
    for text in ["3 < close / open", "close / open - 1 > 0.2", "prev(close) / open > 2", "close / prev(open) > 2"] {
      let condition = try Condition(text)
      #expect(try condition.isLinear && Self.differences(condition, store).wrong == 0, "\(text)")
    }
    for text in ["abs(close) / open > 3", "close / abs(open) > 3", "larger(close, open) / smaller(close, open) > 3"] {
      #expect(try Self.differences(Condition(text), store).wrong == 0, "\(text)")
    }
  }

  /// Values next to a boundary are closer than float32s are: they are settled.
  @Test func rows_at_a_boundary_are_settled() throws {
    let closes = (0..<3000).map { 100 + Double($0 % 1000) / 100 }
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let columns = try QuoteColumns(
      days: closes.indices.map { TradingDay(daysSince1970: 10_000 + $0)! },
      doubles: [.open: closes.map { ($0 / 1.1 * 100).rounded() / 100 }, .close: closes])
    try store.upsert(["KO": columns])
    for row in stride(from: 0, to: 1000, by: 37) {
      let ratio = closes[row] / ((closes[row] / 1.1 * 100).rounded() / 100)
      for bound in [ratio, ratio.nextUp, ratio.nextDown] {
        for comparison in [">", ">=", "<", "<=", "=", "!="] {
          let condition = try Condition("close / open \(comparison) \(bound)")
          #expect(condition.isNarrow)
          #expect(try Self.differences(condition, store).wrong == 0, "\(condition.predicate)")
        }
      }
    }
  }
}
