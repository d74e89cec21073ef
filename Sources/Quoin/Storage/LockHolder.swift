#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension StoreError {
  /// The process that holds a writer's lock: `process 4711 (quoin) on host since 2026-11-22T20:31:22Z`.
  public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// The process's number.
    public let process: Int32
    /// The file name of its program.
    public let program: String
    /// The machine that it runs on.
    public let host: String
    /// Since when it has held the lock.
    public let since: String

    /// The holder in words, as the lock file has them.
    public var description: String { "process \(process) (\(program)) on \(host) since \(since)" }
  }
}

extension StoreError.LockHolder {
  /// This process.
  static var current: Self {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "?"
    return Self(
      process: getpid(), program: "\(program)", host: systemHostName(), since: "\(currentTime())")
  }

  /// Reads what `description` writes; nil for anything else, as after a release, when the text is empty.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count >= 7, words[0] == "process", let process = Int32(words[1]), process > 0 else { return nil }
    let (program, rest) = (words[2..<(words.count - 4)].joined(separator: " "), words.suffix(4))
    guard program.hasPrefix("("), program.hasSuffix(")"), rest.first == "on", rest.dropFirst(2).first == "since",
      let host = rest.dropFirst().first, let since = rest.last
    else { return nil }
    self.init(
      process: process, program: "\(program.dropFirst().dropLast())", host: "\(host)", since: "\(since)")
  }

  /// Whether it is a process of this host that has ended, as after a crash.
  var isGone: Bool { host == systemHostName() && kill(process, 0) != 0 && errno == ESRCH }
}
