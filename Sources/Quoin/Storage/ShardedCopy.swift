import Synchronization

/// A copy of a sharded store, whose directory is locked until its end: the shards are copied one by one, and the list comes last.
final class ShardedCopy: Sendable {
  private let directory: String
  private let fileSystem: any FileSystem
  private let lock: Mutex<WriterLock?>
  /// The list of the copy so far.
  private let former: ShardList?

  init(_ directory: String, _ fileSystem: any FileSystem, patience: Duration) throws(StoreError) {
    (self.directory, self.fileSystem) = (directory, fileSystem)
    let held = try WriterLock(directory, fileSystem, patience: patience, isForShards: true)
    lock = Mutex(held)
    former = try ShardList.read(in: directory, fileSystem)
  }

  /// Lets go of the lock, whoever still has the object.
  func end() { lock.withLock { $0 = nil } }

  /// Throws if there is anything but an earlier copy: shards that stay are checked when they are copied.
  func check(_ list: ShardList) throws(StoreError) {
    let names: [String]
    do { names = try fileSystem.names(in: directory) } catch { throw .inputOutput(error) }
    if names.contains(StoreFiles.manifest) { throw .backupRefused(path: directory, .isStore) }
    let ours = [StoreFiles.lock, StoreFiles.shards, StoreFiles.temporaryShards] + list.names
    for name in names where !ours.contains(name) {
      let path = directory + "/" + name
      guard !fileSystem.isLink(path), let shard = try Snapshot.newestOfStore(in: path, fileSystem) else {
        throw .notAStore(path: directory)
      }
      guard shard.manifest.isBackup else { throw .backupRefused(path: path, .isStore) }
    }
  }

  /// Makes the list that of the copy, and removes the shards that it doesn't name.
  func publish(_ list: ShardList) throws(StoreError) {
    let new = ShardList(base: list.base, names: list.names)
    if new != former { try new.publish(in: directory, fileSystem) }
    let ours = [StoreFiles.lock, StoreFiles.shards, StoreFiles.temporaryShards] + list.names
    for name in (try? fileSystem.names(in: directory)) ?? [] where !ours.contains(name) {
      fileSystem.removeStore(directory + "/" + name)
    }
  }
}
