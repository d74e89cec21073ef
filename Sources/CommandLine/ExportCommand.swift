import ArgumentParser
import Console
import Quoin

struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write quotes as files that 'quoin import' and other programs read.",
    discussion: """
      Examples:
        quoin export --output wiki.csv
        quoin export FDX BA --from 2005-01-01 > some.csv
        quoin export FDX --format json --output FDX.json
        quoin export --format json --output datasets/

      csv is Quandl's WIKI bulk form, oldest first; ndjson has an object a line with the same names; json is Quandl's
      dataset form, newest first, a file for each ticker. Importing what was exported gives an equal store.
      """)

  @OptionGroup var selection: RowSelection

  @Option(
    help: "csv, json or ndjson (default: by the ending of --output, else csv).",
    completion: .list(ExportFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Write to a file, which appears only when it is whole; or, with json, to a directory.", valueName: "path"),
    completion: .file())
  var output: String?

  @OptionGroup var store: StoreOptions

  func run() throws {
    let format = try exportFormat()
    let (query, store) = try selection.query(in: store)
    switch format {
    case .csv: try write(query, .csv)
    case .ndjson: try write(query, .ndjson)
    case .json:
      let tickers = try selection.symbols() ?? store.tickers
      try DatasetExport(store: store, tickers: tickers, predicate: try selection.predicate()).write(to: output)
    }
  }

  private func exportFormat() throws -> ExportFormat {
    guard let format else { return output.flatMap(ExportFormat.init(fileName:)) ?? .csv }
    guard let known = ExportFormat(rawValue: format.lowercased()) else {
      throw UsageError.unknownName(format, what: "export format", among: ExportFormat.allCases.map(\.rawValue))
    }
    return known
  }

  private func write(_ query: QuoteQuery, _ format: OutputFormat) throws {
    let file = try Output(to: output)
    // On a terminal, the rows themselves show how far it is.
    let progress = file.isTerminal ? nil : Progress("exporting", in: .rows)
    let formatter = QuoteFormatter(format) { try file.write($0) }
    var count = 0
    for batch in query.batches() {
      let batch = try batch.get()
      try formatter.append(batch)
      count += batch.rowCount
      progress?.update(count)
    }
    try formatter.finish()
    try file.finish()
  }
}

/// The forms that `quoin import` reads again.
enum ExportFormat: String, CaseIterable {
  case csv, json, ndjson

  /// The form that a file's ending says.
  init?(fileName: String) {
    guard let format = OutputFormat(fileName: fileName) else { return nil }
    self.init(rawValue: format.rawValue)
  }
}
