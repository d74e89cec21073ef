#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The operating system's files.
package struct SystemFiles: FileSystem {
  package init() {}

  func createDirectory(_ path: String) throws(FileSystemError) {
    do {
      try systemCall(.createDirectory, path) { unsafe PathText.withSystemPath(path) { unsafe mkdir($0, 0o777) } }
    } catch {
      if error.code != EEXIST { throw error }
    }
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    let descriptor = try openDescriptor(path, O_WRONLY | O_CREAT | O_EXCL, as: .create)
    return SystemFile(path: path, descriptor: descriptor)
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    let (descriptor, status) = try openStoreFile(path, O_RDONLY)
    // The mapping outlives the descriptor, so mapped files need no descriptors.
    defer { close(descriptor) }
    let count = Int(status.st_size)
    // The kernel refuses a mapping of no bytes.
    guard count > 0 else { return MappedFile(.empty) {} }
    guard let base = unsafe mmap(nil, count, PROT_READ, MAP_SHARED, descriptor, 0), unsafe base != MAP_FAILED else {
      throw FileSystemError(.map, path, code: errno)
    }
    let address = UInt(bitPattern: base)
    let mappingGuard = MappingGuard.isInstalled ? MappingGuard(address: address, count: count) : nil
    return unsafe MappedFile(
      ByteView(UnsafeRawBufferPointer(start: base, count: count)), guardedBy: mappingGuard,
      fetch: { fetchPages(of: $0, mappedAt: address) },
      release: {
        mappingGuard?.end()
        unsafe munmap(UnsafeMutableRawPointer(bitPattern: address), count)
      })
  }

  /// The first bytes of a file followed by the last; fewer bytes if the file is shorter.
  ///
  /// This costs less than a mapping, whose end is announced to every processor that runs the process. It is used only for a
  /// published file, which is never written again. It isn't part of the seam, because no store depends on it.
  func ends(of path: String, first: Int, last: Int) throws(FileSystemError) -> [UInt8] {
    let (descriptor, status) = try openStoreFile(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    for (offset, count) in [(0, first), (max(0, Int(status.st_size) - last), last)] {
      bytes += try readBytes(of: descriptor, path, at: offset, count)
    }
    return bytes
  }

  func watch(_ directory: String) -> DirectoryWatch? { DirectoryWatch(directory) }

  func isLink(_ path: String) -> Bool { PathKind(of: path, followingLinks: false) == .link }

  package func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try systemCall(.rename, newPath) {
      // Qualified, because the method hides the function.
      #if canImport(Glibc)
        unsafe PathText.withSystemPath(path) { old in
          unsafe PathText.withSystemPath(newPath) { unsafe Glibc.rename(old, $0) }
        }
      #else
        unsafe PathText.withSystemPath(path) { old in
          unsafe PathText.withSystemPath(newPath) { unsafe Darwin.rename(old, $0) }
        }
      #endif
    }
  }

  package func remove(_ path: String) throws(FileSystemError) {
    try systemCall(.remove, path) { unsafe PathText.withSystemPath(path) { unsafe unlink($0) } }
  }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    try systemCall(.remove, path) { unsafe PathText.withSystemPath(path) { unsafe rmdir($0) } }
  }

  func names(in directory: String) throws(FileSystemError) -> [String] {
    let descriptor = try openDescriptor(directory, O_RDONLY | O_DIRECTORY, as: .list)
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
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe PathText.text($0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    let descriptor = try openDescriptor(path, O_RDONLY | O_DIRECTORY)
    defer { close(descriptor) }
    try systemCall(.sync, path) { synchronize(descriptor) }
  }

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    while true {
      let (descriptor, status) = try openStoreFile(path, O_RDWR | O_CREAT, as: .lock)
      // The holder's name is written into the file, which would spoil another one of which this is a second name.
      guard status.st_nlink <= 1 else {
        close(descriptor)
        throw FileSystemError(.lock, path, .manyNames)
      }
      do { try systemCall(.lock, path) { flock(descriptor, LOCK_EX | LOCK_NB) } } catch {
        close(descriptor)
        if error.code == EWOULDBLOCK { return nil }
        throw error
      }
      // The holder before may have removed the file since it was opened. Then this lock keeps nobody out.
      if let status = Quoin.status(of: descriptor), status.st_nlink > 0 {
        return SystemLock(descriptor: descriptor, holder: holder)
      }
      close(descriptor)
    }
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
    try writeAll(bytes, to: descriptor, path)
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

  func write(_ bytes: RawSpan) throws(FileSystemError) { try writeAll(bytes, to: descriptor, path) }

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

  /// The lock is released by name: a child that was forked meanwhile has the descriptor too, and would keep it.
  deinit {
    write("")
    _ = flock(descriptor, LOCK_UN)
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

extension FileSystemError {
  var isNoSuchFile: Bool { code == ENOENT }
}
