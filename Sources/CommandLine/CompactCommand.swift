import ArgumentParser
import Console
import Quoin

struct CompactCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compact",
    abstract: "Rewrite the store with full blocks and without deleted rows.",
    discussion: """
      This is seldom needed, because small imports are merged as they accumulate. While it runs, the disk needs room for a \
      second copy of the store. All blocks are packed anew.

      Examples:
        quoin compact
        quoin compact --store prices
        quoin compact --pack small
      """)

  @OptionGroup var pack: PackingOptions
  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let packing = try pack.packing()
    let store = try store.open()
    let before = (summary: store.summary, packing: store.packing)
    try store.compact(packing: packing, patience: writing.patience)
    try reportChange("the compaction of '\(store.path)'") {
      try report("Compacted '\(store.path)': \(before.summary.text) before, \(store.summary.text) now.")
      try store.reportPacking(before: before.packing, rowCount: 0)
    }
  }
}

extension StoreSummary {
  fileprivate var text: String { "\(byteCount.asBytes) in \(fileCount.of("file"))" }
}
