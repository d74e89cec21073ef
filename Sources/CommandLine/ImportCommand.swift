import ArgumentParser
import Console
import Quoin

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read files of quotes into the store.",
    discussion: """
      Recognizes Quandl's JSON and CSV, the WIKI bulk file, Yahoo's CSV and similar files, also packed by gzip or zip. All
      files are imported in one commit, or none. A file changes only the columns that it has: the store's other values of
      those days stay. An empty cell means that the value is missing. Tickers are kept as the files spell them, in upper
      case. The same day twice with different values is an error, in one file or in two.

      Examples:
        quoin import data/FDX.json
        quoin import WIKI_PRICES.zip
        quoin import prices.csv --dry-run
        quoin import prices.csv --ticker FDX --skip-bad-rows
        curl -s https://example.com/FDX.csv.gz | quoin import - --ticker FDX
      """)

  @Argument(
    help: ArgumentHelp("The files to read, in order; - is standard input.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    help: "csv, json or ndjson (default: recognized from the contents).",
    completion: .list(QuoteFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(help: ArgumentHelp("The ticker of all rows, for files whose rows don't name it.", valueName: "symbol"))
  var ticker: String?

  @Flag(help: "Replace whole rows: what a file lacks becomes missing on the days that it has.")
  var replace = false

  @Flag(help: "Leave the rows that the store has as they are, and add only new days.")
  var keep = false

  @Flag(help: "Of two rows of the same ticker and day, let the later one count, instead of importing nothing.")
  var lastWins = false

  @Flag(help: "Say what would happen, and how the files are read, and write nothing.")
  var dryRun = false

  @Flag(help: "List every file, even if there are more than 20.")
  var verbose = false

  @Flag(help: "Skip bad rows and list them, instead of importing nothing.")
  var skipBadRows = false

  @Option(help: ArgumentHelp("The origin to record for the rows (default: the file's path).", valueName: "text"))
  var source: String?

  @Option(help: ArgumentHelp("The number of threads (default: one per processor, at most 8).", valueName: "n"))
  var threads: Int?

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads \(threads): must be at least 1") }
    if replace, keep { throw ValidationError("--replace and --keep contradict each other; choose one") }
  }

  func run() throws {
    let options = ImportOptions(
      format: try quoteFormat(), ticker: try ticker.map { try TickerSymbol($0) },
      mode: replace ? .replace : keep ? .keep : .update, lastRowWins: lastWins, skipsBadRows: skipBadRows,
      source: source,
      threads: threads ?? ImportOptions.defaultThreads)
    let store = try store.openOrCreate()
    let progress = Progress("importing", in: .rows)
    let isNew = store.generation == 0
    System.sayOnSignal("interrupted; nothing was changed")
    let update = { (step: ImportProgress) in
      if step.isComplete, !dryRun { System.sayOnSignal(nil) }
      // With several files, the length of the later ones isn't known yet.
      progress.update(step.rowCount, part: files.count == 1 ? step.part : nil)
    }
    let summary =
      dryRun
      ? try store.previewImport(of: files, options: options, progress: update)
      : try store.importFiles(files, options: options, patience: writing.patience, progress: update)
    progress.erase()
    try report(
      summary.text(store: "\(isNew ? "the new store " : "")'\(store.path)'", isDryRun: dryRun, listsAllFiles: verbose))
  }

  private func quoteFormat() throws -> QuoteFormat? {
    guard let format else { return nil }
    guard let known = QuoteFormat(rawValue: format.lowercased()) else {
      throw UsageError.unknownName(format, what: "import format", among: QuoteFormat.allCases.map(\.rawValue))
    }
    return known
  }
}

extension ImportProgress {
  fileprivate var part: Double? {
    totalByteCount.flatMap { $0 > 0 ? Double(byteCount) / Double($0) : nil }
  }
}
