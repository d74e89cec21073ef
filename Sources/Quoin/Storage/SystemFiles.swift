#if canImport(Glibc)
  import CKernels
  import Glibc
#else
  import Darwin
#endif

/// The operating system's files.
package struct SystemFiles: FileSystem {
  package init() {}

  func createDirectory(_ path: String) throws(FileSystemError) {
    do { try systemCall(.createDirectory, path) { unsafe mkdir(path, 0o777) } } catch {
      if error.code != EEXIST { throw error }
    }
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    let descriptor = try systemCall(.create, path) { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    return SystemFile(path: path, descriptor: descriptor)
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    let descriptor = try systemCall(.open, path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    // The mapping outlives the descriptor, so mapped files need no descriptors.
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystemError(.map, path, code: errno) }
    let count = Int(status.st_size)
    // The kernel refuses a mapping of no bytes.
    guard count > 0 else { return unsafe MappedFile(UnsafeRawBufferPointer(start: nil, count: 0)) {} }
    guard let base = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0), unsafe base != MAP_FAILED else {
      throw FileSystemError(.map, path, code: errno)
    }
    let address = UInt(bitPattern: base)
    return unsafe MappedFile(UnsafeRawBufferPointer(start: base, count: count)) {
      unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), count)
    }
  }

  /// The first bytes of a file followed by the last; fewer bytes if the file is shorter.
  ///
  /// This costs less than a mapping, whose end is announced to every processor that runs the process. It is used only for a
  /// published file, which is never written again. It isn't part of the seam, because no store depends on it.
  func ends(of path: String, first: Int, last: Int) throws(FileSystemError) -> [UInt8] {
    let descriptor = try systemCall(.open, path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(descriptor) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystemError(.read, path, code: errno) }
    var bytes: [UInt8] = []
    for (offset, count) in [(0, first), (max(0, Int(status.st_size) - last), last)] {
      bytes += try read(descriptor, path, at: offset, count)
    }
    return bytes
  }

  /// Reads the wanted number of bytes, or fewer at the end of the file.
  private func read(_ descriptor: Int32, _ path: String, at offset: Int, _ count: Int) throws(FileSystemError)
    -> [UInt8]
  {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = try systemCall(.read, path) {
      // Sound: the array has so many bytes.
      unsafe bytes.withUnsafeMutableBytes { unsafe Int32(pread(descriptor, $0.baseAddress, $0.count, off_t(offset))) }
    }
    return Array(bytes.prefix(Int(read)))
  }

  package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try systemCall(.rename, newPath) {
      // Qualified, because the method hides the function.
      #if canImport(Glibc)
        unsafe Glibc.rename(path, newPath)
      #else
        unsafe Darwin.rename(path, newPath)
      #endif
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try systemCall(.remove, path) { unsafe unlink(path) }
  }

  func names(in directory: String) throws(FileSystemError) -> [String] {
    let descriptor = try systemCall(.list, directory) { unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard let stream = unsafe fdopendir(descriptor) else {
      defer { close(descriptor) }
      throw FileSystemError(.list, directory, code: errno)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      // Only the error number tells the end from a failure. Without this check a truncated list would look complete.
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno == 0 { return names }
        if errno == EINTR { continue }
        throw FileSystemError(.list, directory, code: errno)
      }
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        // Sound: the kernel ends the name with a zero byte inside the field.
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    let descriptor = try systemCall(.open, path) { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(descriptor) }
    try systemCall(.sync, path) { synchronize(descriptor) }
  }

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    let descriptor = try systemCall(.open, path) { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    do { try systemCall(.lock, path) { flock(descriptor, LOCK_EX | LOCK_NB) } } catch {
      close(descriptor)
      if error.code == EWOULDBLOCK { return nil }
      throw error
    }
    return SystemLock(descriptor: descriptor, holder: holder)
  }
}

// Files that aren't a store's.
extension SystemFiles {
  /// Creates a file with a new name that begins with `path`, opens it for reading and writing, and gives only this user
  /// access to it. The caller closes the descriptor.
  package func createTemporaryFile(beside path: String) throws(FileSystemError) -> (descriptor: Int32, path: String) {
    var template: [CChar] = []
    let descriptor = try systemCall(.create, path) {
      template = Array("\(path).XXXXXX".utf8CString)
      // Sound: the template ends with a zero, and only the characters before it change.
      return unsafe mkstemp(&template)
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return (descriptor, String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  /// Writes all of `bytes` to the file at `path`, which is open.
  package func write(_ bytes: RawSpan, to descriptor: Int32, _ path: String) throws(FileSystemError) {
    try unsafe bytes.withUnsafeBytes { bytes throws(FileSystemError) in
      try unsafe writeAll(bytes, to: descriptor, path)
    }
  }
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

/// A file being written through its descriptor, which is closed with the object.
private final class SystemFile: WritableFile {
  private let path: String
  private let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
    try unsafe writeAll(bytes, to: descriptor, path)
  }

  func sync() throws(FileSystemError) {
    try systemCall(.sync, path) { synchronize(descriptor) }
  }
}

/// The kernel's lock on a file, which ends with the descriptor. The holder's name is written into the file only for people,
/// and erased at the end.
private final class SystemLock: HeldLock {
  private let descriptor: Int32

  init(descriptor: Int32, holder: String) {
    self.descriptor = descriptor
    write(holder)
  }

  deinit {
    write("")
    close(descriptor)
  }

  /// The file never becomes shorter, because a process that is refused maps it, and reading a part that was cut off would
  /// end that process.
  private func write(_ holder: String) {
    var text = Array(holder.utf8.prefix(WriterLock.holderByteCount))
    text.append(contentsOf: repeatElement(0, count: WriterLock.holderByteCount - text.count))
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }
}

private func writeAll(
  _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, _ path: String
) throws(FileSystemError) {
  var written = 0
  while written < bytes.count {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
    let count = unsafe writeOnce(rest, to: descriptor)
    // A write of no bytes without an error would otherwise go on for ever.
    if count <= 0 { throw FileSystemError(.write, path, code: count == 0 ? ENOSPC : errno) }
    written += count
  }
}

private func writeOnce(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
  // Linux writes no more than this at once, macOS refuses more.
  let limit = min(bytes.count, 1 << 30)
  while true {
    let count = unsafe write(descriptor, bytes.baseAddress, limit)
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
private func synchronize(_ descriptor: Int32) -> Int32 {
  #if canImport(Darwin)
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
  #endif
  return fsync(descriptor)
}

extension FileSystemError {
  var isNoSuchFile: Bool { code == ENOENT }
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
func currentTimestamp() -> Timestamp {
  var time = timespec()
  unsafe clock_gettime(CLOCK_REALTIME, &time)
  return Timestamp(secondsSince1970: Int64(time.tv_sec))
}

extension TradingDay {
  /// The day by the system's clock, in Coordinated Universal Time.
  package static var today: TradingDay { currentTimestamp().day }
}
