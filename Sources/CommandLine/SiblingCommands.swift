import ArgumentParser
import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Commands that need the network, or SQLite, are programs of their own next to `quoin`, as git's are, so that the other commands start
// without loading code that they never use.

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Download quotes from a vendor or a Quandl-compatible service into the store.",
    discussion: "This is a program of its own, quoin-fetch. 'quoin fetch --help' lists its arguments.")

  @Argument(parsing: .captureForPassthrough, help: "See quoin fetch --help.")
  var arguments: [String] = []

  func run() throws { throw SiblingProgram.replaceProcess(by: "quoin-fetch", arguments) }
}

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Show the store to browsers, and answer Quandl's API from it.",
    discussion: "This is a program of its own, quoin-serve. 'quoin serve --help' lists its arguments.")

  @Argument(parsing: .captureForPassthrough, help: "See quoin serve --help.")
  var arguments: [String] = []

  func run() throws { throw SiblingProgram.replaceProcess(by: "quoin-serve", arguments) }
}

struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql", abstract: "Ask the store in SQL, or open a shell for it.",
    discussion: "This is a program of its own, quoin-sql. 'quoin sql --help' lists its arguments.")

  @Argument(parsing: .captureForPassthrough, help: "See quoin sql --help.")
  var arguments: [String] = []

  func run() throws { throw SiblingProgram.replaceProcess(by: "quoin-sql", arguments) }
}

/// A program that is installed next to this one, or somewhere on the search path.
enum SiblingProgram {
  /// Replaces this process by the program of a command; returns only the error that prevented it.
  static func replaceProcess(by name: String, _ arguments: [String]) -> DataError {
    if let directory {
      let error = System.replaceProcess(by: "\(directory)/\(name)", arguments)
      guard error.code == ENOENT else { return failure(name, error) }
    }
    let error = System.replaceProcess(by: name, arguments)
    guard error.code == ENOENT else { return failure(name, error) }
    return DataError(
      "'\(name.replacing("-", with: " "))' needs the program \(name), which is neither next to quoin in "
        + "'\(directory ?? ".")' nor on the search path; build it with 'swift build -c release --product \(name)', "
        + "or install it with 'make install'")
  }

  private static func failure(_ name: String, _ error: SystemError) -> DataError {
    DataError("cannot start '\(name)': \(systemMessage(error.code))")
  }

  /// The directory of this program.
  private static var directory: String? {
    guard let path = System.executablePath, let slash = path.lastIndex(of: "/") else { return nil }
    return String(path[..<slash])
  }
}
