import ArgumentParser
import Console
import Quoin

struct UndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take the last change back: an import, a deletion, or an undo.",
    discussion: """
      The store has the rows of before again, bit for bit. A second undo takes the first one back. To go back further, name a \
      snapshot or a generation: 'quoin restore'.

      Examples:
        quoin undo
        quoin undo --store prices
      """)

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.open()
    let before = store.summary
    try store.undo(patience: writing.patience)
    try reportChange("the undo in '\(store.path)'") {
      try report("Took back the last change of '\(store.path)': \(before.rows) before, \(store.summary.rows) now.")
    }
  }
}

struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Go back to a snapshot, or to an earlier generation that is kept.",
    discussion: """
      Its rows replace all that the store has. Nothing is copied, and 'quoin undo' takes it back.

      Examples:
        quoin restore before-split
        quoin restore 41
      """)

  @Argument(
    help: ArgumentHelp("A snapshot or a generation; 'quoin snapshot list' lists them.", valueName: "name"))
  var name: String

  @OptionGroup var writing: WriteOptions
  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.open()
    let before = store.summary
    do {
      if let number = UInt64(name) {
        if number != store.generation { try store.restore(generation: number, patience: writing.patience) }
      } else {
        try store.restore(snapshotNamed: name, patience: writing.patience)
      }
    } catch StoreError.noSnapshot {
      throw store.noState(named: name)
    }
    try reportChange("the return of '\(store.path)' to '\(name)'") {
      try report("'\(store.path)' is as '\(name)' was: \(before.rows) before, \(store.summary.rows) now.")
    }
  }
}

extension StoreSummary {
  fileprivate var rows: String { "\(rowCount.of("row")) of \(tickerCount.of("ticker"))" }
}
