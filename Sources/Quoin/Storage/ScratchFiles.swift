import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file system that shows another one, and keeps in memory what is written: for a change that is tried and not made.
///
/// New files can be mapped and renamed. Nothing of the other file system can be removed or replaced, and nobody else is kept
/// from writing.
final class ScratchFiles: FileSystem {
  private let disk: any FileSystem
  private let written = Mutex<[String: MappedFile]>([:])

  init(over disk: any FileSystem) { self.disk = disk }

  func createDirectory(_ path: String) {}

  func createFile(_ path: String) -> any WritableFile { File(path, self) }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    if let file = written.withLock({ $0[path] }) { return file }
    return try disk.map(path)
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    let isWritten = written.withLock { files in
      guard let file = files.removeValue(forKey: path) else { return false }
      files[newPath] = file
      return true
    }
    if !isWritten { throw FileSystemError(.rename, path, code: EROFS) }
  }

  func remove(_ path: String) throws(FileSystemError) {
    if written.withLock({ $0.removeValue(forKey: path) }) == nil { throw FileSystemError(.remove, path, code: EROFS) }
  }

  func names(in directory: String) throws(FileSystemError) -> [String] { try disk.names(in: directory) }

  func syncDirectory(_ path: String) {}

  func lock(_ path: String, holder: String) -> (any HeldLock)? { nil }

  var now: CommitTime { disk.now }

  private final class File: WritableFile {
    private let path: String
    private let files: ScratchFiles
    private var bytes: [UInt8] = []

    init(_ path: String, _ files: ScratchFiles) { (self.path, self.files) = (path, files) }

    func write(_ more: RawSpan) { bytes.append(more) }

    func sync() {
      let file = MappedFile(copying: bytes)
      files.written.withLock { $0[path] = file }
    }
  }
}

extension MappedFile {
  /// Bytes in memory.
  convenience init(copying bytes: [UInt8]) {
    // Sound: the memory is never written again, and is freed when the file goes.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 64)
    unsafe memory.copyBytes(from: bytes)
    let address = UInt(bitPattern: memory.baseAddress)
    unsafe self.init(ByteView(UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count))) {
      unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
    }
  }
}
