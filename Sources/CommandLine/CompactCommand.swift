import ArgumentParser
import Console
import Quoin

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite the store with full blocks and without what was deleted.",
    discussion: """
      Small imports are merged as they pile up, so this is seldom needed. Needs room for a second copy meanwhile.

      Example:
        quoin compact
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
