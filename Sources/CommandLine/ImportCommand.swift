import ArgumentParser
import Console
import Quoin

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read files of quotes into the store.",
    discussion: """
      Recognizes Quandl's JSON and CSV, the WIKI bulk file, Yahoo's CSV and similar files, also packed by gzip or zip. All \
      files are imported in one commit, or none. A file changes only the columns that it has: the store's other values of \
      those days stay. An empty cell means that the value is missing. Tickers are kept as the files spell them, in upper \
      case. The same day twice with different values is an error, in one file or in two.

      A directory stands for the files in it and below that end in .csv, .tsv, .txt, .json, .ndjson or .jsonl, packed or not. \
      Empty files are skipped. Columns are known by the names that Quandl, Yahoo, yfinance, Alpha Vantage, Tiingo and Stooq \
      give them; --map says what others hold. Days are read as 2018-01-02, 20180102, 2018/01/02 or 2-Jan-18, each also with a \
      time; 1/2/2018 if only one order makes sense in the whole file.

      Examples:
        quoin import data/FDX.json
        quoin import WIKI_PRICES.zip
        quoin import prices.csv --dry-run
        quoin import prices.csv --explain
        quoin import prices.csv --ticker FDX --skip-bad-rows
        quoin import stooq/ --skip-bad-files
        quoin import prices.csv --map Last=close --map Isin=ticker
        quoin import KO.csv --no-header --columns date,open,high,low,close
        quoin import KO.csv --date-format %d.%m.%Y
        quoin import years/*.csv --ticker-from '{ticker}-{year}'
        find . -name '*.csv' | quoin import --files-from -
        quoin import prices.csv --pack small
        curl -s https://example.com/FDX.csv.gz | quoin import - --ticker FDX
      """)

  @Argument(
    help: ArgumentHelp("The files and directories to read, in order; - is standard input.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    help: ArgumentHelp("Read also the files that this file lists, one a line; - is standard input.", valueName: "file"),
    completion: .file())
  var filesFrom: String?

  @Option(
    help: "csv, json or ndjson (default: recognized from the contents).",
    completion: .list(QuoteFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(help: ArgumentHelp("The ticker of all rows, for files whose rows don't name it.", valueName: "symbol"))
  var ticker: String?

  @Option(
    help: ArgumentHelp(
      "Where the ticker is in the files' names, such as '{ticker}-{year}'; * stands for anything.", valueName: "form"))
  var tickerFrom: String?

  @Option(
    help: ArgumentHelp(
      "What a column holds: an attribute, ticker, date or ignore; may be repeated.", valueName: "column=what"))
  var map: [String] = []

  @Flag(help: "The CSV files begin with rows, whose columns --columns names.")
  var noHeader = false

  @Option(help: ArgumentHelp("The names of the columns of files without a header.", valueName: "a,b,c"))
  var columns: String?

  @Option(help: ArgumentHelp("How days are written, such as %m/%d/%Y.", valueName: "format"))
  var dateFormat: String?

  @OptionGroup var form: TextFormOptions
  @OptionGroup var stored: ModeOptions

  @Flag(help: "Of two rows of the same ticker and day, let the later one count, instead of importing nothing.")
  var lastWins = false

  @Flag(help: "Say what would happen, and how the files are read, and write nothing.")
  var dryRun = false

  @Flag(help: "Say what each file is taken for, and why, and write nothing.")
  var explain = false

  @Flag(help: "With --explain, write JSON.")
  var json = false

  @Flag(help: "List every file, even if there are more than 20.")
  var verbose = false

  @Flag(help: "Skip bad rows and list them, instead of importing nothing.")
  var skipBadRows = false

  @Flag(help: "Skip files that can't be read or have bad rows, and list them, instead of importing nothing.")
  var skipBadFiles = false

  @Option(help: ArgumentHelp("The origin to record for the rows (default: the file's path).", valueName: "text"))
  var source: String?

  @Option(help: ArgumentHelp("The number of threads (default: one per processor, at most 8).", valueName: "n"))
  var threads: Int?

  @OptionGroup var pack: PackingOptions
  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads \(threads): must be at least 1") }
    if noHeader != (columns != nil) {
      throw ValidationError("--no-header and --columns belong together: --no-header --columns date,open,high,low,close")
    }
    if json, !explain { throw ValidationError("--json applies to --explain: add --explain") }
    if explain, dryRun { throw ValidationError("--explain and --dry-run exclude each other") }
    if files.isEmpty, filesFrom == nil { throw ValidationError("name a file or a directory to read") }
    if skipBadFiles, files.withRest.contains("-") {
      throw ValidationError("--skip-bad-files reads each file twice, which standard input can't be; import it without")
    }
  }

  private func options() throws -> ImportOptions {
    var options = ImportOptions(
      mode: stored.mode, lastRowWins: lastWins, skipsBadRows: skipBadRows, source: source,
      threads: threads ?? ImportOptions.defaultThreads, packing: try pack.packing())
    options.ticker = try ticker.map { try TickerSymbol($0) }
    try options.take(format, .format)
    try options.take(columns, .columns)
    for text in map { try options.take(text, .map) }
    options.skipsBadFiles = skipBadFiles
    try options.take(dateFormat, .dateFormat)
    try form.apply(to: &options)
    try options.take(tickerFrom, .tickerFrom)
    return options
  }

  func run() throws {
    let options = try options()
    let files = files.withRest + (try filesFrom.map(FileList.lines) ?? [])
    if explain { return try explain(files, options) }
    let store = try store.openOrCreate()
    let (packing, rowCount) = (store.packing, store.summary.rowCount)
    let progress = Progress("importing", in: .rows)
    let isNew = store.generation == 0
    System.sayOnSignal("interrupted; nothing was changed")
    let update = { (step: ImportProgress) in
      if step.isComplete, !dryRun { System.sayOnSignal(nil) }
      progress.update(step.rowCount, part: step.part, places: step.files)
    }
    let summary =
      dryRun
      ? try store.previewImport(of: files, options: options, progress: update)
      : try store.importFiles(files, options: options, patience: writing.patience, progress: update)
    progress.erase()
    let text = summary.text(
      store: "\(isNew ? "the new store " : "")'\(store.path)'", isDryRun: dryRun, listsAllFiles: verbose)
    if dryRun { return try report(text) }
    try reportChange("the import into '\(store.path)'") {
      try report(text)
      try store.reportPacking(before: packing, rowCount: rowCount)
    }
  }
}

extension ImportProgress {
  /// The part of all files that is read; nil if the length of the only one isn't known. Files count as equally long.
  var part: Double? {
    let part = totalByteCount.flatMap { $0 > 0 ? Double(byteCount) / Double($0) : nil }
    return fileCount == 1 ? part : (Double(finishedFileCount) + (part ?? 0)) / Double(fileCount)
  }

  var files: String? {
    fileCount == 1 ? nil : "\(finishedFileCount.grouped) of \(fileCount.of("file"))"
  }
}
