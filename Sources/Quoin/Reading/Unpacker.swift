#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A child process that unpacks a file: the file is its standard input, so that no path becomes part of a command.
///
/// GNU gzip unpacks a one-file zip too; elsewhere `unzip -p` does. However reading ends, the child is waited for: no
/// zombie stays, and a child that is not done is killed first.
struct Unpacker: ~Copyable {
  private let tool: String
  private let file: String
  private let output: Descriptor
  private let messages: Descriptor
  private let process: pid_t
  private var isWaitedFor = false

  init(_ packing: Packing, input: borrowing Descriptor, file: String) throws(ImportError) {
    let command = Self.command(for: packing)
    let output = try Pipe(file: file)
    let messages = try Pipe(file: file)
    let (status, process) = Self.spawn(
      command, input: input.number, output: output.writing.number, messages: messages.writing.number)
    switch status {
    case 0: break
    case ENOENT: throw .toolMissing(file: file, tool: command[0])
    default: throw .cannotOpen(file: file, errno: status)
    }
    self.tool = command[0]
    self.file = file
    self.output = output.reading
    self.messages = messages.reading
    self.process = process
  }

  deinit {
    guard !isWaitedFor else { return }
    _ = kill(process, SIGKILL)
    _ = Self.wait(for: process)
  }

  /// Reads some unpacked bytes; 0 at the end.
  ///
  /// - Throws: `ImportError.cannotUnpack` at the end, if the child says that the archive is damaged.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(ImportError) -> Int {
    guard !isWaitedFor else { return 0 }
    let count = try unsafe output.read(into: buffer, file: file)
    if count == 0 {
      isWaitedFor = true
      let status = Self.wait(for: process)
      if status != 0 { throw .cannotUnpack(file: file, tool: tool, detail: message(status)) }
    }
    return count
  }

  /// The last line that the child wrote about its failure.
  private func message(_ status: Int32) -> String {
    var text = [UInt8](repeating: 0, count: 1024)
    let count = unsafe text.withUnsafeMutableBytes { buffer in
      (try? unsafe messages.read(into: buffer, file: file)) ?? 0
    }
    let lines = text.prefix(count).split(separator: UInt8(ascii: "\n"))
    guard let line = lines.last(where: { !$0.isEmpty }) else { return "status \(status)" }
    return ShownText.sanitized(line, byteCount: 200)
  }

  private static func command(for packing: Packing) -> [String] {
    #if canImport(Darwin)
      if packing == .zip { return ["unzip", "-p", "/dev/stdin"] }
    #endif
    return ["gzip", "-dc"]
  }

  private static func spawn(
    _ command: [String], input: Int32, output: Int32, messages: Int32
  ) -> (status: Int32, process: pid_t) {
    #if canImport(Glibc)
      var actions = unsafe posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (from, to) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (messages, STDERR_FILENO)] {
      unsafe posix_spawn_file_actions_adddup2(&actions, from, to)
    }
    var arguments = unsafe command.map { unsafe strdup($0) } + [nil]
    var environment = unsafe [strdup("LC_ALL=C"), nil]
    let texts = unsafe arguments + environment
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    var process: pid_t = 0
    let status = unsafe posix_spawnp(&process, command[0], &actions, nil, &arguments, &environment)
    return (status, process)
  }

  /// Waits for the child's end; 0 if it was a good one, else its exit status, or the number of its signal + 128.
  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }
}

/// The two ends of a pipe; a child inherits neither.
private struct Pipe: ~Copyable {
  let reading: Descriptor
  let writing: Descriptor

  init(file: String) throws(ImportError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw .cannotOpen(file: file, errno: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = Descriptor(owning: ends[0])
    writing = Descriptor(owning: ends[1])
  }
}
