#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The holder of a writer's lock, as errors name it: `process 4711 (quoin) on host since ...`.
enum LockHolder {
  /// This process.
  static var current: String {
    let program = CommandLine.arguments.first?.split(separator: "/").last ?? "?"
    return "process \(getpid()) (\(program)) on \(hostName) since \(currentTimestamp())"
  }

  /// Whether no process holds a lock under this name. Either the name is empty, as after a release, or it is that of a
  /// process of this host that has ended, as after a crash.
  static func isGone(_ holder: String) -> Bool {
    let words = holder.split(separator: " ")
    guard words.count > 1 else { return true }
    guard let process = pid_t(words[1]), holder.contains(" on \(hostName) since ") else { return false }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  private static var hostName: String {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      // Sound: the last byte is kept for the end mark, which a truncated name would lack.
      unsafe buffer.initialize(repeating: 0)
      return unsafe gethostname(buffer.baseAddress!, buffer.count - 1) == 0
        ? String(cString: buffer.baseAddress!) : "unknown host"
    }
  }
}
