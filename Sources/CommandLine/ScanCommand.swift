import ArgumentParser
import Console
import Quoin

struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Find the quotes that meet a condition.",
    discussion: Program.help(
      """
      Examples:
        quoin scan FDX --where 'high > 80 and high < 83' --columns date,high,low
        quoin scan --where '70 <= adj_low <= 75 or volume is missing' --limit 20
        quoin scan AAPL MSFT --from 2015-01-01 --stats
        quoin scan --where '80 < close < 81' --count
        quoin scan --where 'close > open and change(close) > 5%' --columns 'ticker, date, change(close) as r'
        quoin scan FDX --let 'ma = mean(close, 200)' --where 'crosses(close, ma)' --columns 'date, close, ma'
        quoin scan --top '3 by change(close) per day' --from 2018-01-01 --columns 'ticker, date, change(close) as r'
        quoin scan AAPL --as-of 2010-06-01 --columns date,close,adj_close
        quoin scan KO --aggregate 'first(open), max(high), min(low), last(close), sum(volume)' --by month

      Conditions compare attributes, numbers and what is computed from them: < <= > >= = !=, 'between 80 and 83' (includes both \
      ends), 'in [80, 83)' (includes the first), 'in (80, 83)' (one of these) and 'is missing'. Join them with and, or, not and \
      parentheses. A ticker is compared as in ticker in ('FDX', 'KO') or ticker like 'F%'.

      Functions of a row: + - * / ^ \(words(.row)).
      Functions of its date: \(words(.date)), as in year(date).
      Functions of earlier rows: \(words(.earlierRows)), as in prev(close); \(words(.window)), as in \
      mean(close, 20); \(words(.indicator)), as in rsi(close, 14).
      Functions of conditions: \(words(.condition)), as in every(close > open, 3).
      Functions of the same day: \(words(.sameDay)) and aggregates, as in rank(close desc by day) and mean(close by day \
      among volume > 0).
      Functions of another ticker: close of SPY on the same day, and close of SPY within 5 days from its newest row up to then.

      Attributes: date, \(Attribute.allCases.map(\.wikiName).joined(separator: ", ")).
      """))

  private static func words(_ kind: LanguageEntry.Kind) -> String {
    LanguageWords.words(kind).joined(separator: " ")
  }

  @OptionGroup var tickers: TickerArguments
  @OptionGroup var options: ScanOptions

  @Option(help: GroupingOption.help, completion: GroupingOption.completion)
  var by: String?

  func run() throws { try options.run(of: ScanSubject(tickers: tickers.symbols(), groupedBy: by)) }
}

/// The options of `scan`, `resample` and `join`: which rows, and what is printed of them.
struct ScanOptions: ParsableArguments {
  @OptionGroup var conditions: RowConditions

  @Option(
    help: ArgumentHelp(
      "The quotes as they were on this day: no later rows, and prices and volumes adjusted for the dividends and splits up to "
        + "it. What looks ahead ('next') is refused.",
      valueName: "yyyy-mm-dd"))
  var asOf: String?

