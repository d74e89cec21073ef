import ArgumentParser
import Console
import Quoin

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compare two snapshots, or two stores, cell by cell.",
    discussion: """
      The list has a row for each day that was added or removed, and one for each cell that changed, with the values before and \
      after. The summary goes to standard error. A name is a snapshot or a generation of the store; a directory is another \
      store.

      Exit status: 0 they are equal; 1 they differ; 2 they can't be compared.

      Examples:
        quoin diff before-split
        quoin diff 41 42 --format json
        quoin diff last-month/ this-month/ --limit 20
      """)

  @Argument(help: ArgumentHelp("What counts as the older state.", valueName: "a"))
  var older: String

  @Argument(help: ArgumentHelp("What counts as the newer state (default: the store as it is).", valueName: "b"))
  var newer: String?

  @Option(help: ArgumentHelp("List at most so many differences; the summary counts all.", valueName: "rows"))
  var limit: Int?

  @OptionGroup var output: OutputOptions
  @OptionGroup var store: StoreOptions

  func validate() throws {
    if let limit, limit < 0 { throw ValidationError("--limit \(limit): must be at least 0") }
  }

  func run() throws {
    let format = try output.outputFormat()
    let (old, new) = (try state(older), try newer.map(state) ?? store.open())
    var counts = DifferenceCounts()
    try output.withOutput { file in
      var list = DifferenceList(limit: limit ?? .max)
      var writer = RecordWriter(DifferenceList.headings, format, styled: output.isStyled, to: file)
      try new.forEachDifference(from: old) { difference in
        counts.count(difference)
        try writer.append(list.rows(of: difference))
      }
      try writer.finish()
    }
    StandardStreams.complain(counts.text)
    if !counts.isEmpty { throw ExitCode.findings }
  }

  /// The store, or the state of the store, that an argument names.
  private func state(_ name: String) throws -> QuoteStore {
    guard System.isDirectory(name) else { return try store.open().state(named: name) }
    if !name.contains("/"), let own = try? store.open(), own.snapshots.contains(where: { $0.name == name }) {
      throw UsageError(
        "'\(name)' is a directory and a snapshot of '\(own.path)'; write './\(name)' for the directory, or compare with "
          + "the snapshot's generation")
    }
    return try QuoteStore(at: name, mustExist: true)
  }
}
