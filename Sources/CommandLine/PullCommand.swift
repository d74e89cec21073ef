import ArgumentParser
import Console
import Quoin

struct PullCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pull",
    abstract: "Copy a store from another directory or a server; again only what is new.",
    discussion: """
      The source is a store's directory, the address of one on a server of static files (nginx, a bucket that is public), \
      'quoin serve', which has its store at /store, or a bucket of S3, for which the environment has the key as 'quoin push --help' \
      says. Only files that are missing come, several at a time, and each is checked to the \
      last byte. Readers of the copy go on and see the old store until the new one is whole. After an interruption the same command \
      goes on.

      The copy is read like any store. What writes to it makes it a store of its own, which no later pull replaces.

      Examples:
        quoin pull https://files.example/market --into market
        quoin pull http://127.0.0.1:8977/store --token-file token.txt --into market
        quoin pull s3://quotes/market --into market
        quoin pull /mnt/shared/market --into market
      """)

  @OptionGroup var options: PullOptions

  func run() throws {
    if options.isAddress {
      throw SiblingProgram.replaceProcess(by: "quoin-fetch", ["--pull"] + System.arguments.dropFirst())
    }
    if options.tokenFile != nil { throw UsageError("--token-file is for a server; '\(options.source)' is a directory") }
    StoreOptions.warn(of: options.path)
    let source: QuoteStore
    do { source = try QuoteStore(at: options.source, mustExist: true) } catch { throw options.explained(error) }
    let progress = Progress("pulling", in: .bytes)
    let result = try source.backUp(to: options.path, patience: options.writing.patience) {
      progress.update($0.byteCount)
    }
    progress.erase()
    try reportChange("the pull into '\(options.path)'") { try report(options.text(of: result)) }
  }
}
