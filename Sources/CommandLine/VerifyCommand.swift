import ArgumentParser
import Quoin

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Read every block, check every checksum and statistic, and name any damage.",
    discussion: """
      Ends with status 2 when there is some. What is damaged is best imported again, after 'quoin delete' of the tickers.

      Example:
        quoin verify
      """)

  private static let namedDamageCount = 100

  @OptionGroup var store: StoreOptions

  func run() throws {
    let store = try store.open()
    let progress = Progress("verifying", in: .bytes)
    let result = try store.verify { progress.update($0, of: $1) }
    progress.erase()
    guard result.damages.isEmpty else {
      try name(result.damages)
      throw DataError("'\(store.path)' is damaged in \(result.damages.count.of("place"))")
    }
    try report(
      "'\(store.path)' is sound: \(result.fileCount.of("file")), \(result.blockCount.of("block")), "
        + "\(result.byteCount.asBytes).")
  }

  private func name(_ damages: [StoreError]) throws {
    for damage in damages.prefix(Self.namedDamageCount) { StandardStreams.complain("\(damage)") }
    let rest = damages.count - Self.namedDamageCount
    if rest > 0 { StandardStreams.complain("and \(rest.grouped) more") }
  }
}
