import ArgumentParser
import Quoin

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Read files of quotes into the store.")

  @OptionGroup var store: StoreOptions
}
