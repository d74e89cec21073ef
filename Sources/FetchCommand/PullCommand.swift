import ArgumentParser
import Console
import QuandlClient
import Quoin

/// The command `quoin pull` of an address, to which `quoin` gives its arguments.
struct PullCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quoin pull", abstract: "Copy a store from a server; see 'quoin pull --help' of quoin.")

  @OptionGroup var options: PullOptions

  func run() async throws {
    let (options, line) = (options, FetchLine())
    StoreOptions.warn(of: options.path)
    let source = try source(line)
    try await Interruption.handled(line) {
      do {
        let result = try await line.showing {
          line.wait(for: source.address)
          return try await source.pull(
            into: options.path, patience: options.writing.patience, progress: line.counting("pulling"))
        }
        try reportChange("the pull into '\(options.path)'") { try report(options.text(of: result)) }
      } catch let error as QuandlClientError {
        if error.kind == .cancelled {
          throw Interrupted(
            sentence: "interrupted; '\(options.path)' has the copy of before, and the same command goes on")
        }
        throw error.storeError.map(options.explained) ?? error
      }
    }
  }

  private func source(_ line: FetchLine) throws -> StoreDownload {
    let source = try usage {
      try StoreDownload(
        of: options.source, apiKey: try options.tokenFile.map { try APIKeyFile.key(in: $0) },
        configuration: try QuandlClient.Configuration.ofPrograms(line))
    }
    if source.sendsKeyUnencrypted {
      StandardStreams.complain("warning: the token goes to \(source.address) unencrypted; use https")
    }
    return source
  }
}
