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

  /// Throws `notAStore` if a directory with these names holds something else.
  static func checkWhetherStore(_ directory: String, _ names: [String]) throws(StoreError) {
    if names.contains(StoreFiles.shards) { throw .sharded(path: directory) }
    guard names.contains(StoreFiles.manifest) || names.allSatisfy(StoreFiles.isOurs) else {
      throw .notAStore(path: directory)
    }
  }

  /// Takes the lock, and creates the store's directory if necessary.
  ///
  /// - Parameters:
  ///   - patience: how long to wait for another holder.
  ///   - isForShards: whether to write the list of a sharded store, and not what is in a store.
  /// - Throws: `StoreError.locked` with the holder's name; `notAStore` when the directory holds something else.
  init(
    _ directory: String, _ fileSystem: any FileSystem, patience: Duration, isForShards: Bool = false
  ) throws(StoreError) {
    let path = directory + "/" + StoreFiles.lock
    let names: [String]
    do throws(FileSystemError) {
      try Self.makeDirectory(directory, fileSystem)
      names = try fileSystem.names(in: directory)
    } catch { throw .inputOutput(error) }
    if !isForShards { try Self.checkWhetherStore(directory, names) }
    let deadline = ContinuousClock.now + patience
    while true {
      do throws(FileSystemError) {
        if let lock = try fileSystem.lock(path, holder: "\(StoreError.LockHolder.current)") {
          self.lock = lock
          return
        }
      } catch { throw .inputOutput(error) }
      // A holder writes its name just after it takes the lock. Until then there is no name, or that of a dead holder.
      let holder = Self.holder(path, fileSystem)
      let lateness = ContinuousClock.now - deadline
      if lateness >= (holder?.isGone ?? true ? .milliseconds(100) : .zero) {
        throw .locked(path: directory, holder: holder)
      }
      usleep(10_000)
    }
  }

  /// Creates the directory if necessary. As long as nothing is committed in it, also makes it durable in its parent, because
  /// the process that created it may have died before that.
  private static func makeDirectory(_ directory: String, _ fileSystem: any FileSystem) throws(FileSystemError) {
    let names = try? fileSystem.names(in: directory)
    if names?.contains(StoreFiles.manifest) == true { return }
    if names == nil { try fileSystem.createDirectory(directory) }
    try fileSystem.syncDirectory(directory + "/..")
  }

  private static func holder(_ path: String, _ fileSystem: any FileSystem) -> StoreError.LockHolder? {
    guard let mapping = try? fileSystem.map(path) else { return nil }
    defer { withExtendedLifetime(mapping) {} }
    let text = mapping.view.prefix(holderByteCount).array.prefix { $0 != 0 }
    return StoreError.LockHolder(String(decoding: text, as: UTF8.self))
  }
}
