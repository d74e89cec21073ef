#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program run with pipes for its standard input, output and error.
final class ChildProcess {
  struct Result {
    /// The exit status; 128 and the signal's number after a signal, as a shell has it.
    let status: Int32
    let out: String
    let err: String

    var lines: [Substring] { out.split(separator: "\n") }

    /// A line of the output; empty where there is none.
    func line(_ index: Int) -> Substring { lines.indices.contains(index) ? lines[index] : "" }
  }

  private var input: Int32
  private let output: Int32
  private let error: Int32
  let process: pid_t
  /// What was read of its standard output and not handed out yet.
  private var unread: [UInt8] = []
  private var isFinished = false

  /// - Parameter environment: all of it, `NAME=value` each.
  init(_ path: String, _ arguments: [String], environment: [String]) throws {
    let (inputPipe, outputPipe, errorPipe) = (try Pipe(), try Pipe(), try Pipe())
    var actions = FileActions()
    actions.connect(inputPipe.readEnd, STDIN_FILENO)
    actions.connect(outputPipe.writeEnd, STDOUT_FILENO)
    actions.connect(errorPipe.writeEnd, STDERR_FILENO)
    process = try actions.spawn(path, arguments, environment)
    (input, output, error) = (inputPipe.writeEnd, outputPipe.readEnd, errorPipe.readEnd)
    for descriptor in [inputPipe.readEnd, outputPipe.writeEnd, errorPipe.writeEnd] { close(descriptor) }
  }

  /// Ends it, if nobody has waited for its end. A process that nobody has waited for hides the exit tests' processes from
  /// Swift Testing, which waits for them for ever.
  deinit {
    for descriptor in [input, output, error] where descriptor >= 0 { close(descriptor) }
    guard !isFinished else { return }
    send(signal: SIGKILL)
    while waitpid(process, nil, 0) < 0, errno == EINTR {}
  }

  /// Writes to its standard input; not more than a pipe holds, if it doesn't read.
  func write(_ text: String) {
    let bytes = Array(text.utf8)
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes {
        unsafe systemWrite(input, $0.baseAddress! + written, $0.count - written)
      }
      guard count > 0 else { return }
      written += count
    }
  }

  func send(signal: Int32) { kill(process, signal) }

  /// Whether it has ended, though nobody has asked for the result.
  var hasEnded: Bool {
    var information = unsafe siginfo_t()
    let result = unsafe waitid(P_PID, id_t(process), &information, WEXITED | WNOHANG | WNOWAIT)
    return unsafe result == 0 && information.si_signo == SIGCHLD
  }

  /// The next line of its standard output; nil at its end, and when none comes within half a minute.
  func line() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard unsafe poll(&descriptor, 1, 30_000) > 0, readSome(output, into: &unread) else { return nil }
    }
  }

  /// Closes its standard input, reads all that it says, and waits for its end.
  func finish() -> Result {
    close(input)
    input = -1
    let texts = readToEnd()
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
    isFinished = true
    let signal = status & 0x7f
    return Result(status: signal == 0 ? status >> 8 & 0xff : 128 + signal, out: texts.out, err: texts.err)
  }

  /// Reads both streams by turns, so that neither fills up while the other is waited for.
  private func readToEnd() -> (out: String, err: String) {
    var descriptors = [output, error].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var bytes: [[UInt8]] = [unread, []]
    while descriptors.contains(where: { $0.fd >= 0 }) {
      _ = unsafe poll(&descriptors, nfds_t(descriptors.count), -1)
      for index in descriptors.indices where descriptors[index].fd >= 0 && descriptors[index].revents != 0 {
        if !readSome(descriptors[index].fd, into: &bytes[index]) { descriptors[index].fd = -1 }
      }
    }
    return (String(decoding: bytes[0], as: UTF8.self), String(decoding: bytes[1], as: UTF8.self))
  }

  private func readSome(_ descriptor: Int32, into bytes: inout [UInt8]) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = unsafe systemRead(descriptor, &buffer, buffer.count)
    if count > 0 { bytes += buffer[..<count] }
    return count > 0 || (count < 0 && errno == EINTR)
  }
}

/// A pipe whose ends other children don't inherit: one that did would keep it open.
private struct Pipe {
  let readEnd: Int32
  let writeEnd: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SpawnError(code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }
}

struct SpawnError: Error {
  let code: Int32
}

/// What a new process does with its descriptors before the program begins.
@safe private struct FileActions: ~Copyable {
  #if canImport(Glibc)
    private var actions = unsafe posix_spawn_file_actions_t()
  #else
    private var actions: posix_spawn_file_actions_t? = nil
  #endif

  init() { unsafe posix_spawn_file_actions_init(&actions) }

  deinit {
    var actions = unsafe actions
    unsafe posix_spawn_file_actions_destroy(&actions)
  }

  mutating func connect(_ descriptor: Int32, _ number: Int32) {
    unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
  }

  func spawn(_ path: String, _ arguments: [String], _ environment: [String]) throws -> pid_t {
    var words = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
    var variables = unsafe environment.map { unsafe strdup($0) } + [nil]
    defer {
      let texts = unsafe words + variables
      for index in unsafe texts.indices { unsafe free(texts[index]) }
    }
    var process: pid_t = 0
    var actions = unsafe actions
    // The threads on which tests run block signals, and a new process would inherit that.
    #if canImport(Glibc)
      var attributes = posix_spawnattr_t()
    #else
      var attributes: posix_spawnattr_t? = nil
    #endif
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let code = unsafe posix_spawn(&process, path, &actions, &attributes, &words, &variables)
    guard code == 0 else { throw SpawnError(code: code) }
    return process
  }
}

private func systemWrite(_ descriptor: Int32, _ start: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe write(descriptor, start, count)
}

private func systemRead(_ descriptor: Int32, _ start: UnsafeMutableRawPointer, _ count: Int) -> Int {
  unsafe read(descriptor, start, count)
}
