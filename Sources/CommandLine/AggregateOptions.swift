import ArgumentParser
import Console
import Quoin

/// The aggregates to print, and the groups to aggregate.
struct AggregateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print aggregates instead of rows, such as 'mean(close), sum(volume)' or 'max(high) / min(low) as range'. The "
        + "functions are count, min, max, sum, mean, median, quantile, std, first, last, argmax and argmin (their days), "
        + "distinct, vwap and weighted_mean; count and share of conditions; count alone is the number of rows.",
      valueName: "list"))
  var aggregate: String?

  @Option(
    help: ArgumentHelp(
      "Group by ticker; by week, month, quarter, half-year or year of each ticker; by day or weekday of all tickers. A list "
        + "has what it says: 'year, weekday', 'ticker, weekday', 'month, all' for all tickers together (default: all rows "
        + "are one group).",
      valueName: "group"),
    completion: .list(Grouping.named.map(\.name)))
  var by: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only groups that meet this condition on aggregates and their names, such as 'count > 20 and range > 2'.",
      valueName: "expr"))
  var having: String?

  /// What is asked of groups; nil to print rows.
  ///
  /// - Parameter order: what the groups are ordered by, if not by their keys.
  func question(orderedBy order: String?, _ definitions: Definitions) throws -> GroupQuestion? {
    if aggregate == nil {
      if by != nil { throw UsageError("--by needs --aggregate, such as --aggregate 'mean(close)'") }
      if having != nil {
        throw UsageError("--having needs --aggregate, such as --aggregate count --having 'count > 20'")
      }
    }
    return try aggregate.map { try GroupQuestion(parsing: $0, condition: having, order: order, definitions) }
  }

  func grouping() throws -> Grouping? {
    guard let by else { return nil }
    do { return try Grouping.named(by) } catch .repeated(let name) {
      throw UsageError("--by '\(by)' names \(name) twice, or 'all' beside it")
    } catch .unknown(let name) {
      throw UsageError.unknownName(name, what: "group", among: Grouping.Key.allCases.map(\.rawValue) + ["all"])
    }
  }
}
