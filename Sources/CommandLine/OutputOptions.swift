import ArgumentParser
import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The form and the place of a command's data.
struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "table, csv, tsv, json, ndjson or markdown (default: by the ending of --output; else table on a terminal, "
        + "csv in a pipe)."),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  var format: String?

  @Option(
    help: ArgumentHelp("Write to a file, which appears only when it is whole.", valueName: "file"),
    completion: .file())
  var output: String?

  /// The form to write in.
  func outputFormat() throws -> OutputFormat {
    if let format { return try OutputFormat(argument: format) }
    if let output, output != "-" { return OutputFormat(fileName: output) ?? .csv }
    return isatty(STDOUT_FILENO) == 1 ? .table : .csv
  }

  /// Whether a table's header is bold.
  var isStyled: Bool { output == nil && Terminal.isStyled }

  /// Calls `body` with the output, and finishes it.
  func withOutput(_ body: (Output) throws -> Void) throws {
    let output = try Output(to: output)
    try body(output)
    try output.finish()
  }
}

extension OutputFormat {
  init(argument: String) throws {
    guard let format = OutputFormat(rawValue: argument.lowercased()) else {
      throw UsageError.unknownName(argument, what: "format", among: OutputFormat.allCases.map(\.rawValue))
    }
    self = format
  }

  /// The form that a file's ending says.
  init?(fileName: String) {
    switch fileName.split(separator: ".").last?.lowercased() {
    case "csv": self = .csv
    case "tsv", "tab": self = .tsv
    case "json": self = .json
    case "ndjson", "jsonl": self = .ndjson
    case "md", "markdown": self = .markdown
    default: return nil
    }
  }
}
