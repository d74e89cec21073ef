import ArgumentParser
import Console
import Quoin

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check every block, checksum and statistic, and list any damage.",
    discussion: """
      Exits with status 2 if there is damage. 'quoin repair' saves the undamaged part into a new store; import the rest again
      if you can.

      Examples:
        quoin verify
        quoin verify --store old-store
      """)

  private static let namedDamageCount = 100

  @OptionGroup var store: StoreOptions

  func run() throws {
    StoreOptions.warn(of: store.path)
    let progress = Progress("verifying", in: .bytes)
    let result = try QuoteStore.verify(at: store.path) { progress.update($0, of: $1) }
    progress.erase()
    guard result.damages.isEmpty else {
      try name(result.damages)
      throw DataError(
        "'\(store.path)' is damaged in \(result.damages.count.of("place")); "
          + "'quoin repair' saves what is sound into a new store")
    }
    try report(
      "'\(store.path)' is sound: \(result.fileCount.of("file")), \(result.blockCount.of("block")), "
        + "\(result.byteCount.asBytes)."
        + (result.strayFiles.isEmpty
          ? ""
          : " An unfinished write left \(result.strayFiles.count.of("file")); the next write removes "
            + (result.strayFiles.count == 1 ? "it." : "them.")))
  }

  private func name(_ damages: [StoreError]) throws {
    for damage in damages.prefix(Self.namedDamageCount) { StandardStreams.complain("\(damage)") }
    let rest = damages.count - Self.namedDamageCount
    if rest > 0 { StandardStreams.complain("and \(rest.grouped) more") }
  }
}
