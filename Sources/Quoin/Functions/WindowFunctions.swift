import CKernels

extension WindowFunction {
  static let all = [
    sum, mean, min, max, median, std, populationStd, variance, populationVariance, count, quantile, rank, argmax,
    argmin, first, last, slope, r2, resid, mad, skew, kurt, wmean, product, shortfall, corr, cov,
  ]

  static let sum = WindowFunction(
    "sum", "The exact sum of the last rows' values, rounded once.", example: "sum(volume, 20)",
    synonyms: ["ts_sum", "rolling_sum"], take: { $0.takeSums() })

  static let mean = WindowFunction(
    "mean", "The exact sum divided by the number of values, rounded once.",
    synonyms: ["avg", "average", "sma", "ma", "mavg", "ts_mean", "rolling_mean"], bounds: between,
    take: { $0.takeMeans() })

  static let min = WindowFunction(
    "min", "The smallest value.", example: "min(low, 20)", synonyms: ["lowest", "llv", "ts_min", "rolling_min"],
    bounds: { x, _ in (x.low, x.high) },
    take: { $0.takeExtremes(sign: -1) })

  static let max = WindowFunction(
    "max", "The largest value.", example: "max(high, 252)", synonyms: ["highest", "hhv", "ts_max", "rolling_max"],
    bounds: { x, _ in (x.low, x.high) },
    take: { $0.takeExtremes(sign: 1) })

  static let median = WindowFunction(
    "median", "The middle of the sorted values, or the mean of the two in the middle.", nanoseconds: 60,
    bounds: between, keepsWindows: true, few: 160, take: { tile, _ in tile.takeQuantiles(0.5) },
    long: { windows, results, _ in windows.takeQuantiles(0.5, &results) })

  static let std = WindowFunction(
    "std", "The standard deviation of a sample.", synonyms: ["stddev_samp"], QUOIN_STD,
    bounds: { x, _ in spread(x) })

  static let populationStd = WindowFunction(
    "std_p", "The standard deviation of a population.", synonyms: ["stddev_pop"], QUOIN_STD_P,
    bounds: { x, _ in spread(x) })

  static let variance = WindowFunction(
    "var", "The variance of a sample.", synonyms: ["var_samp"], QUOIN_VAR, bounds: { x, _ in squaredSpread(x) })

  static let populationVariance = WindowFunction(
    "var_p", "The variance of a population.", QUOIN_VAR_P, bounds: { x, _ in squaredSpread(x) })

  static let count = WindowFunction(
    "count", "How many of the values are there; never missing.",
    bounds: { _, window in (0, window.rows.map(Double.init) ?? .infinity) }, take: { $0.takeCounts() })

  static let quantile = WindowFunction(
    "quantile", "The value below which a share of the values lies, interpolated linearly.",
    example: "quantile(close, 20, 0.8)", takesShare: true, nanoseconds: 60,
    bounds: between, keepsWindows: true, few: 160, take: { tile, share in tile.takeQuantiles(share) },
    long: { windows, results, share in windows.takeQuantiles(share, &results) })

  static let rank = WindowFunction(
    "rank", "The newest value's average rank divided by the number of values; 1 for the largest.",
    nanoseconds: 60, bounds: { _, _ in (0, 1) }, few: 400, take: { tile, _ in tile.takeRanks() },
    long: { windows, results, _ in windows.takeRanks(&results) })

  static let argmax = WindowFunction(
    "argmax", "How many rows ago the largest value was, 0 for the newest row; the oldest of equal ones.",
    example: "argmax(high, 20)", take: { $0.takePlaces(sign: 1) })

  static let argmin = WindowFunction(
    "argmin", "How many rows ago the smallest value was, 0 for the newest row; the oldest of equal ones.",
    example: "argmin(low, 20)", take: { $0.takePlaces(sign: -1) })

  static let first = WindowFunction(
    "first", "The oldest value that is there.", bounds: { x, _ in (x.low, x.high) },
    take: { $0.takeEnds(isFirst: true) })

