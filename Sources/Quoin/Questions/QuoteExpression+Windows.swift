// Functions of a ticker's last rows, this one included.
//
// `rows` says how many: all rows so far without it. The value is missing until there are `minimum` of them, whether their cells are
// missing or not: all `rows` if it isn't given. Missing cells take no part, and a window without any value is missing. A call traps
// unless 1 <= `minimum` <= `rows`.

extension QuoteExpression {
  /// The exact sum, rounded once.
  public static func sum(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.sum, [x], rows, minimum)
  }
  /// The exact sum divided by the number of values, rounded once.
  public static func mean(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.mean, [x], rows, minimum)
  }
  /// The smallest value.
  public static func min(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.min, [x], rows, minimum)
  }
  /// The largest value.
  public static func max(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.max, [x], rows, minimum)
  }
  /// The middle of the sorted values, or halfway between the two in the middle.
  public static func median(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.median, [x], rows, minimum)
  }
  /// The standard deviation of a sample.
  public static func std(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.std, [x], rows, minimum)
  }
  /// The standard deviation of a population, as in Bollinger bands.
  public static func populationStd(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.populationStd, [x], rows, minimum)
  }
  /// The variance of a sample.
  public static func variance(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.variance, [x], rows, minimum)
  }
  /// The variance of a population.
  public static func populationVariance(
    _ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil
  ) -> QuoteExpression {
    window(.populationVariance, [x], rows, minimum)
  }
  /// How many values are present.
  public static func count(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.count, [x], rows, minimum)
  }
  /// The value below which a share of the values lies, from 0 to 1, interpolated linearly.
  public static func quantile(
    _ x: QuoteExpression, _ rows: Int? = nil, _ share: Double, minimum: Int? = nil
  ) -> QuoteExpression {
    precondition((0...1).contains(share), "a quantile of \(share)")
    return window(.quantile, [x], .rows(RowWindow(lastRows: rows, minimum: minimum)), quantile: share)
  }
  /// The average rank of the newest value divided by the number of values: above 0, and 1 for the largest.
  public static func rank(_ x: QuoteExpression, _ rows: Int, minimum: Int? = nil) -> QuoteExpression {
    window(.rank, [x], rows, minimum)
  }
  /// How many rows ago the largest value was, 0 for this row; the oldest of equal ones.
  public static func argmax(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.argmax, [x], rows, minimum)
  }
  /// How many rows ago the smallest value was, 0 for this row; the oldest of equal ones.
  public static func argmin(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.argmin, [x], rows, minimum)
  }
  /// The oldest value that is there: without `rows`, the ticker's first one.
  public static func first(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.first, [x], rows, minimum)
  }
  /// The newest value that is there.
  public static func last(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.last, [x], rows, minimum)
  }
  /// The mean of the values that aren't above a quantile of theirs.
  public static func shortfall(
    _ x: QuoteExpression, _ rows: Int? = nil, _ share: Double, minimum: Int? = nil
  ) -> QuoteExpression {
    precondition((0...1).contains(share), "a shortfall of \(share)")
    return window(.shortfall, [x], .rows(RowWindow(lastRows: rows, minimum: minimum)), quantile: share)
  }
  /// The product of the values.
  public static func product(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.product, [x], rows, minimum)
  }
  /// The mean absolute deviation from the mean.
  public static func mad(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.mad, [x], rows, minimum)
  }
  /// The skewness, corrected for bias.
  public static func skew(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.skew, [x], rows, minimum)
  }
  /// The excess kurtosis, corrected for bias.
  public static func kurt(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.kurt, [x], rows, minimum)
  }
  /// The mean weighted by place: 1 for the oldest row, and 1 more for each newer one.
  public static func wmean(_ x: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    window(.wmean, [x], rows, minimum)
  }
}

