import ArgumentParser

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process's standard input, output and error.
package enum StandardStreams {
  /// Makes a write to a closed pipe end the process silently, and a write to a closed stream, or beyond the size that files may
  /// have, an error.
  package static func prepare() {
    System.restoreDefault(of: SIGPIPE)
    _ = signal(SIGXFSZ, SIG_IGN)
    // Otherwise the next file that is opened, such as a store's, would become standard output.
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      _ = try? System.open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Says on standard error what went wrong.
  package static func complain(_ sentence: String) { writeError("quoin: \(sentence.printableLines)\n") }

  /// Writes to standard error. There is nowhere to report that this failed too.
  package static func writeError(_ text: String) {
    try? System.write(Array(text.utf8), to: STDERR_FILENO)
  }

  package static func exit(_ code: ExitCode) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code.rawValue)
    #else
      Darwin.exit(code.rawValue)
    #endif
  }
}

/// What the environment says about the terminal.
package enum Terminal {
  /// Whether standard output takes escape sequences and the user wants them (https://no-color.org).
  package static var isStyled: Bool {
    isatty(STDOUT_FILENO) == 1 && System.environment("NO_COLOR") == nil && System.environment("TERM") != "dumb"
  }

  /// Whether standard output is a terminal.
  package static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The size of standard output's terminal in characters and lines; 80 and 24 when they aren't known.
  package static var outputSize: (columns: Int, rows: Int) {
    let size = System.terminalSize(STDOUT_FILENO)
    return (size.columns ?? 80, size.rows ?? 24)
  }

  /// Whether there is somebody to ask.
  package static var canAsk: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

  /// Asks a question whose answer is yes or no; anything but `y` and `yes` is no.
  package static func ask(_ question: String) -> Bool {
    StandardStreams.writeError("\(question) [y/N] ")
    return ["y", "yes"].contains(readLine()?.lowercased())
  }

  /// Whether standard error is a terminal.
  package static var showsErrors: Bool { isatty(STDERR_FILENO) == 1 }

  /// Whether standard error is a terminal on which a line can be overwritten.
  package static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 && System.environment("TERM") != "dumb" }

  /// The width of standard error's terminal in characters.
  package static var errorWidth: Int { System.terminalSize(STDERR_FILENO).columns ?? 80 }
}