  static let last = WindowFunction(
    "last", "The newest value that is there.", bounds: { x, _ in (x.low, x.high) },
    take: { $0.takeEnds(isFirst: false) })

  static let slope = WindowFunction(
    "slope", "The slope of the line of least squares by place, or of the first input by the second.", QUOIN_SLOPE,
    QUOIN_PAIR_SLOPE, long: QUOIN_MERGED_SLOPE)

  static let r2 = WindowFunction(
    "r2", "The share of the variance that this line explains.", QUOIN_R2, QUOIN_PAIR_R2, long: QUOIN_MERGED_R2)

  static let resid = WindowFunction(
    "resid", "What the newest value is above this line.", QUOIN_RESID, QUOIN_PAIR_RESID, long: QUOIN_MERGED_RESID)

  static let mad = WindowFunction(
    "mad", "The mean absolute deviation from the mean.", nanoseconds: 60, few: 3000,
    take: { tile, _ in tile.take(QUOIN_MAD) },
    long: { windows, results, _ in
      let means = windows.values { means in
        mean.fill(&means, from: windows.inputs, over: RowWindow(rows: windows.rows, minimum: 1))
      }
      windows.takeMads(means, &results)
    })

  static let skew = WindowFunction("skew", "The skewness, corrected for bias.", QUOIN_SKEW)

  static let kurt = WindowFunction("kurt", "The excess kurtosis, corrected for bias.", QUOIN_KURT)

  static let wmean = WindowFunction(
    "wmean", "The mean weighted by place: 1 for the oldest row, 1 more for each newer one.",
    synonyms: ["decay_linear", "ts_decay_linear", "wma"], take: { tile, _ in tile.take(QUOIN_WMEAN) },
    long: { windows, results, _ in windows.take(QUOIN_MERGED_WMEAN, &results) })

  static let product = WindowFunction(
    "product", "The product of the values.", example: "product(close / prev(close), 20)", synonyms: ["ts_product"],
    few: 400,
    take: { tile, _ in tile.takeProducts() }, long: { windows, results, _ in windows.takeProducts(&results) })

  static let shortfall = WindowFunction(
    "shortfall", "The mean of the values that aren't above a quantile of theirs.",
    example: "shortfall(change(close), 252, 0.05)", synonyms: ["expected_shortfall", "cvar"], takesShare: true,
    nanoseconds: 200, bounds: between, few: 0,
    take: { _, _ in preconditionFailure("all windows are long ones") },
    long: { windows, results, share in
      let quantiles = windows.values { quantiles in
        quantile.fill(
          &quantiles, from: windows.inputs, over: RowWindow(rows: windows.rows, minimum: 1), share: share)
      }
      windows.takeShortfalls(quantiles, &results)
    })

  static let corr = WindowFunction(
    "corr", "The correlation of two inputs.", example: "corr(change(close), change(volume), 20)",
    synonyms: ["correlation", "correl", "ts_corr"], QUOIN_PAIR_CORR, long: QUOIN_MERGED_CORR)

  static let cov = WindowFunction(
    "cov", "The covariance of a sample of two inputs.", example: "cov(close, volume, 20)",
    synonyms: ["covariance", "ts_covariance"],
    QUOIN_PAIR_COV, long: QUOIN_MERGED_COV)
}

// What windows can amount to.
extension WindowFunction {
  /// Between the extremes, but for what is rounded; nil where sums may overflow.
  @Sendable
  private static func between(_ x: ValueBounds, _ window: RowWindow) -> (low: Double, high: Double)? {
    isSmall(x) ? (x.low.nextDown.nextDown, x.high.nextUp.nextUp) : nil
  }

  private static func spread(_ x: ValueBounds) -> (low: Double, high: Double)? {
    isSmall(x) ? (0, (x.high - x.low) * 1.001) : nil
  }

  private static func squaredSpread(_ x: ValueBounds) -> (low: Double, high: Double)? {
    isSmall(x) ? (0, (x.high - x.low) * (x.high - x.low) * 1.001) : nil
  }

  private static func isSmall(_ x: ValueBounds) -> Bool { Swift.max(x.low.magnitude, x.high.magnitude) < 1e150 }
}
