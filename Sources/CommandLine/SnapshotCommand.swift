import ArgumentParser
import Console
import Quoin

struct SnapshotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "snapshot",
    abstract: "Keep the store as it is now under a name, to read it later or to go back.",
    discussion: """
      A snapshot takes no copy: the files that it needs stay as long as it does. Besides those with a name, a store keeps the \
      generation before the last change, for 'quoin undo'.

      Examples:
        quoin snapshot create before-split
        quoin scan FDX --at before-split
        quoin diff before-split
        quoin restore before-split
        quoin snapshot list
        quoin snapshot delete before-split
        quoin snapshot recent 10
      """,
    subcommands: [Create.self, List.self, Delete.self, Recent.self])

  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "create",
      abstract: "Keep the store as it is now under a name.",
      discussion: """
        Examples:
          quoin snapshot create before-split
          quoin snapshot create 'monday' --store prices
        """)

    @Argument(
      help: ArgumentHelp(
        "1 to 64 letters, digits, '.', '_' and '-', of which the first is a letter.", valueName: "name"))
    var name: String

    @OptionGroup var writing: WriteOptions
    @OptionGroup var store: StoreOptions

    func run() throws {
      let store = try store.open()
      try store.keepSnapshot(named: name, patience: writing.patience)
      guard let kept = store.snapshots.last(where: { $0.name == name }) else { return }
      try reportChange("the snapshot of '\(store.path)'") {
        try report("Kept generation \(kept.generation.grouped) of '\(store.path)' as '\(name)'.")
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the snapshots and the generations that are kept.",
      discussion: """
        Generations without a name are kept because they are recent. The files that a snapshot holds are those that the store \
        has only because of its snapshots.

        Examples:
          quoin snapshot list
          quoin snapshot list --format json
        """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var store: StoreOptions

    func run() throws {
      let format = try output.outputFormat()
      var table = RecordTable([
        .text("name"), .number("generation"), .text("committed_at"), .number("files_held"),
      ])
      table.rows = try store.open().snapshots.map {
        [$0.name, "\($0.generation)", "\($0.committedAt)", "\($0.heldFileCount)"]
      }
      try output.withOutput { try table.write(format, styled: output.isStyled, to: $0) }
    }
  }

  struct Delete: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Forget a snapshot. Files that only it needed are removed; the quotes of the store stay.",
      discussion: """
        Examples:
          quoin snapshot delete before-split
          quoin snapshot delete monday --store prices
        """)

    @Argument(help: ArgumentHelp("The snapshot.", valueName: "name"))
    var name: String

    @OptionGroup var writing: WriteOptions
    @OptionGroup var store: StoreOptions

    func run() throws {
      let store = try store.open()
      guard try store.dropSnapshot(named: name, patience: writing.patience) else { throw store.noState(named: name) }
      try reportChange("the deletion of the snapshot") {
        try report("Deleted the snapshot '\(name)' of '\(store.path)'.")
      }
    }
  }

  struct Recent: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "recent",
      abstract: "Say how many of the newest earlier generations are kept (1 in a new store).",
      discussion: """
        Each of them takes the room of what was changed since. With 0, 'quoin undo' can take nothing back.

        Examples:
          quoin snapshot recent 10
          quoin snapshot recent 0
        """)

    @Argument(help: ArgumentHelp("The number of generations.", valueName: "n"))
    var count: Int

    @OptionGroup var writing: WriteOptions
    @OptionGroup var store: StoreOptions

    func validate() throws {
      guard (0...1_000_000).contains(count) else { throw ValidationError("\(count): must be 0 to 1,000,000") }
    }

    func run() throws {
      let store = try store.open()
      try store.keepRecentGenerations(count, patience: writing.patience)
      try reportChange("the setting of '\(store.path)'") {
        try report("From the next change on, '\(store.path)' keeps \(count.of("earlier generation")).")
      }
    }
  }
}
