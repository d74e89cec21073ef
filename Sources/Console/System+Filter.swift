#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Asking another program.
extension System {
  // Sound: a pointer is valid during the call that takes it, and what is allocated here is freed here.

  /// Runs a program of the search path that reads all of its input before it writes, and returns its status and its output.
  package static func filter(
    _ input: [UInt8], through program: String, _ arguments: [String]
  ) throws(SystemError) -> (status: Int32, output: [UInt8]) {
    let (toChild, fromChild) = (try pipe(), try pipe())
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_adddup2(&actions, toChild.readEnd, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, fromChild.writeEnd, STDOUT_FILENO)
    var texts = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    var process: pid_t = 0
    let code = unsafe posix_spawnp(&process, program, &actions, nil, &texts, environ)
    close(toChild.readEnd)
    close(fromChild.writeEnd)
    defer { close(fromChild.readEnd) }
    guard code == 0 else {
      close(toChild.writeEnd)
      throw SystemError(code)
    }
    // A program that ends early isn't the end of this one: its status says what happened.
    let previous = signal(SIGPIPE, SIG_IGN)
    try? write(input, to: toChild.writeEnd)
    close(toChild.writeEnd)
    _ = signal(SIGPIPE, previous)
    let output = try readAll(fromChild.readEnd)
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f, output)
  }

  /// A pipe that no other child process inherits.
  private static func pipe() throws(SystemError) -> (readEnd: Int32, writeEnd: Int32) {
    var ends: [Int32] = [-1, -1]
    #if canImport(Glibc)
      guard unsafe Glibc.pipe(&ends) == 0 else { throw SystemError(errno) }
    #else
      guard unsafe Darwin.pipe(&ends) == 0 else { throw SystemError(errno) }
    #endif
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }
}
