import ArgumentParser
import Console
import Quoin

/// The aggregates to print, and the groups to aggregate.
struct AggregateOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Print aggregates instead of rows, such as 'mean(close), sum(volume)'. The functions are count, min, max, sum, "
        + "mean, first and last; count alone is the number of rows.", valueName: "list"))
  var aggregate: String?

  @Option(
    help: ArgumentHelp(
      "Group by ticker, or by ticker and \(AggregateOptions.periods) (default: all rows are one group).",
      valueName: "group"),
    completion: .list(Grouping.allCases.map(\.rawValue)))
  var by: String?

  /// `week, month, quarter or year`.
  private static let periods = {
    let names = Grouping.allCases.filter(\.isPeriod).map(\.rawValue)
    return names.dropLast().joined(separator: ", ") + " or " + names.suffix(1).joined()
  }()

  /// The aggregates; nil to print rows.
  func aggregations() throws -> [Aggregation]? {
    if by != nil, aggregate == nil { throw UsageError("--by needs --aggregate, such as --aggregate 'mean(close)'") }
    return try aggregate.map { try Aggregation.list(parsing: $0) }
  }

  func grouping() throws -> Grouping? {
    guard let by else { return nil }
    guard let grouping = Grouping(named: by) else {
      throw UsageError.unknownName(by, what: "group", among: Grouping.allCases.map(\.rawValue))
    }
    return grouping
  }
}
