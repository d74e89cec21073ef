/// An aggregate of each group of quotes: a function of what each quote has, or the number of quotes.
///
///     let table = try store.allQuotes.aggregate([.first(.open), .max(.high), .sum(.volume)], by: .month)
///     let breadth = try store.allQuotes.aggregate([.count, .share(.close > .mean(.close, 200))], by: .day)
public struct Aggregation: Hashable, Sendable {
  /// A function of a group's values. It ignores missing ones.
  public struct Function: Hashable, Sendable {
    /// Its name in the query language.
    public let name: String

    init(_ name: String) { self.name = name }

    /// The number of values.
    public static let count = Self("count")
    /// The smallest value.
    public static let min = Self("min")
    /// The largest value.
    public static let max = Self("max")
    /// The exact sum, rounded once.
    public static let sum = Self("sum")
    /// The exact sum divided by the number of values, rounded once.
    public static let mean = Self("mean")
    /// The value of the first day that has one.
    public static let first = Self("first")
    /// The value of the last day that has one.
    public static let last = Self("last")
    /// The standard deviation of a sample: the squares' sum is divided by the number of values less 1.
    public static let std = Self("std")
    /// The number of different values.
    public static let distinct = Self("distinct")
    /// The day of the largest value; the first of several.
    public static let argmax = Self("argmax")
    /// The day of the smallest value; the first of several.
    public static let argmin = Self("argmin")
    /// The value below which a share of the values lies, interpolated between two of them (Hyndman and Fan's type 7).
    public static let quantile = Self("quantile")
    /// The mean of values, each of which counts as often as a weight says.
    public static let weightedMean = Self("weighted_mean")
    /// The variance of a sample.
    public static let variance = Self("var")
    /// The product of the values.
    public static let product = Self("product")
    /// The mean absolute deviation from the mean.
    public static let meanDeviation = Self("mad")
    /// The skewness, corrected for bias.
    public static let skew = Self("skew")
    /// The excess kurtosis, corrected for bias.
    public static let kurt = Self("kurt")
    /// The correlation of two inputs.
    public static let corr = Self("corr")
    /// The covariance of a sample of two inputs.
    public static let cov = Self("cov")
    /// The slope of the line of least squares of the first input by the second.
    public static let slope = Self("slope")
    /// The share of the first input's variance that this line explains.
    public static let r2 = Self("r2")

    /// Whether it takes a second input.
    var takesTwo: Bool { [.weightedMean, .corr, .cov, .slope, .r2].contains(self) }
  }

  /// The function.
  public let function: Function
  /// What each quote has; nil for the number of quotes.
  public let expression: QuoteExpression?
  /// The weights of a `weightedMean`, or the second input of a function of two; nil for other functions.
  public let weight: QuoteExpression?
  /// The share below a `quantile`, from 0 to 1; nil for other functions.
  public let share: Double?
  /// What the quotes share that are a group inside each group; the function is then of what these amount to. Nil if it is of quotes.
  package let inner: Grouping?

  /// The attribute, if that is what the function is of; nil for other expressions and for the number of quotes.
  public var attribute: Attribute? {
    guard case .attribute(let name) = expression?.node else { return nil }
    return name
  }

  /// A function of one attribute's values. A quantile is the median, and the weight of a mean is the volume.
  public init(_ function: Function, of attribute: Attribute) { self.init(function, of: .attribute(attribute)) }

  /// A function of the values of an expression.
  ///
  /// - Parameters:
  ///   - function: what the values amount to.
  ///   - expression: what the values are.
  ///   - weight: the weights of a `weightedMean`, or the second input of `corr`, `cov`, `slope` and `r2`.
  ///   - share: the share below a `quantile`; less than 0 is 0, and more than 1 is 1.
  public init(
    _ function: Function, of expression: QuoteExpression, weight: QuoteExpression = .volume, share: Double = 0.5
  ) {
    self.function = function
    self.expression = expression
    self.weight = function.takesTwo ? weight : nil
    self.share = function == .quantile ? Swift.max(0, Swift.min(share, 1)) : nil
    inner = nil
  }

  private init() { (function, expression, weight, share, inner) = (.count, nil, nil, nil, nil) }

  /// The same function of what groups inside each group amount to.
  init(_ outer: Aggregation, per inner: Grouping) {
    (function, expression, weight, share) = (outer.function, outer.expression, outer.weight, outer.share)
    self.inner = inner
  }

  /// What is computed of each quote, or of each group inside the group.
  var expressions: [QuoteExpression] { [expression, weight].compactMap(\.self) }

  /// The number of quotes, whatever cells they lack.
  public static let count = Aggregation()

  /// The number of cells with a value.
  public static func count(_ attribute: Attribute) -> Self { Self(.count, of: attribute) }
  /// The smallest value.
  public static func min(_ attribute: Attribute) -> Self { Self(.min, of: attribute) }
  /// The largest value.
  public static func max(_ attribute: Attribute) -> Self { Self(.max, of: attribute) }
  /// The sum: exact, in 128 bits, for int64; rounded once for float64.
  public static func sum(_ attribute: Attribute) -> Self { Self(.sum, of: attribute) }
  /// The arithmetic mean.
  public static func mean(_ attribute: Attribute) -> Self { Self(.mean, of: attribute) }
  /// The value of the first day that has one.
  public static func first(_ attribute: Attribute) -> Self { Self(.first, of: attribute) }
  /// The value of the last day that has one.
  public static func last(_ attribute: Attribute) -> Self { Self(.last, of: attribute) }

  /// The number of quotes for which the predicate is known to hold.
  public static func count(_ predicate: Predicate) -> Self { Self(.count, of: .truth(predicate)) }
  /// The share of the quotes for which the predicate holds, among those for which that is known.
  public static func share(_ predicate: Predicate) -> Self { Self(.mean, of: .truth(predicate)) }
  /// The price that a share was traded for on average: the mean of a price, weighted with the volume.
  public static func vwap(_ price: QuoteExpression = .close) -> Self { Self(.weightedMean, of: price) }
}

extension Aggregation: CustomStringConvertible {
  /// The aggregation as the command line writes it: `mean(close)`, `count`.
  public var description: String {
    guard let expression else { return "count" }
    let end = (inner.map { " per \($0)" } ?? "") + ")"
    switch (function, expression.node) {
    case (.count, .truth(let predicate)): return "count(\(predicate)\(end)"
    case (.mean, .truth(let predicate)): return "share(\(predicate)\(end)"
    case (.quantile, _):
      return share == 0.5 ? "median(\(expression)\(end)" : "quantile(\(expression), \(share ?? 0)\(end)"
    case (.weightedMean, _):
      return weight == .volume ? "vwap(\(expression)\(end)" : "weighted_mean(\(expression), \(weight ?? .volume)\(end)"
    case (.argmax, .calendar(.dayNumber)): return "max(date)"
    case (.argmin, .calendar(.dayNumber)): return "min(date)"
    default: return "\(function.name)(\(expression)\(weight.map { ", \($0)" } ?? "")\(end)"
    }
  }
}
