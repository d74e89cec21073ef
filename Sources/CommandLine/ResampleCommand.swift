import ArgumentParser
import Console
import Quoin

struct ResampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resample",
    abstract: "Make bars of weeks, months or longer, and find those that meet a condition.",
    usage: "quoin resample [<options>] --by <period> [<ticker> ...]",
    discussion: """
      A bar is one row for a ticker's rows in a period: the first open, the highest high, the lowest low, the last close, the sums \
      of volumes and dividends, the product of split ratios, where 0 counts as 1: no split. Adjusted columns are aggregated \
      in the same way. Missing cells take no part. All of 'quoin scan' can be asked of bars: a window has bars, 'prev' is the bar before, and --from and --to \
      are days of bars.

      Examples:
        quoin resample FDX --by week
        quoin resample FDX --by week --where 'close > mean(close, 10)' --columns 'date, close'
        quoin resample --by month --where 'change(close) > 20%' --columns 'ticker, date, change(close) as r' --order 'r desc'
        quoin resample KO --by month --aggregate 'mean(change(close)), std(change(close))' --group-by year
      """)

  @Option(
    help: ArgumentHelp("How long bars are: week, month, quarter, half-year or year.", valueName: "period"),
    completion: .list(CalendarPeriod.barLengths))
  var by: [String]

  @Option(
    help: ArgumentHelp(
      "A bar's day: last-row, the ticker's last one in the period, or period-end, the last one in the calendar, as Quandl has it: "
        + "a week ends on Sunday.",
      valueName: "day"),
    completion: .list(BarLabel.allCases.map(\.rawValue)))
  var label = BarLabel.lastRow.rawValue

  @OptionGroup var tickers: TickerArguments
  @OptionGroup var options: ScanOptions

  @Option(help: GroupingOption.help, completion: GroupingOption.completion)
  var groupBy: String?

  func validate() throws {
    // The last one would count, and a key of groups would be taken for the length of bars.
    guard by.count == 1 else {
      throw ValidationError(
        "--by \(by[0]) and --by \(by[1]): bars have one length; the keys of groups follow --group-by")
    }
  }

  func run() throws {
    var subject = ScanSubject(tickers: try tickers.symbols(), groupedBy: groupBy)
    subject.texts.add(.resample, by[0])
    subject.texts.add(.barLabel, label)
    subject.names = OptionNames([.resample: "--by", .barLabel: "--label", .by: "--group-by"])
    try options.run(of: subject)
  }
}
