#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The program that shows what doesn't fit a screen, as git finds it: that of QUOIN_PAGER or PAGER, else less.
enum Pager {
  /// Starts it; nil if there is none, or none is wanted.
  static func start() -> ReadingProgram? {
    let program = System.environment("QUOIN_PAGER") ?? System.environment("PAGER") ?? "less"
    guard program != "cat", System.environment("TERM") != "dumb" else { return nil }
    // Colors go through, and it leaves the text on the screen when it ends. A pager that isn't there lets the text through.
    let line =
      "if command -v \(program.prefix { $0 != " " }) >/dev/null 2>&1; then LESS=\"${LESS-FRX}\"; export LESS; exec \(program); else exec cat; fi"
    guard let pager = try? ReadingProgram("sh", ["-c", line]) else { return nil }
    // Ctrl-C is for the pager: it must not be left alone with the terminal.
    _ = signal(SIGINT, SIG_IGN)
    return pager
  }
}
