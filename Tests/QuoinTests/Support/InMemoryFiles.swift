import Synchronization

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A disk in memory: fast, and easy to damage.
final class InMemoryFiles: FileSystem {
  private struct State {
    var files: [String: MappedFile] = [:]
    var directories: Set<String> = [""]
    var locks: [String: WeakLock] = [:]
  }

  private struct WeakLock {
    weak var lock: Lock?
  }

  private final class Lock: HeldLock {}

  private let state = Mutex(State())
  /// Whether files are mapped as those that others may make shorter: only copies of their bytes can be relied on.
  private let areGuarded: Bool

  init(areGuarded: Bool = false) { self.areGuarded = areGuarded }

  /// A disk with the same content as another, and no locks.
  init(copying other: InMemoryFiles) {
    areGuarded = other.areGuarded
    let (files, directories) = other.state.withLock { ($0.files, $0.directories) }
    state.withLock {
      $0.files = files
      $0.directories = directories
    }
  }

  /// A disk with this content.
  init(_ image: DiskImage) {
    areGuarded = false
    let files = image.files.mapValues(mappedCopy)
    state.withLock {
      $0.files = files
      $0.directories.formUnion(image.directories)
    }
  }

  /// All files by path.
  var content: [String: [UInt8]] {
    get { state.withLock { $0.files.mapValues(\.view.array) } }
    set {
      let files = newValue.mapValues(mappedCopy)
      state.withLock { $0.files = files }
    }
  }

  subscript(path: String) -> [UInt8]? {
    get { state.withLock { $0.files[path]?.view.array } }
    set {
      let file = newValue.map(mappedCopy)
      state.withLock { $0.files[path] = file }
    }
  }

  /// Puts a file in its place as it is mapped.
  func place(_ file: MappedFile, at path: String) { state.withLock { $0.files[path] = file } }

  func makeDirectory(_ path: String) { _ = state.withLock { $0.directories.insert(path) } }

  /// Always the same, so that equal writes make equal bytes.
  var now: CommitTime { CommitTime(secondsSince1970: 1_500_000_000) }

  func createDirectory(_ path: String) throws(FileSystemError) {
    makeDirectory(path)
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    let exists = state.withLock { state in
      guard state.files[path] == nil else { return true }
      state.files[path] = mappedCopy([])
      return false
    }
    if exists { throw FileSystemError(.create, path, code: EEXIST) }
    return File(path: path, disk: self)
  }

  private final class File: WritableFile {
    let path: String
    let disk: InMemoryFiles
    private var bytes: [UInt8] = []

    init(path: String, disk: InMemoryFiles) {
      self.path = path
      self.disk = disk
    }

    deinit { publish() }

    func write(_ more: RawSpan) throws(FileSystemError) { bytes.append(more) }

    func sync() throws(FileSystemError) { publish() }

    /// Until then, a mapping of the file is empty. No store maps a file that it is still writing.
    private func publish() { disk.replaceIfThere(path, bytes) }
  }

  private func replaceIfThere(_ path: String, _ bytes: [UInt8]) {
    state.withLock { state in
      if let file = state.files[path], file.view.count != bytes.count { state.files[path] = mappedCopy(bytes) }
    }
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    guard let file = state.withLock({ $0.files[path] }) else { throw FileSystemError(.open, path, code: ENOENT) }
    return areGuarded ? file.guarded : file
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    let isThere = state.withLock { state in
      guard let file = state.files.removeValue(forKey: path) else { return false }
      state.files[newPath] = file
      return true
    }
    if !isThere { throw FileSystemError(.rename, newPath, code: ENOENT) }
  }

  func remove(_ path: String) throws(FileSystemError) {
    guard state.withLock({ $0.files.removeValue(forKey: path) }) != nil else {
      throw FileSystemError(.remove, path, code: ENOENT)
    }
  }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    let isEmpty = state.withLock { state in
      guard !state.files.keys.contains(where: { $0.hasPrefix(path + "/") }) else { return false }
      state.directories.remove(path)
      return true
    }
    if !isEmpty { throw FileSystemError(.remove, path, code: ENOTEMPTY) }
  }

  func names(in directory: String) throws(FileSystemError) -> [String] {
    let names: [String]? = state.withLock { state in
      guard state.directories.contains(directory) else { return nil }
      return state.files.keys.filter { $0.hasPrefix(directory + "/") }.map { String($0.dropFirst(directory.count + 1)) }
    }
    guard let names else { throw FileSystemError(.list, directory, code: ENOENT) }
    return names
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {}

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    state.withLock { state in
      if state.locks[path]?.lock != nil { return nil }
      let lock = Lock()
      state.locks[path] = WeakLock(lock: lock)
      state.files[path] = mappedCopy(Array(holder.utf8))
      return lock
    }
  }
}

/// Bytes as a mapping that frees them.
func mappedCopy(_ bytes: [UInt8]) -> MappedFile {
  // Aligned, as pages are: a directory's arrays are read as words.
  let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, bytes.count), alignment: 64)
  unsafe memory.copyBytes(from: bytes)
  let address = UInt(bitPattern: memory.baseAddress)
  return unsafe MappedFile(ByteView(UnsafeRawBufferPointer(start: memory.baseAddress, count: bytes.count))) {
    unsafe UnsafeMutableRawPointer(bitPattern: address)?.deallocate()
  }
}

extension MappedFile {
  /// The same bytes, mapped once more.
  fileprivate var guarded: MappedFile {
    let address = unsafe UInt(bitPattern: view.bytes.baseAddress)
    let mappingGuard = MappingGuard(address: address, count: view.count)
    return MappedFile(view, guardedBy: mappingGuard) { [self] in
      mappingGuard?.end()
      withExtendedLifetime(self) {}
    }
  }
}
