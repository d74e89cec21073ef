import ArgumentParser
import Console
import Quoin

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "List quotes that look wrong: each with ticker, day, rule and values.",
    discussion: """
      The rules, each with the rows that break it:
      \(ruleList)

      A price of 0 or less breaks zero-price alone, and a missing cell only rules that say so. A ticker is listed from its first \
      day to its last; missing-day and lone-day need three listed tickers. A jump is a price more than --jump percent above or \
      below the close before. A gap is also more than ten times as long as what lies between most of the ticker's rows; no jump is \
      looked for across it. Adjusted values may follow Quandl's recursion or CRSP's, and be rounded. Tickers are compared with \
      all tickers of the store, days with the days before them.

      For a split that the prices have already, store the ratio 1; until then 'quoin adjust' and --as-of refuse the ticker.

      The summary goes to standard error. Exit status: 0 nothing was found; 1 something was; 2 the store can't be read.

      Examples:
        quoin check
        quoin check AAPL KO --rule jump,adjusted --jump 25
        quoin check --from 2018-01-01 --format json --output findings.json
      """)

  @OptionGroup var tickers: TickerArguments

  @Option(
    name: .customLong("rule"),
    help: ArgumentHelp(
      "Only these rules, with commas between them. May be given several times (default: all).", valueName: "names"),
    completion: .list(AuditRule.allCases.map(\.rawValue)))
  var rules: [String] = []

  @Option(help: ArgumentHelp("Only findings from this day on.", valueName: "yyyy-mm-dd"))
  var from: String?

  @Option(help: ArgumentHelp("Only findings up to and including this day.", valueName: "yyyy-mm-dd"))
  var to: String?

  @Option(help: ArgumentHelp("How far a price may be above or below the close before.", valueName: "percent"))
  var jump = AuditOptions.defaultJump

  @Option(help: ArgumentHelp("List at most so many findings; the summary counts all.", valueName: "rows"))
  var limit: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: ReadingOptions

  private static let rowsPerBatch = 1024
  private static let headings: [ColumnHeading] = [.text("ticker"), .text("date"), .text("rule"), .text("values")]

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit \(limit): must be at least 0") }
    guard jump > 0, jump < .infinity else { throw ValidationError("--jump \(jump): must be above 0") }
  }

  func run() throws {
    let format = try output.outputFormat()
    let store = try store.open()
    let options = try options(in: store)
    try store.requireTickers(options.tickers ?? [])
    var counts = FindingCounts()
    let progress = Progress("checking", in: .rows)
    try output.withOutput { file in
      var writer = RecordWriter(Self.headings, format, styled: output.isStyled, to: file)
      var rows: [[String?]] = []
      counts.rowCount = try store.audit(options, progress: progress.update(_:of:)) { finding in
        counts.count(finding)
        if counts.findingCount <= limit ?? .max { rows.append(finding.cells) }
        guard rows.count == Self.rowsPerBatch else { return }
        try writer.append(rows)
        rows.removeAll(keepingCapacity: true)
      }
      progress.erase()
      try writer.append(rows)
      try writer.finish()
    }
    StandardStreams.complain(counts.text)
    if !counts.isEmpty { throw ExitCode.findings }
  }

  private func options(in store: QuoteStore) throws -> AuditOptions {
    var options = AuditOptions(jump: jump)
    if !rules.isEmpty { options.rules = Set(try rules.flatMap { try AuditRule.list(argument: $0) }) }
    options.tickers = try tickers.symbols()
    (options.from, options.to) = try OptionNames.days(from: from, to: to, in: store)
    return options
  }

  private static var ruleList: String {
    let width = AuditRule.allCases.map(\.rawValue.count).max() ?? 0
    return AuditRule.allCases.map { rule in
      "  \(rule.rawValue)\(String(repeating: " ", count: width - rule.rawValue.count + 2))\(rule.fault)"
    }.joined(separator: "\n")
  }
}

extension AuditRule {
  /// The rules of a list with commas.
  fileprivate static func list(argument: String) throws -> [AuditRule] {
    try argument.split(separator: ",", omittingEmptySubsequences: false).map { name in
      let name = name.lowercased().filter { $0 != " " }
      guard let rule = AuditRule(rawValue: name) else {
        throw UsageError.unknownName(name, what: "rule", among: allCases.map(\.rawValue))
      }
      return rule
    }
  }
}

extension AuditFinding {
  fileprivate var cells: [String?] { ["\(ticker)", "\(day)", rule.rawValue, details] }
}

/// What `quoin check` says at its end.
struct FindingCounts {
  /// Rows that were checked.
  var rowCount = 0
  private(set) var findingCount = 0
  private var rules: [AuditRule: Int] = [:]
  private var tickerCount = 0
  private var lastTicker: TickerSymbol?

  var isEmpty: Bool { findingCount == 0 }

  /// Counts a finding; tickers come one after the other.
  mutating func count(_ finding: AuditFinding) {
    findingCount += 1
    rules[finding.rule, default: 0] += 1
    if lastTicker != finding.ticker { tickerCount += 1 }
    lastTicker = finding.ticker
  }

  /// `4 findings of 2 tickers in 31,223 rows: 3 jump, 1 zero-volume`
  var text: String {
    let rows = rowCount.of("row")
    if isEmpty { return "no findings in \(rows)" }
    let parts = rules.sorted { $0.key < $1.key }.map { "\($0.value.grouped) \($0.key.rawValue)" }
    return "\(findingCount.of("finding")) of \(tickerCount.of("ticker")) in \(rows): \(parts.joined(separator: ", "))"
  }
}
