#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The text that names the holder of a writer's lock: `process 4711 (quoin) on host since ...`.
enum LockHolder {
  /// This process.
  static var current: String {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "?"
    return "process \(getpid()) (\(program)) on \(systemHostName()) since \(currentTimestamp())"
  }

  /// Whether the holder is gone: the text is empty, as after a release, or it names a process of this host that has ended,
  /// as after a crash.
  static func isGone(_ holder: String) -> Bool {
    let words = holder.split(separator: " ")
    guard words.count > 1 else { return true }
    guard let process = pid_t(words[1]), holder.contains(" on \(systemHostName()) since ") else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }
}
