/// A function of groups in the language: how it is called, which aggregate the call makes, and how that is measured.
final class AggregateFunction: Function {
  /// What stands between the parentheses of a call, and the aggregate that it makes.
  enum Form: Sendable {
    case value(@Sendable (QuoteExpression) -> Aggregation)
    case values(@Sendable (QuoteExpression, QuoteExpression) -> Aggregation)
    case valueAndShare(@Sendable (QuoteExpression, Double) -> Aggregation)
    case condition(@Sendable (Predicate) -> Aggregation)
  }

  /// Makes a measure of values of a type, for a quantile of the share below it.
  typealias Measure = @Sendable (any MeasuredValue.Type, _ share: Double) -> any GroupMeasure

  let name: String
  let meaning: String
  let example: String
  let synonyms: [String]
  let form: Form
  /// Whether it can be asked of the quotes of a day too: `mean(close by day)`.
  let isOfDays: Bool
  /// Whether the result is a day rather than a number.
  let givesDay: Bool
  /// What it takes of blocks; nil if it takes their rows.
  let measures: Measures?
  /// Nil for another name of a function that has a measure.
  private let makeMeasure: Measure?

  private init(
    _ name: String, _ meaning: String, example: String, synonyms: [String] = [], _ form: Form, isOfDays: Bool = true,
    givesDay: Bool = false, measures: Measures? = nil, measure: Measure? = nil
  ) {
    (self.name, self.meaning, self.example, self.synonyms, self.form) = (name, meaning, example, synonyms, form)
    (self.isOfDays, self.givesDay, self.measures, makeMeasure) = (isOfDays, givesDay, measures, measure)
  }

  /// A function of the values of an expression.
  private convenience init(
    _ function: Aggregation.Function, _ meaning: String, example: String, synonyms: [String] = [],
    isOfDays: Bool = true,
    givesDay: Bool = false, measures: Measures? = nil, measure: @escaping Measure
  ) {
    self.init(
      function.name, meaning, example: example, synonyms: synonyms, .value { Aggregation(function, of: $0) },
      isOfDays: isOfDays, givesDay: givesDay, measures: measures, measure: measure)
  }

  /// The entry that says how a function is measured.
  static func computing(_ function: Aggregation.Function) -> AggregateFunction? { named(function.name) }

  /// A measure of a group's values.
  func measure(_ type: any MeasuredValue.Type, _ share: Double) -> any GroupMeasure {
    guard let makeMeasure else { preconditionFailure("\(name) has no measure") }
    return makeMeasure(type, share)
  }
}

extension AggregateFunction {
  static let all = [
    count, min, max, sum, mean, median, quantile, std, first, last, argmax, argmin, distinct, share, vwap, weightedMean,
    variance, product, mad, skew, kurt, corr, cov, slope, r2,
  ]

  private static let count = AggregateFunction(
    .count, "How many rows there are; of an expression its values, of a condition the rows in which it holds.",
    example: "count", measures: .count
  ) { _, _ in ValueCounts() }

  private static let min = AggregateFunction(
    .min, "The smallest value.", example: "min(low)", synonyms: ["minimum"], measures: .minimum
  ) { type, _ in extremes(type, sign: -1) }

  private static let max = AggregateFunction(
    .max, "The largest value.", example: "max(high)", synonyms: ["maximum"], measures: .maximum
  ) { type, _ in extremes(type, sign: 1) }

  private static let sum = AggregateFunction(
    .sum, "The exact sum of the values, rounded once.", example: "sum(volume)", synonyms: ["total"], measures: .sum
  ) { type, _ in sums(type, dividesByCount: false) }

  private static let mean = AggregateFunction(
    .mean, "The exact sum divided by the number of values, rounded once.", example: "mean(close)",
    synonyms: ["avg", "average"], measures: [.sum, .count]
  ) { type, _ in sums(type, dividesByCount: true) }

  private static let median = AggregateFunction(
    "median", "The middle of the sorted values, or the mean of the two in the middle.", example: "median(close)",
    .value { Aggregation(.quantile, of: $0) })

  private static let quantile = AggregateFunction(
    "quantile", "The value below which a share of the values lies, interpolated linearly.",
    example: "quantile(close, 0.9)",
    .valueAndShare { Aggregation(.quantile, of: $0, share: $1) }
  ) { type, share in quantiles(type, share) }

  private static let std = AggregateFunction(
    .std, "The standard deviation of a sample.", example: "std(change(close))",
    synonyms: ["stddev_samp"]
  ) { _, _ in Deviations() }

  private static let first = AggregateFunction(
    .first, "The value of the first row that has one.", example: "first(open)", isOfDays: false,
    measures: .first
  ) { type, _ in ends(type, isFirst: true) }

  private static let last = AggregateFunction(
    .last, "The value of the last row that has one.", example: "last(close)", isOfDays: false,
    measures: .last
  ) { type, _ in ends(type, isFirst: false) }

  private static let argmax = AggregateFunction(
    .argmax, "The day of the largest value.", example: "argmax(high)", isOfDays: false,
    givesDay: true
  ) { _, _ in Chosen<Double>(.largest, givesDays: true) }

  private static let argmin = AggregateFunction(
    .argmin, "The day of the smallest value.", example: "argmin(low)", isOfDays: false,
    givesDay: true
  ) { _, _ in Chosen<Double>(.smallest, givesDays: true) }

