import ArgumentParser
import Console
import Quoin

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read files of quotes into the store.",
    discussion: """
      Recognizes Quandl's JSON and CSV forms, the WIKI bulk file, Yahoo's and the like, plain or packed as gzip or zip. All
      files are one commit. A day that the store already has is replaced.

      Examples:
        quoin import data/FDX.json
        quoin import WIKI_PRICES.zip
        quoin import prices.csv --ticker FDX --skip-bad-rows
        curl -s https://example.com/FDX.csv.gz | quoin import - --ticker FDX
      """)

  @Argument(help: ArgumentHelp("Files to read, in order; - is standard input.", valueName: "file"), completion: .file())
  var files: [String]

  @Option(
    help: "csv, json or ndjson, if it is not to be recognized.",
    completion: .list(QuoteFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(help: ArgumentHelp("Whose quotes these are, where the file doesn't say in each row.", valueName: "symbol"))
  var ticker: String?

  @Flag(help: "Leave bad rows out and name them, instead of importing nothing.")
  var skipBadRows = false

  @Option(help: ArgumentHelp("Where they came from, for the record (default: the file's path).", valueName: "text"))
  var source: String?

  @Option(help: ArgumentHelp("How many threads work at it (default: as many as there are processors).", valueName: "n"))
  var threads: Int?

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if let threads, threads < 1 { throw ValidationError("--threads \(threads): write a number of threads from 1 on") }
  }

  func run() throws {
    let options = ImportOptions(
      format: try quoteFormat(), ticker: try ticker.map { try TickerSymbol($0) }, skipsBadRows: skipBadRows,
      source: source, threads: threads ?? ImportOptions.defaultThreads)
    let store = try store.openOrCreate()
    let progress = Progress("importing", in: .rows)
    let summary = try store.importFiles(files, options: options, patience: writing.patience) {
      // Of several files nobody knows yet how long the later ones are.
      progress.update($0.rowCount, part: files.count == 1 ? $0.part : nil)
    }
    progress.erase()
    try report(summary.text(store: store.path))
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
