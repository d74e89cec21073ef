import ArgumentParser
import Console
import Quoin

struct ShardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shard",
    abstract: "Divide a store into several, which open as one.",
    discussion: """
      A sharded store is a directory of stores, each with its own tickers and about as many rows as the others. Every command \
      that reads takes it for one store; a command that writes wants one of its shards. Each shard has a writer of its own, and \
      several machines can have some shards each. The store that is divided stays as it is.

      One machine scans a whole store as fast as a sharded one, so most stores need no shards.

      Examples:
        quoin shard --count 8 --output market
        quoin scan --where 'close > 1000' --count --store market
        quoin import new.csv --store market/shard-0003
      """)

  @Option(help: ArgumentHelp("The number of shards.", valueName: "n"))
  var count: Int

  @Option(help: ArgumentHelp("The new directory.", valueName: "dir"), completion: .directory)
  var output: String

  @OptionGroup var store: StoreOptions

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("--count \(count): must be from 1 to 10000") }
  }

  func run() throws {
    let store = try store.open()
    StoreOptions.warn(of: output)
    let (progress, rowCount) = (Progress("dividing", in: .rows), store.summary.rowCount)
    try store.divide(into: count, at: output) { progress.update($0, of: rowCount) }
    progress.erase()
    try reportChange("the division into '\(output)'") {
      let shards = try QuoteStore(at: output, mustExist: true).shards
      try report("Divided \(rowCount.of("row")) of '\(store.path)' into \(shards.count.of("shard")) in '\(output)'.")
    }
  }
}
