import ArgumentParser
import Quoin

/// Where a process starts and, as the only place, ends: an error becomes a sentence and an exit status.
package enum Program {
  /// Runs the command that the process's arguments name.
  package static func run<Command: ParsableCommand>(_ command: Command.Type) {
    prepare()
    do {
      let arguments = System.arguments
      try checkCommandName(in: arguments, of: command)
      var command = try command.parseAsRoot(LongArguments.shortened(arguments))
      try command.run()
    } catch {
      end(command, with: error)
    }
  }

  /// Runs the asynchronous command that the process's arguments name, or others.
  package static func run<Command: AsyncParsableCommand>(
    _ command: Command.Type, _ arguments: [String]? = nil
  ) async {
    prepare()
    do {
      var parsed = try command.parseAsRoot(arguments)
      // The help is a command of its own.
      if var command = parsed as? Command { try await command.run() } else { try parsed.run() }
    } catch {
      end(command, with: error)
    }
  }

  private static func prepare() {
    StandardStreams.prepare()
    QuoteStore.surviveShrinkingFiles()
  }

  /// Of a program's commands the one that the process's arguments name, or all if they name none.
  ///
  /// ArgumentParser looks for the protocols of each command that it is given, and each time Swift's runtime goes through all
  /// types of the program.
  package static func needed(_ commands: [any ParsableCommand.Type]) -> [any ParsableCommand.Type] {
    let name = System.arguments.first
    return commands.first { $0.configuration.commandName == name }.map { [$0] } ?? commands
  }

  /// A text that only the help shows; nothing if the process's arguments can't ask for help, so that who asks of quotes doesn't wait until
  /// it is put together.
  package static func help(_ text: @autoclosure () -> String) -> String {
    let canAsk = System.arguments.contains { argument in
      argument.contains("help") || argument.hasPrefix("-") && !argument.hasPrefix("--") && argument.contains("h")
    }
    return canAsk ? text() : ""
  }

  /// ArgumentParser would only say that the argument is unexpected.
  private static func checkCommandName(in arguments: [String], of command: (some ParsableCommand).Type) throws {
    let names = command.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    guard let name = arguments.first == "help" ? arguments.dropFirst().first : arguments.first,
      names.count > 1, !name.hasPrefix("-"), !names.contains(name)
    else { return }
    if let meant = ForeignOptions.command(for: name) {
      throw UsageError("there is no command '\(name)'; Quoin calls it '\(meant)'")
    }
    throw UsageError.unknownName(name, what: "command", among: names)
  }

  /// Shows the requested help or version, or says what is wrong with the arguments.
  private static func endParsing(_ command: (some ParsableCommand).Type, with error: any Error) -> Never {
    let code = command.exitCode(for: error)
    let message = command.fullMessage(for: error)
    if code != .success {
      let prefix = "Error: "
      let text = message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message
      StandardStreams.complain(
        ForeignOptions.explained(text, System.arguments, help: help(of: command)))
    } else if !message.isEmpty {
      do { try report(message) } catch { end(command, with: error) }
    }
    StandardStreams.exit(code)
  }

  /// The help of the command that the process's arguments name: of one of a program's commands, or of the program.
  private static func help<Root: ParsableCommand>(of root: Root.Type) -> String {
    var command: any ParsableCommand.Type = root
    for name in System.arguments {
      guard let next = command.configuration.subcommands.first(where: { $0.configuration.commandName == name }) else {
        break
      }
      command = next
    }
    return root.helpMessage(for: command, columns: 120)
  }

  private static func end(_ command: (some ParsableCommand).Type, with error: any Error) -> Never {
    if let code = error as? ExitCode { StandardStreams.exit(code) }
    // ArgumentParser recognizes its own errors and treats any other as a plain failure.
    let code = command.exitCode(for: error)
    if code == .success || code == .validationFailure { endParsing(command, with: error) }
    StandardStreams.complain(error.sentence)
    StandardStreams.exit(error.exitCode)
  }
}
