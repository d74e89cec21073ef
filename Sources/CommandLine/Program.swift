import ArgumentParser
import Quoin

/// Where the process begins, and the only place where it ends: an error becomes a sentence and an exit status.
@main
enum Program {
  static func main() {
    StandardStreams.prepare()
    do {
      try checkCommandName(CommandLine.arguments.dropFirst().first)
      var command = try QuoinCommand.parseAsRoot()
      try command.run()
    } catch {
      end(with: error)
    }
  }

  /// ArgumentParser would only say that the argument is unexpected.
  private static func checkCommandName(_ name: String?) throws {
    let names = QuoinCommand.names + ["help"]
    guard let name, !name.hasPrefix("-"), !names.contains(name) else { return }
    throw UsageError.unknownName(name, what: "command", among: names)
  }

  /// Shows the help or the version that was asked for, or says what is wrong with the arguments.
  private static func endParsing(with error: any Error) -> Never {
    let code = QuoinCommand.exitCode(for: error)
    let message = QuoinCommand.fullMessage(for: error)
    if code != .success {
      let prefix = "Error: "
      StandardStreams.complain(message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)
    } else if !message.isEmpty {
      do { try report(message) } catch { end(with: error) }
    }
    StandardStreams.exit(code)
  }

  private static func end(with error: any Error) -> Never {
    if let code = error as? ExitCode { StandardStreams.exit(code) }
    // ArgumentParser knows its own errors, and takes any other for a plain failure.
    let code = QuoinCommand.exitCode(for: error)
    if code == .success || code == .validationFailure { endParsing(with: error) }
    StandardStreams.complain("\(error)\(error.advice)")
    StandardStreams.exit(error.isWrongUsage ? .validationFailure : .failedOperation)
  }
}