  private static let distinct = AggregateFunction(
    .distinct, "How many different values there are, or tickers: distinct(ticker). count(distinct x) is the same.",
    example: "distinct(close)",
    synonyms: ["nunique", "n_unique"]
  ) { type, _ in differentValues(type) }

  private static let share = AggregateFunction(
    "share", "In which share of the rows the condition holds.", example: "share(close > open)",
    .condition { .share($0) })

  private static let vwap = AggregateFunction(
    "vwap", "The mean of the closes, or of an expression, weighted with the volume.", example: "vwap",
    .value { .vwap($0) })

  private static let weightedMean = AggregateFunction(
    "weighted_mean", "The mean of the first input weighted with the second.", example: "weighted_mean(close, volume)",
    .values { Aggregation(.weightedMean, of: $0, weight: $1) }
  ) { _, _ in WeightedMeans() }

  private static let variance = AggregateFunction(
    .variance, "The variance of a sample.", example: "var(change(close))", synonyms: ["variance", "var_samp"]
  ) { _, _ in PairMoments(.variance) }

  private static let product = AggregateFunction(
    .product, "The product of the values.", example: "product(close / prev(close))", synonyms: ["prod"]
  ) { type, _ in statistics(type, .product) }

  private static let mad = AggregateFunction(
    .meanDeviation, "The mean absolute deviation from the mean.", example: "mad(change(close))"
  ) { type, _ in statistics(type, .meanDeviation) }

  private static let skew = AggregateFunction(
    .skew, "The skewness, corrected for bias.", example: "skew(change(close))", synonyms: ["skewness"]
  ) { type, _ in statistics(type, .skew) }

  private static let kurt = AggregateFunction(
    .kurt, "The excess kurtosis, corrected for bias.", example: "kurt(change(close))", synonyms: ["kurtosis"]
  ) { type, _ in statistics(type, .kurt) }

  private static let corr = AggregateFunction(
    "corr", "The correlation of two inputs.", example: "corr(change(close), change(volume))",
    .values { Aggregation(.corr, of: $0, weight: $1) }
  ) { _, _ in PairMoments(.correlation) }

  private static let cov = AggregateFunction(
    "cov", "The covariance of a sample of two inputs.", example: "cov(close, volume)", synonyms: ["covar_samp"],
    .values { Aggregation(.cov, of: $0, weight: $1) }
  ) { _, _ in PairMoments(.covariance) }

  private static let slope = AggregateFunction(
    "slope", "The slope of the line of least squares of the first input by the second.",
    example: "slope(change(close), change(close of KO))", synonyms: ["beta", "regr_slope"],
    .values { Aggregation(.slope, of: $0, weight: $1) }
  ) { _, _ in PairMoments(.slope) }

  private static let r2 = AggregateFunction(
    "r2", "The share of the first input's variance that this line explains.", example: "r2(close, volume)",
    synonyms: ["rsq", "regr_r2"], .values { Aggregation(.r2, of: $0, weight: $1) }
  ) { _, _ in PairMoments(.share) }

  // One measure for each type of values.

  private static func extremes<Value: MeasuredValue>(_: Value.Type, sign: Int) -> any GroupMeasure {
    ExtremeValues<Value>(sign: sign)
  }

  private static func sums<Value: MeasuredValue>(_: Value.Type, dividesByCount: Bool) -> any GroupMeasure {
    Sums<Value>(dividesByCount: dividesByCount)
  }

  private static func ends<Value: MeasuredValue>(_: Value.Type, isFirst: Bool) -> any GroupMeasure {
    Chosen<Value>(isFirst ? .first : .last, givesDays: false)
  }

  private static func quantiles<Value: MeasuredValue>(_: Value.Type, _ share: Double) -> any GroupMeasure {
    GroupValues<Value>(result: .quantile(share))
  }

  private static func statistics<Value: MeasuredValue>(
    _: Value.Type, _ statistic: GroupStatistic
  ) -> any GroupMeasure { GroupValues<Value>(result: .statistic(statistic)) }

  private static func differentValues<Value: MeasuredValue>(_: Value.Type) -> any GroupMeasure {
    GroupValues<Value>(result: .distinct)
  }
}

extension AggregateFunction {
  /// What the functions of values are of the date.
  static let ofDays: [String: Aggregation] = [
    "min": Aggregation(.argmin, of: .calendar(.dayNumber)), "first": Aggregation(.argmin, of: .calendar(.dayNumber)),
    "max": Aggregation(.argmax, of: .calendar(.dayNumber)), "last": Aggregation(.argmax, of: .calendar(.dayNumber)),
    "distinct": Aggregation(.distinct, of: .calendar(.dayNumber)), "count": .count,
  ]
}

extension Aggregation.Function {
  /// All functions, each once.
  public static let all = AggregateFunction.all.filter(\.hasMeasure).map { Aggregation.Function($0.name) }
}

extension AggregateFunction {
  fileprivate var hasMeasure: Bool { makeMeasure != nil }
}

extension Aggregation {
  /// Of how many tickers there are quotes.
  static let distinctTickers = Aggregation(.distinct, of: .market(.tickerNumber))

  /// Whether it gives a day rather than a number.
  var givesDay: Bool { AggregateFunction.computing(function)?.givesDay ?? false }
}
