import ArgumentParser
import Quoin

/// The arguments of `quoin push`, which two programs read: `quoin`, and `quoin-fetch` if it goes to a bucket.
package struct PushOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Where the copy goes: a directory, or a place in a bucket (s3://bucket/market).", valueName: "dest"))
  package var destination: String

  @OptionGroup package var writing: WriteOptions
  @OptionGroup package var store: StoreOptions

  package init() {}

  package func validate() throws {
    if destination.contains("://"), !isBucket {
      throw ValidationError(
        "'\(destination)' takes no store; push it to s3://bucket/market or into a directory, or have the others pull it"
      )
    }
  }

  package var isBucket: Bool { destination.hasPrefix("s3://") }

  /// What the copy has taken, in a sentence.
  package func text(of result: BackupReport) -> String {
    "Pushed '\(store.path)' to '\(destination)': \(result.text)."
  }
}
