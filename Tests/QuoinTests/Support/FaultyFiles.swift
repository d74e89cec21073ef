import Synchronization

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A disk that counts its operations, and what is open, and fails some of them.
final class FaultyFiles: FileSystem {
  private struct State {
    var operations: [String] = []
    var failing: [Range<Int>] = []
    var code: Int32 = EIO
    var share = 0.5
    var errand: (@Sendable () -> Void)?
    var isCounting = false
  }

  let disk: any FileSystem
  private let state = Mutex(State())
  private let handles = Mutex(0)

  init(_ disk: any FileSystem) { self.disk = disk }

  /// The operations since `begin`, as `sync 00000001.columns`.
  var operations: [String] { state.withLock { $0.operations } }

  /// How many files are open for writing and locks held: what takes a descriptor.
  var handleCount: Int { handles.withLock { $0 } }

  /// Counts from here, and fails the operations of these numbers.
  ///
  /// - Parameter share: how much of its bytes a write that fails has written.
  func begin(failing: [Range<Int>] = [], code: Int32 = EIO, share: Double = 0.5) {
    state.withLock { $0 = State(failing: failing, code: code, share: share, isCounting: true) }
  }

  /// Counts from here, and does something just before each operation.
  func begin(_ errand: @escaping @Sendable () -> Void) {
    state.withLock { $0 = State(errand: errand, isCounting: true) }
  }

  /// Fails nothing any more.
  func end() { state.withLock { $0.isCounting = false } }

  private func count(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
    let (code, errand): (Int32?, (@Sendable () -> Void)?) = state.withLock { state in
      guard state.isCounting else { return (nil, nil) }
      let number = state.operations.count
      state.operations.append(FileSystemError(operation, path, code: 0).step)
      return (state.failing.contains { $0.contains(number) } ? state.code : nil, state.errand)
    }
    errand?()
    if let code { throw FileSystemError(operation, path, code: code) }
  }

  /// Counts something as open for as long as it lives.
  private final class Handle: HeldLock {
    let faults: FaultyFiles
    let lock: (any HeldLock)?

    init(_ faults: FaultyFiles, _ lock: (any HeldLock)? = nil) {
      self.faults = faults
      self.lock = lock
      faults.handles.withLock { $0 += 1 }
    }

    deinit { faults.handles.withLock { $0 -= 1 } }
  }

  var now: CommitTime { disk.now }

  func createDirectory(_ path: String) throws(FileSystemError) {
    try count(.createDirectory, path)
    try disk.createDirectory(path)
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    try count(.create, path)
    return File(path: path, file: try disk.createFile(path), faults: self, handle: Handle(self))
  }

  private struct File: WritableFile {
    let path: String
    let file: any WritableFile
    let faults: FaultyFiles
    let handle: Handle

    func write(_ bytes: RawSpan) throws(FileSystemError) {
      do { try faults.count(.write, path) } catch {
        // As a full disk does it: some of the bytes are there.
        let count = Int((Double(bytes.byteCount) * faults.state.withLock(\.share)).rounded())
        try file.write(bytes.extracting(first: count))
        throw error
      }
      try file.write(bytes)
    }

    func sync() throws(FileSystemError) {
      try faults.count(.sync, path)
      try file.sync()
    }
  }

  func map(_ path: String) throws(FileSystemError) -> MappedFile {
    try count(.map, path)
    return try disk.map(path)
  }

  func rename(_ path: String, to newPath: String) throws(FileSystemError) {
    try count(.rename, newPath)
    try disk.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(FileSystemError) {
    try count(.remove, path)
    try disk.remove(path)
  }

  func removeDirectory(_ path: String) throws(FileSystemError) {
    try count(.remove, path)
    try disk.removeDirectory(path)
  }

  func isLink(_ path: String) -> Bool { disk.isLink(path) }

  func names(in directory: String) throws(FileSystemError) -> [String] {
    try count(.list, directory)
    return try disk.names(in: directory)
  }

  func syncDirectory(_ path: String) throws(FileSystemError) {
    try count(.sync, path)
    try disk.syncDirectory(path)
  }

  func lock(_ path: String, holder: String) throws(FileSystemError) -> (any HeldLock)? {
    try count(.lock, path)
    return try disk.lock(path, holder: holder).map { Handle(self, $0) }
  }
}

extension FileSystemError {
  /// The operation as tests name it: `sync 00000001.columns`.
  var step: String { "\(operation.rawValue) \(path.split(separator: "/").last ?? "")" }
}
