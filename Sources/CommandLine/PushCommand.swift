import ArgumentParser
import Console
import Quoin

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Copy the store into a bucket or another directory; again only what is new.",
    discussion: """
      The copy is of one generation, with the snapshots that the store keeps. Others take it with 'quoin pull' of the same address. \
      Only files that are missing there go, several at a time, and the manifest goes last: the copy of before stays until the new \
      one is whole. After an interruption the same command goes on. Of two pushes at once, one is refused.

      A bucket is one of S3, or of another server with its interface. The key is in the environment, as programs of AWS have it: \
      AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (AWS_SESSION_TOKEN too, if the key ends soon), the region in AWS_REGION, another \
      server in AWS_ENDPOINT_URL.

      Examples:
        quoin push s3://quotes/market
        AWS_ENDPOINT_URL=http://127.0.0.1:9000 quoin push s3://quotes/market --store prices
        quoin push /mnt/shared/market
      """)

  @OptionGroup var options: PushOptions

  func run() throws {
    if options.isBucket {
      throw SiblingProgram.replaceProcess(by: "quoin-fetch", ["--push"] + System.arguments.dropFirst())
    }
    StoreOptions.warn(of: options.destination)
    let store = try options.store.open()
    let progress = Progress("pushing", in: .bytes)
    let result = try store.backUp(to: options.destination, patience: options.writing.patience) {
      progress.update($0.byteCount)
    }
    progress.erase()
    try reportChange("the push to '\(options.destination)'") { try report(options.text(of: result)) }
  }
}
