import ArgumentParser
import CKernels
import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The operating system refused a call; the code is its `errno`.
package struct SystemError: Error {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }
}

/// The system calls of the programs that take pointers, each as a function of Swift's types.
package enum System {
  // Sound: a pointer is valid during the call that takes it, and what the system allocates is copied and freed here.

  /// The operating system and the machine: `Linux 6.1.0 x86_64, 2 processors, 24.1 GB of memory`.
  package static var summary: String {
    var facts = utsname()
    unsafe uname(&facts)
    let names = [facts.sysname, facts.release, facts.machine].map { name in
      unsafe withUnsafeBytes(of: name) { unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let byteCount = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    let processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    return "\(names.joined(separator: " ")), \(processors.of("processor")), \(byteCount.asBytes) of memory"
  }

  /// Opens a file, which no child process inherits.
  package static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o666) throws(SystemError) -> Int32 {
    let descriptor = unsafe PathText.withSystemPath(path) { path in
      #if canImport(Glibc)
        unsafe Glibc.open(path, flags | O_CLOEXEC, mode)
      #else
        unsafe Darwin.open(path, flags | O_CLOEXEC, mode)
      #endif
    }
    guard descriptor >= 0 else { throw SystemError(errno) }
    return descriptor
  }

  /// As many of a file's first bytes as one call reads, up to `byteCountMax`.
  package static func beginning(of path: String, _ byteCountMax: Int) throws(SystemError) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: byteCountMax)
    let count = unsafe read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw SystemError(errno) }
    return Array(bytes.prefix(count))
  }

  /// Whether a path leads to a regular file. What else there is may keep a reader waiting for ever.
  package static func isRegularFile(_ path: String) -> Bool {
    var facts = stat()
    return unsafe stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
  }

  /// Writes all of the bytes.
  package static func write(_ bytes: RawSpan, to descriptor: Int32) throws(SystemError) {
    do throws(FileSystemError) { try SystemFiles().write(bytes, to: descriptor, "") } catch {
      throw SystemError(error.code)
    }
  }

  /// All bytes from a descriptor's position to its end.
  package static func readAll(_ descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    try readPieces(descriptor) {
      bytes += $0
      return true
    }
    return bytes
  }

  /// Hands bytes from a descriptor's position on to `take`, up to the end or until it wants no more.
  package static func readPieces(_ descriptor: Int32, _ take: (ArraySlice<UInt8>) -> Bool) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(descriptor, &buffer, buffer.count)
      if count == 0 { return }
      if count < 0, errno != EINTR { throw SystemError(errno) }
      if count > 0, !take(buffer[..<count]) { return }
    }
  }

  /// Writes all of the bytes.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
    let span = bytes.span
    try write(unsafe span.bytes, to: descriptor)
  }

  package static func rename(_ path: String, to newPath: String) throws(SystemError) {
    do throws(FileSystemError) { try SystemFiles().rename(path, to: newPath) } catch { throw SystemError(error.code) }
  }

  /// Removes a file, if it is there and can be removed.
  package static func remove(_ path: String) { try? SystemFiles().remove(path) }

  package static func makeDirectory(_ path: String) throws(SystemError) {
    guard unsafe PathText.withSystemPath(path, { unsafe mkdir($0, 0o777) }) == 0 else { throw SystemError(errno) }
  }

  /// The type and permissions of what is at a path, links followed; nil when there is nothing.
  package static func mode(of path: String) -> mode_t? {
    var status = stat()
    return unsafe PathText.withSystemPath(path) { unsafe stat($0, &status) } == 0 ? status.st_mode : nil
  }

  package static func isDirectory(_ path: String) -> Bool { mode(of: path).map { $0 & S_IFMT == S_IFDIR } ?? false }

  /// The path with all links followed; nil when there is nothing.
  package static func realPath(_ path: String) -> String? {
    guard let real = unsafe PathText.withSystemPath(path, { unsafe realpath($0, nil) }) else { return nil }
    defer { unsafe free(real) }
    return unsafe PathText.text(real)
  }

  /// From now on, memory in large pieces goes back to the system as soon as it is freed. For programs that go on for long and have
  /// many threads.
  package static func giveBackLargePieces() { quoin_give_back_large_pieces() }

  /// The arguments of the process, without its name.
  package static var arguments: [String] {
    (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe PathText.text($0) }
    }
  }

  /// A variable of the environment; nil when it is absent or empty.
  package static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    let text = unsafe String(cString: value)
    return text.isEmpty ? nil : text
  }

  /// The width of a terminal in characters and its height in lines, each nil when it isn't known.
  static func terminalSize(_ descriptor: Int32) -> (columns: Int?, rows: Int?) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return (nil, nil) }
    return (size.ws_col > 0 ? Int(size.ws_col) : nil, size.ws_row > 0 ? Int(size.ws_row) : nil)
  }

  /// Gives a signal its default action, whatever the parent process did with it.
  static func restoreDefault(of number: Int32) {
    _ = signal(number, SIG_DFL)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, number)
    unsafe sigprocmask(SIG_UNBLOCK, &signals, nil)
  }
}

