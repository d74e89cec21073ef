// A copy of a store in another directory, which later ones renew. Published files never change, so each is copied once.
//
//   1. take each file that isn't there: write it under another name, check and sync it, rename it
//   2. publish the manifest, as a commit does
//   3. remove the files that it doesn't name
//
// A new directory gets an empty manifest first. So whoever dies meanwhile leaves the copy of before, and the next one finds
// the files that were finished.

import Synchronization

/// What a backup has copied.
public struct BackupReport: Hashable, Sendable {
  /// The number of commits up to the newest one that the backup has; of a sharded store the newest of any shard.
  public internal(set) var generation: UInt64 = 0
  /// Column files that the backup has.
  public internal(set) var fileCount = 0
  /// Their bytes.
  public internal(set) var byteCount = 0
  /// Those of them that weren't there before.
  public internal(set) var copiedFileCount = 0
  /// The bytes of these.
  public internal(set) var copiedByteCount = 0

  mutating func add(_ record: FileRecord, isNew: Bool) {
    fileCount += 1
    byteCount += record.byteCount
    if isNew {
      copiedFileCount += 1
      copiedByteCount += record.byteCount
    }
  }

  mutating func add(_ shard: BackupReport) {
    generation = max(generation, shard.generation)
    fileCount += shard.fileCount
    byteCount += shard.byteCount
    copiedFileCount += shard.copiedFileCount
    copiedByteCount += shard.copiedByteCount
  }
}

/// The making of a copy in a directory, which is locked until its end. The files come in any order, from wherever they are.
final class StoreCopy: Sendable {
  let listing: StoreListing
  let directory: String
  let fileSystem: any FileSystem
  private let lock: Mutex<WriterLock?>

  /// - Throws: `StoreError`: `backupRefused` if the directory has anything but an earlier copy of the same store.
  init(
    of listing: StoreListing, in directory: String, _ fileSystem: any FileSystem, patience: Duration
  ) throws(StoreError) {
    (self.listing, self.directory, self.fileSystem) = (listing, directory, fileSystem)
    if try ShardList.read(in: directory, fileSystem) != nil { throw .backupRefused(path: directory, .hasOtherHistory) }
    let held = try WriterLock(directory, fileSystem, patience: patience)
    lock = Mutex(held)
    let former = try Snapshot.newestOfStore(in: directory, fileSystem)?.manifest
    if let former, former.generation > 0 {
      guard former.isBackup else { throw .backupRefused(path: directory, .isStore) }
      guard former.canPrecede(listing) else { throw .backupRefused(path: directory, .hasOtherHistory) }
    }
    // What a copy has left that ended.
    try? fileSystem.remove(directory + "/" + StoreFiles.temporaryManifest)
    if former == nil { try fileSystem.publish(Self.empty, in: directory) }
  }

  /// Lets go of the lock, whoever still has the object.
  func end() { lock.withLock { $0 = nil } }

  private static var empty: Manifest {
    var manifest = Manifest()
    manifest.isBackup = true
    return manifest
  }

  /// Whether a file is in the directory: its header has the checksum of all checksums, and it was whole when it got its name.
  func isThere(_ record: FileRecord) throws(StoreError) -> Bool {
    let path = directory + "/" + record.name
    let file: MappedFile
    do { file = try fileSystem.map(path) } catch {
      if error.isNoSuchFile { return false }
      throw StoreError(reading: error)
    }
    do {
      _ = try ColumnFile(record, path, file)
      return true
    } catch {
      guard case .damaged = error else { throw error }
      return false
    }
  }

  /// Adds a file that is there elsewhere.
  func add(_ record: FileRecord, _ file: MappedFile, from path: String) throws(StoreError) {
    // Checked in memory, because others could change a file after that.
    let bytes = withExtendedLifetime(file) { file.view.array }
    try record.check(MappedFile(copying: bytes), path)
    try write(bytes, record.name)
  }

  /// Begins a file that comes in pieces.
  func begin(_ record: FileRecord, from source: String) throws(StoreError) -> ArrivingFile {
    try ArrivingFile(record, from: source, in: directory, fileSystem)
  }

  /// Makes all of it the directory's store, once all files are there.
  func publish(_ report: inout BackupReport) throws(StoreError) {
    for manifest in listing.kept { try copy(manifest) }
    var manifest = listing.newest
    manifest.isBackup = true
    try fileSystem.publish(manifest, in: directory)
    fileSystem.removeFiles(of: directory, except: manifest.fileNames)
    report.generation = max(report.generation, manifest.generation)
  }

  /// Copies the manifest of an earlier generation, unless it is there.
  private func copy(_ manifest: Manifest) throws(StoreError) {
    let (name, bytes) = (StoreFiles.keptManifest(manifest.generation), manifest.bytes)
    if let there = try? fileSystem.map(directory + "/" + name) {
      defer { withExtendedLifetime(there) {} }
      if there.view.array == bytes { return }
    }
    try write(bytes, name)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws(StoreError) {
    do {
      try fileSystem.replaceFile(name, by: bytes, through: StoreFiles.temporaryCopy, in: directory)
    } catch { throw .inputOutput(error) }
  }
}

extension StoreImage {
  /// Gives a directory what the store keeps.
  ///
  /// - Parameter progress: called after each file with the report so far.
  func copy(
    to directory: String, _ fileSystem: any FileSystem, patience: Duration, stoppedBy cancellation: Cancellation? = nil,
    _ report: inout BackupReport, _ progress: (BackupReport) -> Void
  ) throws(StoreError) {
    let copy = try StoreCopy(of: listing, in: directory, fileSystem, patience: patience)
    defer { copy.end() }
    for file in try files() {
      try cancellation?.check()
      let isThere = try copy.isThere(file.record)
      if !isThere { try copy.add(file.record, file.file, from: file.path) }
      report.add(file.record, isNew: !isThere)
      progress(report)
    }
    try copy.publish(&report)
  }
}

extension FileRecord {
  /// Throws if a file isn't this one, to the last byte.
  func check(_ file: MappedFile, _ path: String) throws(StoreError) {
    var damage: StoreError?
    try ColumnFile(self, path, file).verify(BlockScratch()) { damage = damage ?? $0 }
    if let damage { throw damage }
  }
}
