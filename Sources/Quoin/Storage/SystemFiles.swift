#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The operating system's files.
struct SystemFiles: FileSystem {
  func createDirectory(_ path: String) throws(FileSystemError) {
    if unsafe mkdir(path, 0o777) != 0, errno != EEXIST {
      throw FileSystemError(.createDirectory, path, code: errno)
    }
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    let descriptor = try call(.create, path) { unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    return SystemFile(path: path, descriptor: descriptor)
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    let descriptor = try call(.open, path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
    // The mapping outlives the descriptor, so that many files take no descriptors.
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

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    // Qualified, for the method hides the function.
    #if canImport(Glibc)
      let result = unsafe Glibc.rename(path, newPath)
    #else
      let result = unsafe Darwin.rename(path, newPath)
    #endif
    if result != 0 { throw FileSystemError(.rename, newPath, code: errno) }
  }

  func remove(_ path: String) throws(FileSystemError) {
    if unsafe unlink(path) != 0 { throw FileSystemError(.remove, path, code: errno) }
  }

  func names(in directory: String) throws(FileSystemError) -> [String] {
    guard let stream = unsafe opendir(directory) else { throw FileSystemError(.list, directory, code: errno) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        // Sound: the kernel ends the name with a zero byte inside the field.
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    let descriptor = try call(.open, path) { unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    defer { close(descriptor) }
    if synchronize(descriptor) != 0 { throw FileSystemError(.sync, path, code: errno) }
  }

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    let descriptor = try call(.open, path) { unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666) }
    let lock = SystemLock(descriptor: descriptor)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK { return nil }
      guard errno == EINTR else { throw FileSystemError(.lock, path, code: errno) }
    }
    // Who holds the lock is told for people's sake alone; the kernel's lock is what counts. The file never becomes
    // shorter: whoever is refused maps it, and to touch what was cut off would end that process.
    var text = Array(holder.utf8.prefix(WriterLock.holderByteCount))
    text.append(contentsOf: repeatElement(0, count: WriterLock.holderByteCount - text.count))
    _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    return lock
  }
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
    var written = 0
    while written < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = unsafe writeOnce(rest)
      // A write of no bytes without an error would otherwise go on for ever.
      if count <= 0 { throw FileSystemError(.write, path, code: count == 0 ? ENOSPC : errno) }
      written += count
    }
  }

  private func writeOnce(_ bytes: UnsafeRawBufferPointer) -> Int {
    // Linux writes no more than this at once, macOS refuses more.
    let limit = min(bytes.count, 1 << 30)
    while true {
      #if canImport(Glibc)
        let count = unsafe Glibc.write(descriptor, bytes.baseAddress, limit)
      #else
        let count = unsafe Darwin.write(descriptor, bytes.baseAddress, limit)
      #endif
      if count >= 0 || errno != EINTR { return count }
    }
  }

  func sync() throws(FileSystemError) {
    if synchronize(descriptor) != 0 { throw FileSystemError(.sync, path, code: errno) }
  }
}

private final class SystemLock: HeldLock {
  private let descriptor: Int32

  init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }
}

/// A system call that gives a descriptor, repeated when a signal interrupts it.
private func call(
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

/// The operating system's words for an error number.
func systemMessage(_ code: Int32) -> String {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
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

/// Who is writing, for whoever finds the store locked: process, host, since when.
func holderDescription() -> String {
  let host = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
    // Sound: the last byte is kept for the end mark, which a truncated name would lack.
    unsafe buffer.initialize(repeating: 0)
    return unsafe gethostname(buffer.baseAddress!, buffer.count - 1) == 0
      ? String(cString: buffer.baseAddress!) : "unknown host"
  }
  return "process \(getpid()) on \(host) since \(currentTimestamp())"
}