extension System {
  /// Ends the process as a signal does that nobody handles: a shell sees 128 and the number, and stops its loops.
  package static func die(of number: Int32) -> Never {
    restoreDefault(of: number)
    _ = raise(number)
    StandardStreams.exit(ExitCode(128 + number))
  }
}

// How many files the process may have open.
extension System {
  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif

  /// The number of descriptors that the process may have now, and the number that it may ask for.
  package static var descriptorLimit: rlimit {
    get {
      var limit = rlimit()
      _ = unsafe getrlimit(resource, &limit)
      return limit
    }
    set {
      var limit = newValue
      _ = unsafe setrlimit(resource, &limit)
    }
  }
}

// Starting another program.
extension System {
  /// Replaces this process by a program at a path or, if it is only a name, on the search path. Returns only if that fails.
  package static func replaceProcess(by program: String, _ arguments: [String]) -> SystemError {
    var texts = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe texts.indices { unsafe free(texts[index]) } }
    _ = unsafe execvp(program, &texts)
    return SystemError(errno)
  }

  /// The path of this program.
  package static var executablePath: String? {
    #if canImport(Glibc)
      return realPath("/proc/self/exe")
    #else
      var size: UInt32 = 0
      _ = unsafe _NSGetExecutablePath(nil, &size)
      var buffer = [CChar](repeating: 0, count: Int(size))
      guard unsafe _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      return realPath(unsafe String(cString: buffer))
    #endif
  }
}

// Cleaning up when a signal ends the process.
extension System {
  /// Has this sentence said when a signal ends the process; nil for none.
  package static func sayOnSignal(_ sentence: String?) {
    let text = sentence.map { "\(Terminal.showsProgress ? "\r\u{1B}[K" : "")quoin: \($0)\n" }
    let previous = unsafe saidOnSignal
    unsafe saidOnSignal = text.flatMap { unsafe strdup($0) }
    unsafe free(previous)
    if text != nil { cleanUpOnSignal() }
  }

  private static func cleanUpOnSignal() {
    for number in [SIGINT, SIGTERM, SIGHUP] { _ = signal(number, removeAndDie) }
  }

  /// Has this file removed when a signal ends the process, in place of the one named before; nil for none.
  static func removeOnSignal(_ path: String?) {
    let previous = unsafe removedOnSignal
    unsafe removedOnSignal = path.flatMap { unsafe strdup($0) }
    unsafe free(previous)
    if path != nil { cleanUpOnSignal() }
  }
}

// Sound: set before the handler is, and read by the handler alone. One command writes one file at a time, on one thread.
nonisolated(unsafe) private var removedOnSignal: UnsafeMutablePointer<CChar>?
nonisolated(unsafe) private var saidOnSignal: UnsafeMutablePointer<CChar>?

/// A signal handler: it makes only calls that are allowed in one.
private func removeAndDie(_ number: Int32) {
  if let path = unsafe removedOnSignal { _ = unsafe unlink(path) }
  if let text = unsafe saidOnSignal { _ = unsafe write(STDERR_FILENO, text, strlen(text)) }
  _ = signal(number, SIG_DFL)
  _ = raise(number)
}

extension System {
  /// Loads what knows time zones by their names. To load it takes longer than most questions, so only who needs it does.
  package static func loadTimeZones() {
    #if canImport(FoundationEssentials)
      // Sound: the library stays loaded, and Foundation's essentials find it by themselves.
      _ = unsafe dlopen("libFoundationInternationalization.so", RTLD_NOW | RTLD_GLOBAL)
    #endif
  }
}
