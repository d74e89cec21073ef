import ArgumentParser
import Console

@main
struct FetchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "quoin fetch", abstract: "")

  static func main() async { await Program.run(Self.self) }

  func run() async throws {}
}
