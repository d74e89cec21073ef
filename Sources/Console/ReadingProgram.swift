import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Another program that reads what this one writes.
package final class ReadingProgram {
  private let process: pid_t
  private let pipe: Int32

  /// Starts a program of the search path.
  ///
  /// - Parameter output: where its standard output goes; nil for this program's.
  /// - Throws: `ENOENT` when there is no such program.
  package init(_ program: String, _ arguments: [String] = [], output: Int32? = nil) throws(SystemError) {
    // Sound: all pointers are valid during the calls that take them, and what is allocated is freed here.
    var ends: [Int32] = [0, 0]
    guard unsafe Self.open(&ends) == 0 else { throw SystemError(errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[0]) }
    #if canImport(Glibc)
      var actions = unsafe posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO)
    if let output { unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    var texts = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    var child: pid_t = 0
    let code = unsafe posix_spawnp(&child, program, &actions, nil, &texts, environ)
    guard code == 0 else {
      close(ends[1])
      throw SystemError(code)
    }
    (process, pipe) = (child, ends[1])
  }

  private static func open(_ ends: UnsafeMutablePointer<Int32>) -> Int32 {
    #if canImport(Glibc)
      unsafe Glibc.pipe(ends)
    #else
      unsafe Darwin.pipe(ends)
    #endif
  }

  /// Where it reads from.
  package var input: Int32 { pipe }

  /// Writes all that it reads, and waits until it has ended. One that ends early isn't the end of this program: its status
  /// says what happened.
  package func finish(reading bytes: [UInt8]) -> Int32 {
    let previous = signal(SIGPIPE, SIG_IGN)
    try? System.write(bytes, to: pipe)
    _ = signal(SIGPIPE, previous)
    return finish()
  }

  /// Closes what it reads, and waits until it has ended.
  ///
  /// - Returns: its exit status; 128 and the number for a signal.
  package func finish() -> Int32 {
    close(pipe)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 { if errno != EINTR { return 128 } }
    return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f
  }
}
