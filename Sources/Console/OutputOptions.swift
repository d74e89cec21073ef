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
    let isTerminal = isatty(STDOUT_FILENO) == 1
    if let format {
      let format = try OutputFormat(argument: format)
      guard format.isText || output != nil || !isTerminal else {
        throw UsageError(
          "--format \(format.rawValue): a terminal can't show its bytes; write them with --output rows.\(format.rawValue), "
            + "or into a pipe")
      }
      return format
    }
    if let output, output != "-" { return try OutputFormat(path: output) }
    return isTerminal ? .table : .csv
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

/// The names of files that are written.
package enum FileExtension {
  /// The format that a name says, as `named` has it; `usual` for a name that says none.
  package static func format<Format>(
    of path: String, usual: Format, among known: [String], _ named: (String) -> Format?
  ) throws(UsageError) -> Format {
    if !isGiven(in: path) { return usual }
    if let format = named(path) { return format }
    // A file of another format would be taken for it.
    throw UsageError(
      "'\(path)' says a format that isn't written here; there are \(known.map { ".\($0)" }.joined(separator: ", ")), and with --format "
        + "a file may have any name")
  }

  /// Whether a name says what the file is: `.rows` doesn't.
  private static func isGiven(in path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    guard let point = name.lastIndex(of: ".") else { return false }
    return point > name.startIndex && name.index(after: point) < name.endIndex
  }
}

extension OutputFormat {
  /// `csv, tsv, json, ndjson, markdown or table`
  fileprivate static var allNames: String {
    let names = allCases.map(\.rawValue)
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }

  /// The format that the name of a file says: CSV for a name without an extension.
  init(path: String) throws {
    let known = OutputFormat.allCases.filter { $0 != .table }.map { $0 == .markdown ? "md" : $0.rawValue }
    self = try FileExtension.format(of: path, usual: .csv, among: known) { OutputFormat(fileName: $0) }
  }

  package init(argument: String) throws {
    guard let format = OutputFormat(rawValue: argument.lowercased()) else {
      throw UsageError.unknownName(argument, what: "format", among: OutputFormat.allCases.map(\.rawValue))
    }
    self = format
  }
}
