import ArgumentParser
import Quoin

/// The arguments of `quoin pull`, which two programs read: `quoin`, and `quoin-fetch` if the source is an address.
package struct PullOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "The store: a directory, or the address of one (http://, https:// or s3://).", valueName: "source"))
  package var source: String

  @Option(
    name: [.customLong("into"), .customLong("store")],
    help: ArgumentHelp(
      "A new directory, or one with an earlier copy (default: the environment's QUOIN_STORE, else ./quoin-store).",
      valueName: "dir"), completion: .directory)
  package var directory: String?

  @Option(
    help: ArgumentHelp("A file whose first line is the token of 'quoin serve'.", valueName: "file"), completion: .file()
  )
  package var tokenFile: String?

  @OptionGroup package var writing: WriteOptions

  package init() {}

  package func validate() throws {
    if isAddress, !["http://", "https://", "s3://"].contains(where: source.hasPrefix) {
      throw ValidationError(
        "'\(source)' is no address that can be pulled from; http://, https:// and s3:// are, and directories")
    }
  }

  /// The directory of the copy.
  package var path: String {
    var options = StoreOptions()
    options.store = directory
    return options.path
  }

  package var isAddress: Bool { source.contains("://") }

  /// What went wrong, in the words of this command.
  package func explained(_ error: StoreError) -> any Error {
    guard case .noStore(let path) = error else { return error }
    let hint =
      !isAddress
      ? ""
      : source.hasPrefix("s3://")
        ? "; the bucket has no MANIFEST there ('quoin push' makes one)"
        : "; the server has no MANIFEST there ('quoin serve' has its store at /store)"
    return DataError("there is no store at '\(path)'\(hint)")
  }

  /// What the copy has taken, in a sentence.
  package func text(of result: BackupReport) -> String {
    "Pulled '\(source)' into '\(path)': \(result.text)."
  }
}
