import ArgumentParser
import Console
import Quoin

struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Find the quotes that meet a condition.",
    discussion: """
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

      Functions of a row: + - * / ^ \(words(LanguageWords.row)).
      Functions of its date: \(words(LanguageWords.date)), as in year(date).
      Functions of earlier rows: \(words(LanguageWords.earlierRows)), as in prev(close); \(words(LanguageWords.windows)), as in \
      mean(close, 20); \(words(LanguageWords.indicators)), as in rsi(close, 14).
      Functions of conditions: \(words(LanguageWords.conditions)), as in every(close > open, 3).
      Functions of the same day: \(words(LanguageWords.sameDay)) and aggregates, as in rank(close desc by day) and mean(close by day \
      among volume > 0).
      Functions of another ticker: close of SPY on the same day, and close of SPY within 5 days from its newest row up to then.

      Attributes: date, \(Attribute.allCases.map(\.wikiName).joined(separator: ", ")).
      """)

  private static func words(_ words: [String]) -> String { words.joined(separator: " ") }

  @OptionGroup var tickers: TickerArguments
  @OptionGroup var options: ScanOptions

  @Option(help: GroupingOption.help, completion: GroupingOption.completion)
  var by: String?

  func run() throws {
    try options.run(of: ScanSubject(tickers: tickers.symbols()), groupedBy: GroupingOption(name: "--by", words: by))
  }
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
    help: ArgumentHelp(
      "The columns to print, in this order, such as 'date, high, mean(close, 20) as ma' (default: all).",
      valueName: "names")
  )
  var columns: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Each ticker's rows by rising (asc) or falling (desc) date; or all rows, or groups, by an expression, such as "
        + "'volume desc' (default: asc).",
      valueName: "expr"))
  var order: String?

  @Option(help: ArgumentHelp("Stop after this many rows, or groups.", valueName: "rows"))
  var limit: Int?

  @Option(help: ArgumentHelp("Leave out so many rows, or groups, before the first one.", valueName: "rows"))
  var offset = 0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only the first rows of each day among those that --where selects, such as '3 by change(close) per day', largest "
        + "first, or '3 by close asc per day'.",
      valueName: "n by expr per day"))
  var top: String?

  @Flag(help: "Print only the last row of each ticker.")
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
    if latest, count || stats || aggregates.aggregate != nil || explain {
      throw ValidationError("--latest is of rows; --count, --stats, --aggregate and --explain exclude it")
    }
    if stats, limit != nil || offset != 0 {
      throw ValidationError("--stats is of all rows that --where selects; leave --limit and --offset out")
    }
    if aggregates.aggregate != nil, columns != nil {
      throw ValidationError("--aggregate names its columns itself; leave --columns out")
    }
    if let threads, threads < 1 { throw ValidationError("--threads \(threads): must be at least 1") }
    if let limit, limit < 0 { throw ValidationError("--limit \(limit): must be at least 0") }
    if offset < 0 { throw ValidationError("--offset \(offset): must be at least 0") }
  }

  /// Prints what is asked for.
  ///
  /// - Parameter option: which groups are aggregated.
  func run(of subject: ScanSubject, groupedBy option: GroupingOption) throws {
    // A view has only the tickers that are asked for, and then those whose values the question takes too.
    var subject = subject
    while true {
      do { return try scan(subject, option) } catch StoreError.unknownTicker(let ticker) {
        // Says which one was probably meant.
        try store.open().requireTickers([ticker])
        if subject.others.contains(ticker) { throw StoreError.unknownTicker(ticker) }
        subject.others.append(ticker)
      }
    }
  }

  private func scan(_ subject: ScanSubject, _ option: GroupingOption) throws {
    let names = try conditions.names(after: subject.names)
    let listed = try self.columns.map { try QuoteFormatter.Column.list($0, names) } ?? subject.columns
    let columns = listed.map(\.column)
    let format = try output.outputFormat()
    let layout = try table.layout(format, output)
    let spark = try table.spark.map { try Sparkline($0, names) }
    if spark != nil, count || stats || aggregates.aggregate != nil || explain {
      throw UsageError("--spark is of rows; --count, --stats, --aggregate and --explain have none")
    }
    let rows = RowTable(columns: columns, format: format, layout: layout, spark: spark)
    let (groups, grouping) = (try aggregates.question(orderedBy: order, by: option, names), try option.grouping())
    let order =
      groups == nil ? try order.map { try RowOrder(parsing: $0, names) } ?? .date(.ascending) : .date(.ascending)
    if stats, columns.compactMap(\.attribute).isEmpty || listed.contains(where: { $0.expression != nil }) {
      throw UsageError("--stats needs columns of stored numbers, such as --columns close")
    }
    let day = try asOf.map { try TradingDay(argument: $0, of: "--as-of") }
    if trustSplits, day == nil { throw UsageError("--trust-splits goes with --as-of, which adjusts for splits") }
    let top = try top.map { try TopRows(parsing: $0, names) }
    let parts = [subject.condition, try conditions.predicate(names)].compactMap(\.self)
    let store = try self.store.open()
    try store.requireTickers((subject.tickers ?? []) + subject.others)
    let tickers = subject.tickers.map { $0 + subject.others }
    let shown = try subject.resample(day.map { try store.asOf($0, tickers, threads, trustSplits) } ?? store, tickers)
    var query = shown.quotes(of: subject.tickers, where: parts.isEmpty ? nil : .all(parts)).offset(by: offset)
    if let top { query = query.top(top) }
    if case .date(let order) = order { query = query.ordered(order) }
    if let limit { query = query.limited(to: limit) }
    if let threads { query = query.threads(threads) }
    query = query.selecting(AttributeSet(columns.compactMap(\.attribute)))
    for case (let column, let expression?) in listed { query = query.computing(column.name, expression) }
    if let spark { query = spark.asked(of: query) }
    let rowCount =
      if count {
        try writeCount(of: query)
      } else if stats {
        try writeStatistics(of: query, columns, format, layout)
      } else if let groups {
        try write(groups, by: grouping, of: query, format, layout)
      } else if explain {
        try writeReport(of: query)
      } else if latest {
        try write([latest(of: query, order)], rows)
      } else if case .values(let expression, let order) = order {
        try write([query.sorted(by: expression, order)], rows)
      } else {
        try writeRows(of: query, rows)
      }
    if exitStatus, rowCount == 0 { throw ExitCode.noRows }
  }
}

extension QuoteStore {
  /// The store as it was on a day.
  fileprivate func asOf(
    _ day: TradingDay, _ tickers: [TickerSymbol]?, _ threads: Int?, _ trustsSplits: Bool
  ) throws -> QuoteStore {
    let progress = Progress("adjusting", in: .rows)
    defer { progress.erase() }
    return try asOf(day, tickers: tickers, threads: threads, trustingSplits: trustsSplits) {
      progress.update($0, of: $1)
    }
  }
}

extension QuoteFormatter.Column {
  /// The columns of a list with commas, with the expressions of those that are computed.
  static func list(_ text: String, _ definitions: Definitions) throws -> [Listed] {
    do throws(ListError) { return try list(parsing: text, definitions) } catch {
      switch error {
      case .syntax(let error): throw error
      case .unknown(let name): throw UsageError.unknownName(name, what: "column", among: all.map(\.name))
      case .repeated(let name, let expression):
        throw UsageError("--columns: \(ListError.repetition(of: name, expression))")
      }
    }
  }
}
