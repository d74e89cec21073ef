#if canImport(Glibc)
  import CKernels
  import Glibc
#else
  import Darwin
#endif

// The operating system's calls on descriptors, and what else is asked of it without a file.
//
// Sound: the kernel gets each pointer with the true size of its memory, and keeps none of them. Swift ends a path with a
// zero byte.

/// Opens a file, which a program that this process starts doesn't inherit. The user's mask says who may use a new file.
func openDescriptor(
  _ path: String, _ flags: Int32, as operation: FileSystemError.Operation = .open
) throws(FileSystemError) -> Int32 {
  try systemCall(operation, path) { unsafe PathText.withSystemPath(path) { unsafe open($0, flags | O_CLOEXEC, 0o666) } }
}

/// What the system knows of an open file; nil, and `errno`, if it knows nothing.
func status(of descriptor: Int32) -> stat? {
  var status = stat()
  return unsafe fstat(descriptor, &status) == 0 ? status : nil
}

/// Reads some bytes at the file's position, at most `countMax`, into `target` from byte `start` on; 0 at the end.
func readSome(
  of descriptor: Int32, _ path: String, into target: inout MutableRawSpan, at start: Int, countMax: Int
) throws(FileSystemError) -> Int {
  try unsafe target.withUnsafeMutableBytes { target throws(FileSystemError) in
    let room = unsafe UnsafeMutableRawBufferPointer(rebasing: target.dropFirst(start).prefix(min(countMax, 1 << 30)))
    return Int(try systemCall(.read, path) { unsafe Int32(read(descriptor, room.baseAddress, room.count)) })
  }
}

/// Reads `count` bytes from `offset` on, or fewer at the end of the file.
func readBytes(
  of descriptor: Int32, _ path: String, at offset: Int, _ count: Int
) throws(FileSystemError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: count)
  let read = try systemCall(.read, path) {
    unsafe bytes.withUnsafeMutableBytes { unsafe Int32(pread(descriptor, $0.baseAddress, $0.count, off_t(offset))) }
  }
  return Array(bytes.prefix(Int(read)))
}

/// Mapped bytes are read in pages of this size.
private let pageByteCount = max(4096, sysconf(Int32(_SC_PAGESIZE)))

/// Asks the kernel to read the pages of a range of mapped bytes into its cache, and doesn't wait for them.
///
/// The kernel reads at most what it would read ahead for one call, 128 KiB by default, and ignores the rest. A refusal
/// doesn't matter, because the bytes are read anyway when they are looked at.
func fetchPages(of range: Range<Int>, mappedAt address: UInt) {
  let firstPage = range.lowerBound / pageByteCount * pageByteCount
  for start in stride(from: firstPage, to: range.upperBound, by: 131_072) {
    // Sound: it is only advice, and changes no memory.
    let place = unsafe UnsafeMutableRawPointer(bitPattern: address + UInt(start))
    unsafe madvise(place, min(131_072, range.upperBound - start), MADV_WILLNEED)
  }
}

/// Writes all of `bytes` at the file's position.
func writeAll(_ bytes: RawSpan, to descriptor: Int32, _ path: String) throws(FileSystemError) {
  var written = 0
  while written < bytes.byteCount {
    let count = writeOnce(bytes.extracting(droppingFirst: written), to: descriptor)
    // A write of no bytes without an error would otherwise go on for ever.
    if count <= 0 { throw FileSystemError(.write, path, code: count == 0 ? ENOSPC : errno) }
    written += count
  }
}

private func writeOnce(_ bytes: RawSpan, to descriptor: Int32) -> Int {
  // Linux writes no more than this at once, macOS refuses more.
  let limit = min(bytes.byteCount, 1 << 30)
  while true {
    let count = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, limit) }
    if count >= 0 || errno != EINTR { return count }
  }
}

/// A system call that answers -1 when it fails, repeated when a signal interrupts it.
@discardableResult
func systemCall(
  _ operation: FileSystemError.Operation, _ path: String, _ body: () -> Int32
) throws(FileSystemError) -> Int32 {
  while true {
    let result = body()
    if result >= 0 { return result }
    if errno != EINTR { throw FileSystemError(operation, path, code: errno) }
  }
}

/// Flushes a file to the medium itself: plain fsync stops at the drive's cache on macOS.
func synchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(descriptor)
}

/// The name of this machine.
func systemHostName() -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    // Sound: the last byte is kept for the end mark, which a truncated name would lack.
    unsafe buffer.initialize(repeating: 0)
    return unsafe gethostname(buffer.baseAddress!, buffer.count - 1) == 0
      ? String(cString: buffer.baseAddress!) : "unknown host"
  }
}

/// The operating system's words for an error number.
package func systemMessage(_ code: Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    // Sound: the buffer isn't empty, and its size is handed over.
    guard unsafe strerror_r(code, buffer.baseAddress!, buffer.count) == 0 else { return "error \(code)" }
    return unsafe String(cString: buffer.baseAddress!)
  }
}

/// The system's clock, to the second.
package func currentTime() -> CommitTime {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return CommitTime(secondsSince1970: Int64(time.tv_sec))
}

extension TradingDay {
  /// The day by the system's clock, in Coordinated Universal Time.
  package static var today: TradingDay { currentTime().day }
}

extension SystemFiles {
  /// The kind of network file system that `path` is on; nil on a local disk. If there is nothing at `path` yet, the kind of
  /// the directory that it will be in.
  func networkKind(of path: String) -> String? {
    var place = path
    while unsafe access(place, F_OK) != 0 {
      guard errno == ENOENT, let parent = Self.parent(of: place) else { return nil }
      place = parent
    }
    return Self.networkKind(ofExisting: place)
  }

  private static func parent(of path: String) -> String? {
    guard !path.isEmpty, path != "." else { return nil }
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  #if canImport(Glibc)
    private static func networkKind(ofExisting path: String) -> String? {
      unsafe NetworkKind.name(forMagic: UInt32(truncatingIfNeeded: quoin_file_system_kind(path)))
    }
  #else
    private static func networkKind(ofExisting path: String) -> String? {
      var status = statfs()
      guard unsafe statfs(path, &status) == 0, status.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
      return unsafe withUnsafePointer(to: &status.f_fstypename) {
        // Sound: the kernel ends the name with a zero byte inside the field.
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: Int(MFSTYPENAMELEN)) { unsafe String(cString: $0) }
      }
    }
  #endif
}
