import ArgumentParser
import Console
import Quoin

/// The aggregates to print. Which groups is an option of each command, because `resample --by` says which bars.
struct AggregateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print aggregates instead of rows, such as 'mean(close), sum(volume)' or 'max(high) / min(low) as range'. The "
        + "functions are count, min, max, sum, mean, median, quantile, std, first, last, argmax and argmin (their days), "
        + "distinct, vwap and weighted_mean; count and share of conditions; count alone is the number of rows.",
      valueName: "list"))
  var aggregate: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only groups that meet this condition on aggregates and their names, such as 'count > 20 and range > 2'.",
      valueName: "expr"))
  var having: String?

  /// What is asked of groups; nil to print rows.
  ///
  /// - Parameters:
  ///   - order: what the groups are ordered by, if not by their keys.
  ///   - groups: the option that says which groups.
  func question(orderedBy order: String?, by groups: GroupingOption, _ definitions: Definitions) throws
    -> GroupQuestion?
  {
    if aggregate == nil {
      if groups.words != nil { throw UsageError("\(groups.name) needs --aggregate, such as --aggregate 'mean(close)'") }
      if having != nil {
        throw UsageError("--having needs --aggregate, such as --aggregate count --having 'count > 20'")
      }
    }
    return try aggregate.map { try GroupQuestion(parsing: $0, condition: having, order: order, definitions) }
  }
}

/// The words of an option that says which groups are aggregated.
struct GroupingOption {
  let name: String
  let words: String?

  static let help = ArgumentHelp(
    "With --aggregate, group by ticker; by week, month, quarter, half-year or year of each ticker; by day or weekday of all tickers. A list "
      + "has what it says: 'year, weekday', 'ticker, weekday', 'month, all' for all tickers together (default: all rows "
      + "are one group).",
    valueName: "group")
  static let completion = CompletionKind.list(Grouping.named.map(\.name))

  func grouping() throws -> Grouping? {
    guard let words else { return nil }
    do { return try Grouping.named(words) } catch .repeated(let repeated) {
      throw UsageError("\(name) '\(words)' names \(repeated) twice, or 'all' beside it")
    } catch .unknown(let unknown) {
      throw UsageError.unknownName(unknown, what: "group", among: Grouping.Key.allCases.map(\.rawValue) + ["all"])
    }
  }
}
