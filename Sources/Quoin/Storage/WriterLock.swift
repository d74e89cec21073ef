#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The right to write to a store, held for as long as the value lives.
struct WriterLock {
  /// Bytes of the lock file: the holder's description, then zeros.
  static let holderByteCount = 512

  private let directory: String
  private let fileSystem: any FileSystem
  private let lock: any HeldLock
  /// Whether the directory was made for this lock.
  private let isNew: Bool

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
    (self.directory, self.fileSystem) = (directory, fileSystem)
    let path = directory + "/" + StoreFiles.lock
    var isNew = try Self.prepare(directory, fileSystem, isForShards: isForShards)
    let deadline = ContinuousClock.now + patience
    while true {
      do throws(FileSystemError) {
        if let lock = try fileSystem.lock(path, holder: "\(StoreError.LockHolder.current)") {
          (self.lock, self.isNew) = (lock, isNew)
          return
        }
      } catch {
        // A writer that had made the directory has removed it.
        guard error.isNoSuchFile else { throw .inputOutput(error) }
        isNew = try Self.prepare(directory, fileSystem, isForShards: isForShards) || isNew
        continue
      }
      // A holder writes its name just after it takes the lock. Until then there is no name, or that of a dead holder.
      let holder = Self.holder(path, fileSystem)
      let lateness = ContinuousClock.now - deadline
      if lateness >= (holder?.isGone ?? true ? .milliseconds(100) : .zero) {
        throw .locked(path: directory, holder: holder)
      }
      usleep(10_000)
    }
  }

  /// Makes the directory if necessary, and checks what is in it. Returns whether it was made.
  private static func prepare(
    _ directory: String, _ fileSystem: any FileSystem, isForShards: Bool
  ) throws(StoreError) -> Bool {
    var (isNew, names, attemptCount) = (false, [String](), 0)
    while true {
      do throws(FileSystemError) {
        isNew = try makeDirectory(directory, fileSystem) || isNew
        names = try fileSystem.names(in: directory)
        break
      } catch {
        // A writer that had made the directory may remove it between two steps; then it is made again. A parent that isn't there
        // is not there the next time either.
        attemptCount += 1
        guard error.isNoSuchFile, attemptCount < 100 else { throw .inputOutput(error) }
      }
    }
    if !isForShards { try checkWhetherStore(directory, names) }
    return isNew
  }

  /// Removes the directory if it was made for this lock and nothing was committed in it, so that a first write that fails leaves
  /// nothing. Who waits for the lock then finds no file, and begins again.
  func removeUnusedDirectory() {
    guard isNew, let names = try? fileSystem.names(in: directory) else { return }
    // A transaction publishes the manifest of an empty store before its files.
    let ours = [StoreFiles.manifest, StoreFiles.lock].filter(names.contains)
    guard ours.count == names.count, let newest = try? Snapshot.newest(in: directory, fileSystem) ?? Snapshot(),
      newest.manifest.generation == 0
    else { return }
    // A store that has lost its manifest and not its files would be a damaged one.
    guard (try? fileSystem.syncDirectory(directory)) != nil else { return }
    for name in ours { try? fileSystem.remove(directory + "/" + name) }
    try? fileSystem.removeDirectory(directory)
  }

  /// Creates the directory if necessary. As long as nothing is committed in it, also makes it durable in its parent, because
  /// the process that created it may have died before that. Returns whether there was none.
  private static func makeDirectory(_ directory: String, _ fileSystem: any FileSystem) throws(FileSystemError) -> Bool {
    let names = try? fileSystem.names(in: directory)
    if names?.contains(StoreFiles.manifest) == true { return false }
    if names == nil { try fileSystem.createDirectory(directory) }
    try fileSystem.syncDirectory(directory + "/..")
    return names == nil
  }

  private static func holder(_ path: String, _ fileSystem: any FileSystem) -> StoreError.LockHolder? {
    guard let mapping = try? fileSystem.map(path) else { return nil }
    defer { withExtendedLifetime(mapping) {} }
    let text = mapping.view.prefix(holderByteCount).array.prefix { $0 != 0 }
    return StoreError.LockHolder(String(decoding: text, as: UTF8.self))
  }
}
