import ArgumentParser
import Console
import QuandlClient
import Quoin

/// The command `quoin push` to a bucket, to which `quoin` gives its arguments.
struct PushCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quoin push", abstract: "Copy the store into a bucket; see 'quoin push --help' of quoin.")

  @OptionGroup var options: PushOptions

  func run() async throws {
    let (options, line) = (options, FetchLine())
    let store = try options.store.open()
    let place = try usage {
      try StoreUpload(to: options.destination, configuration: try QuandlClient.Configuration.ofPrograms(line))
    }
    try await Interruption.handled(line) {
      do {
        let result = try await line.showing {
          line.wait(for: place.address)
          return try await place.push(store, progress: line.counting("pushing"))
        }
        try reportChange("the push to '\(options.destination)'") { try report(options.text(of: result)) }
      } catch let error as QuandlClientError {
        if error.kind == .cancelled {
          throw Interrupted(
            sentence: "interrupted; '\(options.destination)' has the copy of before, and the same command goes on")
        }
        throw error.storeError ?? error
      }
    }
  }
}
