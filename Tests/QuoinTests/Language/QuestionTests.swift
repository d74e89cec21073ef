import Testing

@testable import Quoin

/// What users of quotes ask, in words and in Swift: both are the same question.
@Suite struct QuestionTests {
  private static let conditions: [(String, Predicate)] = [
    ("close > open", .close > .open),
    ("(high - low) / close > 0.1", (.high - .low) / .close > 0.1),
    ("close * volume > 1e9", .close * .volume > 1e9),
    ("(close - low) / (high - low) > 0.9", (.close - .low) / (.high - .low) > 0.9),
    ("change(close) > 0.05", .change(.close) > 0.05),
    ("open > prev(high)", .open > .prev(.high)),
    ("streak(close > prev(close)) >= 3", .streak(.close > .prev(.close)) >= 3),
    ("every(close > prev(close), 3)", .every(.close > .prev(.close), 3)),
    ("any(close > prev(close), 3 min 2)", .any(.close > .prev(.close), 3, minimum: 2)),
    ("close > mean(close, 200)", .close > .mean(.close, 200)),
    ("crosses(mean(close, 50), mean(close, 200))", .crosses(.mean(.close, 50), .mean(.close, 200))),
    ("close >= 0.95 * max(high, 252)", .close >= 0.95 * .max(.high, 252)),
    ("low < min(prev(low), 20)", .low < .min(.prev(.low), 20)),
    ("volume > 3 * mean(prev(volume), 20)", .volume > 3 * .mean(.prev(.volume), 20)),
    (
      "std(log(close / prev(close)), 20) * sqrt(252) > 0.6",
      .std(.log(.close / .prev(.close)), 20) * .sqrt(252) > 0.6
    ),
    (
      "(close - mean(close, 20)) / std(close, 20) < -2",
      (.close - .mean(.close, 20)) / .std(.close, 20) < .number(-2)
    ),
    ("rsi(close, 14) < 30", .rsi(.close, 14) < 30),
    ("crosses(macd(close), macd_signal(close))", .crosses(.macd(.close), .macdSignal(.close))),
    (
      "close > mean(close, 20) + 2 * std_p(close, 20)",
      .close > .mean(.close, 20) + 2 * .populationStd(.close, 20)
    ),
    ("atr(14) / close > 0.05", .atr(14) / .close > 0.05),
    ("close / max(close) - 1 < -0.5", .close / .max(.close) - 1 < .number(-0.5)),
    ("rank(change(close) desc by day) <= 10", .rankByDay(.change(.close), .descending) <= 10),
    ("pctrank(close / prev(close, 126) by day) > 0.9", .percentRankByDay(.close / .prev(.close, 126)) > 0.9),
  ]

  private static let expressions: [(String, QuoteExpression)] = [
    ("prev(close, 21) / prev(close, 252) - 1", .prev(.close, 21) / .prev(.close, 252) - 1),
    ("next(close, 5) / close - 1", .next(.close, 5) / .close - 1),
    ("corr(change(close), change(close) of SPY, 60)", .corr(.change(.close), .change(.close).of("SPY"), 60)),
    ("slope(change(close), change(close) of SPY, 252)", .slope(.change(.close), by: .change(.close).of("SPY"), 252)),
    ("sum(close, 5 min 1)", .sum(.close, 5, minimum: 1)),
    ("median(close)", .median(.close)),
    ("first(close, 5)", .first(.close, 5)),
    ("last(close)", .last(.close)),
    ("fill(close, 5)", .fill(.close, 5)),
    ("shortfall(change(close), 252, 0.05)", .shortfall(.change(.close), 252, 0.05)),
    ("ema(close, 0.06)", .ema(.close, weight: 0.06)),
    ("coalesce(open, close)", .coalesce(.open, .close)),
    ("days_since(open > close)", .daysSince(.open > .close)),
    ("var(close, 5)", .variance(.close, 5)),
    ("var_p(close, 5)", .populationVariance(.close, 5)),
    ("count(close, 5)", .count(.close, 5)),
    ("quantile(close, 20, 0.8)", .quantile(.close, 20, 0.8)),
    ("rank(close, 20)", .rank(.close, 20)),
    ("argmax(close, 20)", .argmax(.close, 20)),
    ("argmin(close, 20)", .argmin(.close, 20)),
    ("product(close, 20)", .product(.close, 20)),
    ("mad(close, 20)", .mad(.close, 20)),
    ("skew(close, 20)", .skew(.close, 20)),
    ("kurt(close, 20)", .kurt(.close, 20)),
    ("wmean(close, 20)", .wmean(.close, 20)),
    ("slope(close, 20)", .slope(.close, 20)),
    ("r2(close, 20)", .r2(.close, 20)),
    ("r2(close, volume, 20)", .r2(.close, by: .volume, 20)),
    ("resid(close, 20)", .resid(.close, 20)),
    ("cov(close, volume, 20)", .cov(.close, .volume, 20)),
    ("count(close > open, 20)", .count(.close > .open, 20)),
    ("share(close > open)", .share(.close > .open)),
    ("since(close > open)", .since(.close > .open)),
    ("ema(close, 20)", .ema(.close, 20)),
    ("wilder(close, 20)", .wilder(.close, 20)),
    ("adx(14)", .adx()),
    ("stoch(5, 3)", .stoch()),
    ("stoch_signal(5, 3, 3)", .stochSignal()),
    ("cci(20)", .cci(20)),
    ("willr(14)", .willr()),
    ("mfi(14)", .mfi()),
    ("obv(adj_close, adj_volume)", .obv(.adjustedClose, volume: .adjustedVolume)),
  ]

  @Test(arguments: conditions.indices) func conditions_are_the_same_in_words_and_in_Swift(_ index: Int) throws {
    let (words, predicate) = Self.conditions[index]
    #expect(try Predicate(parsing: words) == predicate, "\(words)")
  }

  @Test(arguments: expressions.indices) func expressions_are_the_same_in_words_and_in_Swift(_ index: Int) throws {
    let (words, expression) = Self.expressions[index]
    #expect(try QuoteExpression(parsing: words) == expression, "\(words)")
  }

  @Test func every_function_of_rows_has_a_name_in_Swift() {
    let words = (Self.conditions.map(\.0) + Self.expressions.map(\.0)).joined(separator: "; ")
    for name in WindowFunction.all.map(\.name) + Indicator.all.map(\.name) {
      #expect(words.contains("\(name)("), "\(name)")
    }
  }
}
