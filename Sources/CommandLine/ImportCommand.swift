import ArgumentParser
import Console
import Quoin

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read files of quotes into the store.",
    discussion: """
      Recognizes Quandl's JSON and CSV, the WIKI bulk file, Yahoo's CSV and similar files, also packed by gzip or zip. All
      files are imported in one commit. Days that the store already has are replaced. Tickers are kept as the files spell
      them, in upper case.

      Examples:
        quoin import data/FDX.json
        quoin import WIKI_PRICES.zip
        quoin import prices.csv --ticker FDX --skip-bad-rows
        quoin import prices.csv --pack small
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

  @Flag(help: "Skip bad rows and list them, instead of importing nothing.")
  var skipBadRows = false

  @Option(help: ArgumentHelp("The origin to record for the rows (default: the file's path).", valueName: "text"))
  var source: String?

  @Option(help: ArgumentHelp("The number of threads (default: one per processor, at most 8).", valueName: "n"))
  var threads: Int?

  @OptionGroup var pack: PackingOptions
  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads \(threads): must be at least 1") }
  }

  func run() throws {
    let options = ImportOptions(
      format: try quoteFormat(), ticker: try ticker.map { try TickerSymbol($0) }, skipsBadRows: skipBadRows,
      source: source, threads: threads ?? ImportOptions.defaultThreads, packing: try pack.packing())
    let store = try store.openOrCreate()
    let (packing, rowCount) = (store.packing, store.summary.rowCount)
    let progress = Progress("importing", in: .rows)
    let summary = try store.importFiles(files, options: options, patience: writing.patience) {
      // With several files, the length of the later ones isn't known yet.
      progress.update($0.rowCount, part: files.count == 1 ? $0.part : nil)
    }
    progress.erase()
    try report(summary.text(store: store.path))
    try store.reportPacking(before: packing, rowCount: rowCount)
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
