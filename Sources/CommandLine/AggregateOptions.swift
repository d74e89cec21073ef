import ArgumentParser
import Quoin

/// The aggregates to print. Which groups is an option of each command, because `resample --by` says which bars.
struct AggregateOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Print aggregates instead of rows, such as 'mean(close), sum(volume)' or 'max(high) / min(low) as range'. The "
        + "functions are count, min, max, sum, mean, median, quantile, std, var, mad, skew, kurt, product, first, last, argmax and "
        + "argmin (their days), distinct, vwap, weighted_mean, corr, cov, slope and r2; count and share of conditions; count alone is the number of rows.",
      valueName: "list"))
  var aggregate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only groups that meet this condition on aggregates and their names, such as 'count > 20 and range > 2'.",
      valueName: "expr"))
  var having: String?

  @Flag(
    help:
      "The values of the last key as columns: with the keys 'year, ticker', a row for each year and a column for each ticker."
  )
  var pivot = false
}

/// The option that says which groups are aggregated.
enum GroupingOption {
  static let help = ArgumentHelp(
    "With --aggregate, group by ticker; by week, month, quarter, half-year or year of each ticker; by day or weekday of all tickers. A list "
      + "has what it says: 'year, weekday', 'ticker, weekday', 'month, all' for all tickers together (default: all rows "
      + "are one group).",
    valueName: "group")
  static let completion = CompletionKind.list(Grouping.named.map(\.name))
}
