import ArgumentParser
import Console
import QuandlClient
import Quoin
import Synchronization

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
        let byteCount = Mutex(0)
        let result = try await line.showing {
          line.wait(for: source.address)
          return try await source.pull(into: options.path, patience: options.writing.patience) { count in
            let all = byteCount.withLock { all in
              all += count
              return all
            }
            line.show("pulling", in: .bytes, all)
          }
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
    do {
      let source = try StoreDownload(
        of: options.source, apiKey: try options.tokenFile.map { try APIKeyFile.key(in: $0) },
        configuration: try QuandlClient.Configuration.ofPrograms(line))
      if source.sendsKeyUnencrypted {
        StandardStreams.complain("warning: the token goes to \(source.address) unencrypted; use https")
      }
      return source
    } catch let error as QuandlClientError where error.kind == .usage {
      throw UsageError(error.description)
    }
  }
}
