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

      csv is the format of Quandl's WIKI bulk files, oldest rows first. ndjson has the same columns, one object per line. \
      json is the format of Quandl's datasets, newest rows first, with a file for each ticker. Importing an export \
      reproduces the store exactly.
      """)

  @OptionGroup var selection: RowSelection

  @Option(
    help: "csv, json or ndjson (default: by the extension of --output, otherwise csv).",
    completion: .list(ExportFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Write to a file, which appears only when it is complete, or (json) to a directory.", valueName: "path"),
    completion: .file())
  var output: String?

  @OptionGroup var store: ReadingOptions

  func run() throws {
    let format = try exportFormat()
    // Errors in the arguments come before errors in the data.
    let rows = try selection.question()
    let store = try store.open()
    try store.requireTickers(rows.tickers ?? [])
    switch format {
    case .csv: try write(store.query(rows), .csv)
    case .ndjson: try write(store.query(rows), .ndjson)
    case .json:
      let tickers = rows.tickers ?? store.tickers
      try DatasetExport(store: store, tickers: tickers, predicate: rows.predicate).write(to: output)
    }
    rows.showRemarks(on: store)
  }

  private func exportFormat() throws -> ExportFormat {
    guard let format else {
      guard let output else { return .csv }
      let known = ExportFormat.allCases.map(\.rawValue)
      return try FileExtension.format(of: output, usual: .csv, among: known) { ExportFormat(fileName: $0) }
    }
    guard let known = ExportFormat(rawValue: format.lowercased()) else {
      throw UsageError.unknownName(format, what: "export format", among: ExportFormat.allCases.map(\.rawValue))
    }
    return known
  }

  private func write(_ query: QuoteQuery, _ format: OutputFormat) throws {
    let file = try Output(to: output)
    // On a terminal, the rows themselves show the progress.
    let progress = file.isTerminal ? nil : Progress("exporting", in: .rows)
    let formatter = QuoteFormatter(format) { try file.write($0) }
    var count = 0
    try query.forEachBatch { batch in
      try formatter.append(batch)
      count += batch.rowCount
      progress?.update(count)
    }
    try formatter.finish()
    try file.finish()
  }
}

/// The formats that `quoin import` can read.
enum ExportFormat: String, CaseIterable {
  case csv, json, ndjson

  /// The format of a file with this name, by its extension.
  init?(fileName: String) {
    guard let format = OutputFormat(fileName: fileName) else { return nil }
    self.init(rawValue: format.rawValue)
  }
}
