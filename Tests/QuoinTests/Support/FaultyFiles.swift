import Synchronization

@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A disk that counts its operations and fails some of them.
final class FaultyFiles: FileSystem {
  private struct State {
    var operations: [String] = []
    var failing: Range<Int> = 0..<0
    var code: Int32 = EIO
    var isCounting = false
  }

  let disk: any FileSystem
  private let state = Mutex(State())

  init(_ disk: any FileSystem) { self.disk = disk }

  /// The operations since `begin`, as `sync 00000001.columns`.
  var operations: [String] { state.withLock { $0.operations } }

  /// Counts from here, and fails the operations of these numbers.
  func begin(failing: Range<Int> = 0..<0, code: Int32 = EIO) {
    state.withLock { $0 = State(failing: failing, code: code, isCounting: true) }
  }

  /// Fails nothing any more.
  func end() { state.withLock { $0.isCounting = false } }

  private func count(_ operation: FileSystemError.Operation, _ path: String) throws(FileSystemError) {
    let code: Int32? = state.withLock { state in
      guard state.isCounting else { return nil }
      let number = state.operations.count
      state.operations.append("\(operation.rawValue) \(path.split(separator: "/").last ?? "")")
      return state.failing.contains(number) ? state.code : nil
    }
    if let code { throw FileSystemError(operation, path, code: code) }
  }

  func createDirectory(_ path: String) throws(FileSystemError) {
    try count(.createDirectory, path)
    try disk.createDirectory(path)
  }

  func createFile(_ path: String) throws(FileSystemError) -> any WritableFile {
    try count(.create, path)
    return File(path: path, file: try disk.createFile(path), faults: self)
  }

  private struct File: WritableFile {
    let path: String
    let file: any WritableFile
    let faults: FaultyFiles

    func write(_ bytes: UnsafeRawBufferPointer) throws(FileSystemError) {
      do { try faults.count(.write, path) } catch {
        // As a full disk does it: some of the bytes are there.
        unsafe try file.write(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2)]))
        throw error
      }
      unsafe try file.write(bytes)
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
    return try disk.lock(path, holder: holder)
  }
}
