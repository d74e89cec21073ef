import ArgumentParser
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The format and the destination of a command's data.
package struct OutputOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "\(OutputFormat.allNames) (default: by the extension of --output; otherwise table on a terminal and csv in a "
        + "pipe)."),
    completion: .list(OutputFormat.allCases.map(\.rawValue)))
  package var format: String?

  @Option(
    help: ArgumentHelp("Write to a file, which appears only when it is complete.", valueName: "file"),
    completion: .file())
  package var output: String?

  package init() {}

  /// The format to write in.
  package func outputFormat() throws -> OutputFormat {
    if let format { return try OutputFormat(argument: format) }
    if let output, output != "-" { return OutputFormat(fileName: output) ?? .csv }
    return isatty(STDOUT_FILENO) == 1 ? .table : .csv
  }

  /// Whether a table's header is bold.
  package var isStyled: Bool { output == nil && Terminal.isStyled }

  /// Calls `body` with the output, and finishes it.
  ///
  /// - Parameter paged: whether a pager shows it on a terminal that is too small for it.
  package func withOutput(paged: Bool = false, _ body: (Output) throws -> Void) throws {
    let output = try Output(to: output, paged: paged)
    try body(output)
    try output.finish()
  }
}

extension OutputFormat {
  /// `csv, tsv, json, ndjson, markdown or table`
  fileprivate static var allNames: String {
    let names = allCases.map(\.rawValue)
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }

  package init(argument: String) throws {
    guard let format = OutputFormat(rawValue: argument.lowercased()) else {
      throw UsageError.unknownName(argument, what: "format", among: OutputFormat.allCases.map(\.rawValue))
    }
    self = format
  }
}
