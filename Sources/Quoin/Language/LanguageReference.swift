/// A function of the language, as people look it up.
package struct LanguageEntry: Sendable {
  /// What a function is computed from.
  package enum Kind: String, CaseIterable, Sendable {
    case row
    case date
    case earlierRows = "earlier rows"
    case window
    case indicator
    case condition
    case sameDay = "same day"
    case aggregate

    /// The names of its functions.
    package var names: [String] {
      switch self {
      case .row: LanguageWords.row
      case .date: LanguageWords.date
      case .earlierRows: LanguageWords.earlierRows
      case .window: LanguageWords.windows
      case .indicator: LanguageWords.indicators
      case .condition: LanguageWords.conditions
      case .sameDay: LanguageWords.sameDay
      case .aggregate: LanguageWords.aggregates
      }
    }
  }

  package let kind: Kind
  package let name: String
  package let meaning: String
  /// A call that can be asked as it stands.
  package let example: String
}

/// All functions, each with a sentence and an example.
package enum LanguageReference {
  package static let entries =
    entries(.row, ofRow) + entries(.date, ofDate) + entries(.earlierRows, ofEarlierRows) + entries(.window, ofWindows)
    + entries(.indicator, ofHistory) + entries(.condition, ofConditions) + entries(.sameDay, ofDay)
    + entries(.aggregate, ofGroups)

  private typealias Line = (name: String, example: String, meaning: String)

  private static func entries(_ kind: LanguageEntry.Kind, _ lines: [Line]) -> [LanguageEntry] {
    lines.map { LanguageEntry(kind: kind, name: $0.name, meaning: $0.meaning, example: $0.example) }
  }

  private static let ofRow: [Line] = [
    ("abs", "abs(close - open)", "The value without its sign."),
    ("log", "log(close)", "The natural logarithm."),
    ("exp", "exp(log(close))", "e to the power of the value."),
    ("sqrt", "sqrt(volume)", "The square root."),
    ("sign", "sign(close - open)", "-1, 0 or 1."),
    ("round", "round(close)", "The nearest whole number; halves go away from 0."),
    ("floor", "floor(close)", "The next whole number below."),
    ("ceil", "ceil(close)", "The next whole number above."),
    ("larger", "larger(open, close)", "The larger of two values."),
    ("smaller", "smaller(open, close)", "The smaller of two values."),
    (
      "if", "if(close > open, 1, 0)",
      "The second value where the condition holds, else the third; missing where that is unknown."
    ),
  ]

  private static let ofDate: [Line] = [
    ("year", "year(date)", "The year."),
    ("quarter", "quarter(date)", "The quarter of the year, from 1 to 4."),
    ("month", "month(date)", "The month, from 1 to 12."),
    ("day", "day(date)", "The day of the month, from 1 to 31."),
    ("weekday", "weekday(date)", "The day of the week, from 1 for Monday to 7 for Sunday."),
    ("day_of_year", "day_of_year(date)", "The day of the year, from 1 to 366."),
  ]

  private static let ofEarlierRows: [Line] = [
    ("prev", "prev(close, 5)", "The value so many rows before; of the row before without a number."),
    ("next", "next(close)", "The value so many rows later. It looks ahead."),
    ("change", "change(close)", "The value divided by the one so many rows before, less 1."),
    ("diff", "diff(close)", "The value less the one so many rows before."),
  ]

  private static let ofWindows: [Line] = [
    ("sum", "sum(volume, 20)", "The exact sum of the last rows' values, rounded once."),
    ("mean", "mean(close, 20)", "The exact sum divided by the number of values, rounded once."),
    ("min", "min(low, 20)", "The smallest value."),
    ("max", "max(high, 252)", "The largest value."),
    ("median", "median(close, 20)", "The middle of the sorted values, or the mean of the two in the middle."),
    ("std", "std(close, 20)", "The standard deviation of a sample."),
    ("std_p", "std_p(close, 20)", "The standard deviation of a population."),
    ("var", "var(close, 20)", "The variance of a sample."),
    ("var_p", "var_p(close, 20)", "The variance of a population."),
    ("count", "count(close, 20)", "How many of the values are there; never missing."),
    (
      "quantile", "quantile(close, 20, 0.8)", "The value below which a share of the values lies, interpolated linearly."
    ),
    ("rank", "rank(close, 20)", "The newest value's average rank divided by the number of values; 1 for the largest."),
    (
      "argmax", "argmax(high, 20)",
      "How many rows ago the largest value was, 0 for the newest row; the oldest of equal ones."
    ),
    (
      "argmin", "argmin(low, 20)",
      "How many rows ago the smallest value was, 0 for the newest row; the oldest of equal ones."
    ),
    (
      "slope", "slope(close, 20)",
      "The slope of the line of least squares by place, or of the first input by the second."
    ),
    ("r2", "r2(close, 20)", "The share of the variance that this line explains."),
    ("resid", "resid(close, 20)", "What the newest value is above this line."),
    ("mad", "mad(close, 20)", "The mean absolute deviation from the mean."),
    ("skew", "skew(close, 20)", "The skewness, corrected for bias."),
    ("kurt", "kurt(close, 20)", "The excess kurtosis, corrected for bias."),
    ("wmean", "wmean(close, 20)", "The mean weighted by place: 1 for the oldest row, 1 more for each newer one."),
    ("product", "product(close / prev(close), 20)", "The product of the values."),
    ("corr", "corr(change(close), change(volume), 20)", "The correlation of two inputs."),
    ("cov", "cov(close, volume, 20)", "The covariance of a sample of two inputs."),
  ]

  private static let ofHistory: [Line] = [
    ("ema", "ema(close, 20)", "The exponential moving average: of n rows, the newest value counts 2 / (n + 1)."),
    ("wilder", "wilder(close, 14)", "Wilder's moving average: the newest value counts 1 / n."),
    ("rsi", "rsi(close, 14)", "Wilder's relative strength index, from 0 to 100."),
    ("atr", "atr(14)", "The average true range."),
    ("macd", "macd(close, 12, 26)", "A fast exponential moving average less a slow one."),
    ("macd_signal", "macd_signal(close, 12, 26, 9)", "The exponential moving average of macd."),
    ("adx", "adx(14)", "The average directional index."),
    ("stoch", "stoch(5, 3)", "The slow stochastic oscillator, %K."),
    ("stoch_signal", "stoch_signal(5, 3, 3)", "The average of stoch, %D."),
    ("cci", "cci(14)", "The commodity channel index."),
    ("willr", "willr(14)", "Williams' %R, from -100 to 0."),
    ("mfi", "mfi(14)", "The money flow index, from 0 to 100."),
    ("obv", "obv()", "On-balance volume."),
  ]

  private static let ofConditions: [Line] = [
    ("every", "every(close > open, 3)", "Whether the condition holds in each of the last rows."),
    ("any", "any(close > open, 3)", "Whether the condition holds in one of the last rows."),
    ("count", "count(close > open, 20)", "In how many of the last rows the condition holds."),
    ("share", "share(close > open, 20)", "In which share of the last rows the condition holds."),
    (
      "streak", "streak(close > prev(close))", "In how many rows up to this one the condition has held without a break."
    ),
    ("since", "since(close > prev(close))", "How many rows ago the condition held last; 0 if it holds."),
    (
      "crosses", "crosses(close, mean(close, 200))",
      "Whether the first value is above the second one, and wasn't in the row before."
    ),
  ]

  private static let ofDay: [Line] = [
    ("rank", "rank(close desc by day)", "The place among the day's quotes, from 1 on; equal ones have their mean."),
    ("pctrank", "pctrank(close by day)", "The rank divided by the number of values; 1 for the largest."),
    (
      "place", "place(close by day)", "The place among the day's quotes; equal ones come in the order of their tickers."
    ),
    ("zscore", "zscore(close by day)", "The value less the day's mean, divided by the day's standard deviation."),
    ("demean", "demean(close by day)", "The value less the day's mean."),
  ]

  private static let ofGroups: [Line] = [
    (
      "count", "count",
      "How many rows there are; of an expression its values, of a condition the rows in which it holds."
    ),
    ("min", "min(low)", "The smallest value."),
    ("max", "max(high)", "The largest value."),
    ("sum", "sum(volume)", "The exact sum of the values, rounded once."),
    ("mean", "mean(close)", "The exact sum divided by the number of values, rounded once."),
    ("median", "median(close)", "The middle of the sorted values, or the mean of the two in the middle."),
    ("quantile", "quantile(close, 0.9)", "The value below which a share of the values lies, interpolated linearly."),
    ("std", "std(change(close))", "The standard deviation of a sample."),
    ("first", "first(open)", "The value of the first row that has one."),
    ("last", "last(close)", "The value of the last row that has one."),
    ("argmax", "argmax(high)", "The day of the largest value."),
    ("argmin", "argmin(low)", "The day of the smallest value."),
    ("distinct", "distinct(close)", "How many different values there are; count(distinct x) is the same."),
    ("share", "share(close > open)", "In which share of the rows the condition holds."),
    ("vwap", "vwap", "The mean of the closes, or of an expression, weighted with the volume."),
    ("weighted_mean", "weighted_mean(close, volume)", "The mean of the first input weighted with the second."),
  ]
}

extension Attribute {
  package var meaning: String {
    switch self {
    case .open: "The price at which the day began."
    case .high: "The highest price of the day."
    case .low: "The lowest price of the day."
    case .close: "The price at which the day ended."
    case .volume: "The number of shares that changed hands."
    case .exDividend: "The dividend that buyers from this day on don't get; 0 on other days."
    case .splitRatio: "How many shares one share became; 1 on other days."
    case .adjustedOpen: "The open, adjusted for later dividends and splits."
    case .adjustedHigh: "The high, adjusted for later dividends and splits."
    case .adjustedLow: "The low, adjusted for later dividends and splits."
    case .adjustedClose: "The close, adjusted for later dividends and splits."
    case .adjustedVolume: "The volume, adjusted for later splits."
    }
  }
}
