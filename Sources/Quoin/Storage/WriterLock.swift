#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The right to write to a store, held for as long as the value lives.
struct WriterLock {
  /// Bytes of the lock file: the holder's description, then zeros.
  static let holderByteCount = 512

  private let lock: any HeldLock

  /// Takes the lock, making the store's directory if need be.
  ///
  /// - Parameter patience: how long to wait for another holder.
  /// - Throws: `StoreError.locked` with the holder's name; `notAStore` when the directory holds something else.
  init(_ directory: String, _ fileSystem: any FileSystem, patience: Duration) throws(StoreError) {
    let path = directory + "/" + StoreFiles.lock
    do throws(FileSystemError) {
      try Self.makeDirectory(directory, fileSystem)
      let names = try fileSystem.names(in: directory)
      guard names.contains(StoreFiles.manifest) || names.allSatisfy(StoreFiles.isOurs) else {
        throw FileSystemError(.lock, path, code: EEXIST)
      }
      let deadline = ContinuousClock.now + patience
      var lock = try fileSystem.lock(path, holder: holderDescription())
      while lock == nil, ContinuousClock.now < deadline {
        usleep(10_000)
        lock = try fileSystem.lock(path, holder: holderDescription())
      }
      guard let lock else { throw FileSystemError(.lock, path, code: EWOULDBLOCK) }
      self.lock = lock
    } catch {
      switch (error.operation, error.code) {
      case (.lock, EEXIST): throw .notAStore(path: directory)
      case (.lock, EWOULDBLOCK): throw .locked(path: directory, holder: Self.holder(path, fileSystem))
      default: throw .inputOutput(error)
      }
    }
  }

  /// Makes the directory if need be, and durable in its parent as long as nothing was committed in it: whoever made it
  /// may not have come to that.
  private static func makeDirectory(_ directory: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
    let names = try? fileSystem.names(in: directory)
    if names?.contains(StoreFiles.manifest) == true { return }
    if names == nil { try fileSystem.createDirectory(directory) }
    try fileSystem.syncDirectory(directory + "/..")
  }

  private static func holder(_ path: String, _ fileSystem: any FileSystem) -> String {
    guard let mapping = try? fileSystem.map(path) else { return "unknown" }
    defer { withExtendedLifetime(mapping) {} }
    let text = unsafe String(decoding: mapping.bytes.prefix(holderByteCount).prefix { $0 != 0 }, as: UTF8.self)
    return text.isEmpty ? "unknown" : text
  }
}
