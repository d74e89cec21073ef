import ArgumentParser

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The process's standard input, output and error.
package enum StandardStreams {
  /// Makes writing to a closed pipe end the process silently, and a closed stream an error.
  package static func prepare() {
    // A parent may have set it to be ignored or blocked.
    _ = signal(SIGPIPE, SIG_DFL)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
    // Otherwise the next file opened, a store's for one, would become standard output.
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Says on standard error what went wrong.
  package static func complain(_ sentence: String) { writeError("quoin: \(sentence)\n") }

  /// Writes to standard error; that this fails too can't be told to anyone.
  package static func writeError(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  package static func exit(_ code: ExitCode) -> Never {
    #if canImport(Glibc)
      Glibc.exit(code.rawValue)
    #else
      Darwin.exit(code.rawValue)
    #endif
  }
}

/// What the environment says of the terminal.
package enum Terminal {
  /// Whether standard output takes escape sequences and the user wants them (https://no-color.org).
  package static var isStyled: Bool {
    isatty(STDOUT_FILENO) == 1 && environment("NO_COLOR") == nil && environment("TERM") != "dumb"
  }

  /// Whether standard error is a terminal on which a line can be written over.
  package static var showsProgress: Bool { isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb" }

  /// The width of standard error's terminal in characters.
  package static var errorWidth: Int {
    var size = winsize()
    guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }
}

/// A variable of the environment; nil when it is not there or empty.
package func environment(_ name: String) -> String? {
  guard let value = unsafe getenv(name) else { return nil }
  let text = unsafe String(cString: value)
  return text.isEmpty ? nil : text
}
