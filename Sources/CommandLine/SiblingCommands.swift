import ArgumentParser
import Console
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Commands that need the network are programs of their own beside `quoin`, as git's are: so that the others start
// without loading what they never use.

struct FetchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Download quotes from a Quandl-compatible service into the store.",
    discussion: "It is a program of its own, quoin-fetch: 'quoin fetch --help' says what it takes.")

  @Argument(parsing: .captureForPassthrough, help: "See quoin fetch --help.")
  var arguments: [String] = []

  func run() throws { throw SiblingProgram.replaceProcess(by: "quoin-fetch", arguments) }
}

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer Quandl's API from the store.",
    discussion: "It is a program of its own, quoin-serve: 'quoin serve --help' says what it takes.")

  @Argument(parsing: .captureForPassthrough, help: "See quoin serve --help.")
  var arguments: [String] = []

  func run() throws { throw SiblingProgram.replaceProcess(by: "quoin-serve", arguments) }
}

/// A program that is installed beside this one, or else somewhere on the path.
enum SiblingProgram {
  /// Becomes another program. Returns only when it can't, with the reason.
  static func replaceProcess(by name: String, _ arguments: [String]) -> DataError {
    var texts = unsafe ([name] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    // To look for the directory is a system call too: errno is that of the last attempt to start.
    let directory = directory
    if let directory { _ = unsafe execv("\(directory)/\(name)", &texts) }
    if directory == nil || errno == ENOENT { _ = unsafe execvp(name, &texts) }
    let code = errno
    guard code == ENOENT else { return DataError("cannot start '\(name)': \(systemMessage(code))") }
    let command = name.split(separator: "-").joined(separator: " ")
    return DataError(
      "'\(command)' is a program of its own, '\(name)', and it is neither beside quoin nor on the path; 'make build' "
        + "builds it, and 'make install' installs it")
  }

  /// Where this program lies.
  private static var directory: String? {
    guard let path = executablePath, let slash = path.lastIndex(of: "/") else { return nil }
    return String(path[..<slash])
  }

  private static var executablePath: String? {
    #if canImport(Glibc)
      let link = unsafe realpath("/proc/self/exe", nil)
    #else
      var size: UInt32 = 0
      _ = unsafe _NSGetExecutablePath(nil, &size)
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard unsafe _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      let link = unsafe realpath(buffer, nil)
    #endif
    guard let link = unsafe link else { return nil }
    defer { unsafe free(link) }
    return unsafe String(cString: link)
  }
}
