import ArgumentParser
import Console
import Quoin

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the store into another directory, while others write to it; again only what is new.",
    discussion: """
      The copy is of one generation, with the snapshots that the store keeps. It is a store itself: read it where it is, or copy \
      its directory to where a store was lost. Files that it has already aren't copied again, and every file is checked before it \
      is copied. A backup that was interrupted leaves the one of before; the same command goes on.

      Examples:
        quoin backup /mnt/disk/quotes
        quoin backup nightly --store prices
        quoin verify --store nightly
      """)

  @Argument(
    help: ArgumentHelp("A new directory, or one with an earlier backup of the store.", valueName: "dir"),
    completion: .directory)
  var directory: String

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    StoreOptions.warn(of: directory)
    let store = try store.open()
    let progress = Progress("backing up", in: .bytes)
    let result = try store.backUp(to: directory, patience: writing.patience) { progress.update($0.byteCount) }
    progress.erase()
    try reportChange("the backup into '\(directory)'") {
      try report("Backed up '\(store.path)' into '\(directory)': \(result.text).")
    }
  }
}