  @Flag(help: "With --as-of, count a split although the price doesn't move by it.")
  var trustSplits = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The columns to print, in this order, such as 'date, high, mean(close, 20) as ma' (default: all).",
      valueName: "names")
  )
  var columns: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Each ticker's rows by rising (asc) or falling (desc) date; or all rows, or groups, by date, ticker, keys of groups, "
        + "names of columns or expressions, such as 'date desc, volume desc' (default: asc).",
      valueName: "keys"))
  var order: String?

  @Option(help: ArgumentHelp("Stop after this many rows, or groups.", valueName: "rows"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out so many rows, or groups, before the first one.", valueName: "rows"))
  var offset = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only the first rows of each group among those that --where selects, group by group, such as '3 by change(close) per day' "
        + "or '3 by close asc per ticker, year', largest first, or with asc smallest first.",
      valueName: "n by expr per keys"))
  var top: String?

  @Flag(
    help: ArgumentHelp(
      "Only the last row of each ticker, between --from and --to; --where is asked of these rows alone. For the last row for "
        + "which a condition holds: --top '1 by date per ticker'."))
  var latest = false

  @Flag(help: "Print only the number of rows.")
  var count = false

  @Flag(help: "Print the count, extremes, sum and mean of each column instead of rows.")
  var stats = false

  @OptionGroup var aggregates: AggregateOptions

  @Flag(help: "Print how the rows were found instead of rows.")
  var explain = false

  @Option(
    help: ArgumentHelp("Use at most this many threads (default: one per processor, at most 8).", valueName: "count"))
  var threads: Int?

  @Flag(help: "Exit with status 1 when there are no rows.")
  var exitStatus = false

  @OptionGroup var table: TableOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var store: ReadingOptions

  func validate() throws {
    if [count, stats, aggregates.aggregate != nil, explain].count(where: { $0 }) > 1 {
      throw ValidationError("--count, --stats, --aggregate and --explain exclude each other")
    }
    if stats, limit != nil || offset != 0 {
      throw ValidationError("--stats applies to all rows that --where selects; leave --limit and --offset out")
    }
    if table.spark != nil, count || stats || aggregates.aggregate != nil || explain {
      throw ValidationError(
        "--spark applies to rows, so it can't be combined with --count, --stats, --aggregate or --explain")
    }
  }

  /// Prints what is asked for.
  func run(of subject: ScanSubject) throws {
    let question = try question(of: subject)
    let rows = try table(for: question)
    let store = try self.store.open()
    try store.requireTickers((question.tickers ?? []) + subject.others)
    let progress = ViewProgress()
    let rowCount = try store.naming {
      try store.viewing(question, progress: progress.update) { view in
        progress.erase()
        return try answer(question, view.query(question).columns(question.listedColumns), rows)
      }
    }
    question.showRemarks(on: store, subject.names)
    if exitStatus, rowCount == 0 { throw ExitCode.noRows }
  }

  private func question(of subject: ScanSubject) throws -> QuoteQuestion {
    var texts = conditions.texts + subject.texts
    texts.add(.asOf, asOf)
    texts.add(.trustSplits, trustSplits ? "true" : nil)
    texts.add(.columns, columns)
    texts.add(.top, top)
    texts.add(.latest, latest ? "true" : nil)
    texts.add(.aggregates, aggregates.aggregate)
    texts.add(.having, aggregates.having)
    texts.add(.pivot, aggregates.pivot ? "true" : nil)
    texts.add(.order, order)
    texts.add(.limit, limit.map { "\($0)" })
    texts.add(.offset, offset == 0 ? nil : "\(offset)")
    texts.add(.threads, threads.map { "\($0)" })
    let question = try subject.names.question(texts, after: subject.question)
    question.showNotes()
    return question
  }

  /// How rows of a question are written.
  private func table(for question: QuoteQuestion) throws -> RowTable {
    let listed = question.listedColumns
    if stats, listed.allSatisfy({ $0.column.attribute == nil }) || listed.contains(where: { $0.expression != nil }) {
      throw UsageError("--stats needs columns of stored numbers, such as --columns close")
    }
    let format = try output.outputFormat()
    return RowTable(
      columns: listed.map(\.column), format: format, layout: try table.layout(format, output),
      spark: try table.spark.map { try Sparkline($0, question.definitions) })
  }

  /// Prints the answer, and returns the number of its rows.
  private func answer(_ question: QuoteQuestion, _ query: QuoteQuery, _ rows: RowTable) throws -> Int {
    if count { return try writeCount(of: query) }
    if stats { return try writeStatistics(of: query, rows) }
    if let groups = question.groups { return try write(groups, by: question.grouping, of: query, rows) }
    let query = rows.spark?.asked(of: query) ?? query
    if explain { return try writeReport(of: query) }
    switch question.order {
    case .keys(let keys): return try write(query.sorted(by: keys), rows)
    case .date: return try writeRows(of: query, rows)
    }
  }
}

/// The progress of views, which are made before the first row is printed.
private final class ViewProgress {
  private var shown: (step: ViewStep, progress: Progress)?

  func update(_ step: ViewStep, _ count: Int, _ total: Int) {
    if shown?.step != step { shown = (step, Progress(step.rawValue, in: .rows)) }
    shown?.progress.update(count, of: total)
  }

  func erase() { shown = nil }
}