// Lines of least squares: of the values by their row, or by the values of `y`.
extension QuoteExpression {
  /// By how much the line rises from a row to the next, or for each 1 of `y`.
  public static func slope(
    _ x: QuoteExpression, by y: QuoteExpression? = nil, _ rows: Int? = nil, minimum: Int? = nil
  ) -> QuoteExpression {
    window(.slope, [x] + (y.map { [$0] } ?? []), rows, minimum)
  }
  /// The share of the variance that the line explains.
  public static func r2(
    _ x: QuoteExpression, by y: QuoteExpression? = nil, _ rows: Int? = nil, minimum: Int? = nil
  ) -> QuoteExpression {
    window(.r2, [x] + (y.map { [$0] } ?? []), rows, minimum)
  }
  /// What the newest value is above the line.
  public static func resid(
    _ x: QuoteExpression, by y: QuoteExpression? = nil, _ rows: Int? = nil, minimum: Int? = nil
  ) -> QuoteExpression {
    window(.resid, [x] + (y.map { [$0] } ?? []), rows, minimum)
  }
  /// The correlation of two expressions. Rows in which one of them is missing take no part.
  public static func corr(
    _ x: QuoteExpression, _ y: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil
  ) -> QuoteExpression {
    window(.corr, [x, y], rows, minimum)
  }
  /// The covariance of two expressions, of a sample. Rows in which one of them is missing take no part.
  public static func cov(
    _ x: QuoteExpression, _ y: QuoteExpression, _ rows: Int? = nil, minimum: Int? = nil
  ) -> QuoteExpression {
    window(.cov, [x, y], rows, minimum)
  }
}

// Functions of the rows in which a predicate holds.
extension QuoteExpression {
  /// In how many of the last rows it holds; where it is unknown it doesn't.
  public static func count(_ predicate: Predicate, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    flag(.count, predicate, .rows(RowWindow(lastRows: rows, minimum: minimum)))
  }
  /// The share of the last rows in which it holds, among those in which it is known.
  public static func share(_ predicate: Predicate, _ rows: Int? = nil, minimum: Int? = nil) -> QuoteExpression {
    flag(.share, predicate, .rows(RowWindow(lastRows: rows, minimum: minimum)))
  }
  /// In how many rows in a row, up to this one, it holds; missing where it is unknown.
  public static func streak(_ predicate: Predicate) -> QuoteExpression { flag(.streak, predicate, .all) }
  /// How many days of the calendar ago it last held, 0 where it does; missing before.
  public static func daysSince(_ predicate: Predicate) -> QuoteExpression {
    .calendar(.dayNumber) - .fill(.if(predicate, .calendar(.dayNumber)))
  }
  /// How many rows ago it last held, 0 where it does; missing before.
  public static func since(_ predicate: Predicate) -> QuoteExpression { flag(.since, predicate, .all) }
}

extension Predicate {
  /// Whether it holds in all of the last rows, this one included; unknown where there are fewer.
  public static func every(_ predicate: Predicate, _ rows: Int, minimum: Int? = nil) -> Predicate {
    .holds(.flag(.every, predicate, .rows(RowWindow(rows: rows, minimum: minimum))))
  }
  /// Whether it holds in one of the last rows, this one included; unknown where there are fewer.
  public static func any(_ predicate: Predicate, _ rows: Int, minimum: Int? = nil) -> Predicate {
    .holds(.flag(.any, predicate, .rows(RowWindow(rows: rows, minimum: minimum))))
  }
  /// Whether `x` comes from at most `y` in the row before to above it.
  public static func crosses(_ x: QuoteExpression, _ y: QuoteExpression) -> Predicate {
    x > y && .prev(x) <= .prev(y)
  }
}

extension QuoteExpression {
  private static func window(
    _ function: WindowFunction, _ inputs: [QuoteExpression], _ rows: Int?, _ minimum: Int?
  ) -> QuoteExpression {
    window(function, inputs, .rows(RowWindow(lastRows: rows, minimum: minimum)))
  }
}

extension RowWindow {
  /// - Parameter rows: nil for all rows so far.
  fileprivate init(lastRows rows: Int?, minimum: Int?) {
    self = rows.map { RowWindow(rows: $0, minimum: minimum) } ?? .all
  }
}
