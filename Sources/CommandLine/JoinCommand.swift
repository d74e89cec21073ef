import ArgumentParser
import Console
import Quoin

struct JoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join",
    abstract: "Put two tickers side by side, day by day, with their spread and ratio.",
    discussion: """
      Rows are those of A. Without --columns, each has the date, the values of A and B (two different tickers), the spread A - B \
      and the ratio A / B. All of 'quoin scan' can be asked of these: their names are those of the tickers, spread and ratio. A \
      ticker whose name means something else, such as LOW, is written 'close of LOW'. Windows have the join's last rows, those of \
      the days that both have unless --kind says otherwise; missing values take no part.

      Examples:
        quoin join KO PEP
        quoin join KO PEP --columns "date, ratio, (ratio - mean(ratio, 20)) / std(ratio, 20) as z"
        quoin join KO PEP --on adj_close --where 'crosses(ratio, mean(ratio, 50))' --from 2015-01-01
        quoin join KO PEP --columns 'date, corr(change(close), change(close of PEP), 60) as corr' --latest
        quoin join KO PEP --aggregate 'mean(spread), std(spread)' --by year
        quoin join KO EURUSD --kind as-of --tolerance 3
      """)

  @Argument(help: ArgumentHelp("The ticker that the rows are of.", valueName: "a"))
  var a: String

  @Argument(help: ArgumentHelp("The ticker that is looked up on the days of the other.", valueName: "b"))
  var b: String

  @Option(
    help: ArgumentHelp(
      "Which days: inner, those that both have; left, all of A's, with missing values where B has no row; as-of, all of A's, "
        + "with B's newest row up to each.", valueName: "kind"),
    completion: .list(JoinKind.allCases.map(\.rawValue)))
  var kind = JoinKind.inner.rawValue

  @Option(
    help: ArgumentHelp(
      "With --kind as-of, how old B's row may be, in days of the calendar (default: \(JoinKind.usualTolerance)).",
      valueName: "days"))
  var tolerance: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What is compared: an attribute, or an expression such as 'change(close)'.", valueName: "expr"))
  var on = "close"

  @OptionGroup var options: ScanOptions

  @Option(help: GroupingOption.help, completion: GroupingOption.completion)
  var by: String?

  func run() throws { try options.run(of: subject()) }

  /// The rows of A, with what they have beside them.
  private func subject() throws -> ScanSubject {
    let (a, b) = (try TickerSymbol(self.a), try TickerSymbol(self.b))
    if a == b { throw UsageError("a join needs two tickers, and both are \(a); for one, run 'quoin scan \(a)'") }
    guard let kind = JoinKind(rawValue: kind) else {
      throw UsageError.unknownName(kind, what: "kind", among: JoinKind.allCases.map(\.rawValue))
    }
    let value = try QuoteExpression(parsing: on)
    let other = value.of(b, within: try daysBack(kind))
    var subject = ScanSubject(tickers: [a], groupedBy: by)
    subject.others = [b]
    let columns = [("spread", value - other), ("ratio", value / other), ("\(a)", value), ("\(b)", other)]
    for (name, expression) in columns { subject.question.definitions.add(name, as: expression) }
    subject.question.columns = [(.date, nil)] + (columns[2...] + columns[..<2]).map { (.computed($0.0), $0.1) }
    subject.question.isOfJoin = true
    if kind == .inner { subject.question.joined = b }
    return subject
  }

  /// How many days old B's row may be.
  private func daysBack(_ kind: JoinKind) throws -> Int {
    guard let tolerance else { return kind == .asOf ? JoinKind.usualTolerance : 0 }
    guard 0...Limits.ageDays ~= tolerance else {
      throw UsageError("--tolerance \(tolerance): must be from 0 to \(Limits.ageDays) days")
    }
    guard kind == .asOf else {
      throw UsageError("--tolerance applies to a join as of each day: --kind as-of --tolerance \(tolerance)")
    }
    return tolerance
  }
}

/// Which days a join has.
enum JoinKind: String, CaseIterable {
  case inner, left
  case asOf = "as-of"

  /// How many days old a value may be in a join as of each day, unless the user says it: weekends and holidays are shorter.
  static let usualTolerance = 7
}
