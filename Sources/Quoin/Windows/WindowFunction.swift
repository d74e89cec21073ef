/// What the values in a window of rows amount to.
///
/// Missing cells take no part, and a window without any value is missing. A result depends on the values of its window
/// alone: it has the same bits wherever the rows begin that are given. Zero has no sign.
enum WindowFunction: String, CaseIterable, Hashable, Sendable {
  /// The exact sum of the float64 values, rounded once.
  case sum
  /// The exact sum divided by the number of values, rounded once.
  case mean
  case min
  case max
  /// The middle of the sorted values, or between the two in the middle.
  case median
  /// The standard deviation of a sample, and of a population.
  case std
  case populationStd = "std_p"
  /// The variance of a sample, and of a population.
  case variance = "var"
  case populationVariance = "var_p"
  /// How many values are present, which is never missing.
  case count
  /// The value below which a share of the values lies, interpolated linearly.
  case quantile
  /// The average rank of the newest value divided by the number of values: above 0, and 1 for the largest.
  case rank
  /// How many rows ago the extreme was, 0 for the newest row; the oldest of equal ones.
  case argmax
  case argmin
  /// The line of least squares: of the values by their place in the window, or of the first input by the second one.
  case slope
  /// The share of the variance that the line explains.
  case r2
  /// What the newest value is above the line.
  case resid
  /// The mean absolute deviation from the mean.
  case mad
  /// The skewness and the excess kurtosis, corrected for bias.
  case skew
  case kurt
  /// The mean weighted by place: 1 for the oldest row of the window, and 1 more for each newer one.
  case wmean
  case product
  /// The correlation of two inputs, and the covariance of a sample. Rows in which one of them is missing take no part.
  case corr
  case cov

  /// How many inputs it takes.
  var inputCounts: ClosedRange<Int> {
    switch self {
    case .corr, .cov: 2...2
    case .slope, .r2, .resid: 1...2
    default: 1...1
    }
  }
}
