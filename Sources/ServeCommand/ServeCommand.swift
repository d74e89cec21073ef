import ArgumentParser
import Console

@main
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "quoin serve", abstract: "")

  static func main() async { await Program.run(Self.self) }

  func run() async throws {}
}
