import ArgumentParser
import Console
import Quoin

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite the store with full blocks and without deleted rows.",
    discussion: """
      This is seldom needed, because small imports are merged as they accumulate. While it runs, the disk needs room for a
      second copy of the store.

      Examples:
        quoin compact
        quoin compact --store prices
      """)

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.open()
    let before = store.summary
    try store.compact(patience: writing.patience)
    let after = store.summary
    try report("Compacted '\(store.path)': \(before.text) before, \(after.text) now.")
  }
}

extension StoreSummary {
  fileprivate var text: String { "\(byteCount.asBytes) in \(fileCount.of("file"))" }
}
