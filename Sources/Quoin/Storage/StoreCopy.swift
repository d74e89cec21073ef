// A copy of a store in another directory, which later ones renew. Published files never change, so each is copied once.
//
//   1. copy each file that isn't there: check it, write and sync it under another name, rename it
//   2. publish the manifest, as a commit does
//   3. remove the files that it doesn't name
//
// A new directory gets an empty manifest first. So whoever dies meanwhile leaves the copy of before, and the next one finds
// the files that were finished.

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
}

/// The making of a copy in a directory.
struct StoreCopy {
  let directory: String
  let fileSystem: any FileSystem
  var cancellation: Cancellation?

  /// Gives the directory what a store keeps.
  ///
  /// - Parameter progress: called after each file with the report so far.
  func take(
    _ image: StoreImage, patience: Duration, _ report: inout BackupReport, _ progress: (BackupReport) -> Void
  ) throws(StoreError) {
    if try ShardList.read(in: directory, fileSystem) != nil { throw .backupRefused(path: directory, .hasOtherHistory) }
    let lock = try WriterLock(directory, fileSystem, patience: patience)
    defer { withExtendedLifetime(lock) {} }
    let former = try Snapshot.newestOfStore(in: directory, fileSystem)?.manifest
    if let former { try check(former, image) }
    // What a backup has left that ended.
    try? fileSystem.remove(directory + "/" + StoreFiles.temporaryManifest)
    if former == nil { try fileSystem.publish(Self.empty, in: directory) }
    for file in try image.files() {
      try cancellation?.check()
      try copy(file, &report)
      progress(report)
    }
    for snapshot in image.kept { try copy(snapshot.manifest) }
    var manifest = image.newest.manifest
    manifest.isBackup = true
    try fileSystem.publish(manifest, in: directory)
    fileSystem.removeFiles(of: directory, except: manifest.fileNames)
    report.generation = max(report.generation, manifest.generation)
  }

  private static var empty: Manifest {
    var manifest = Manifest()
    manifest.isBackup = true
    return manifest
  }

  /// Throws if the copy would take the place of anything but an earlier copy of the same store.
  private func check(_ former: Manifest, _ image: StoreImage) throws(StoreError) {
    if former.generation == 0 { return }
    guard former.isBackup else { throw .backupRefused(path: directory, .isStore) }
    guard former.canPrecede(image) else { throw .backupRefused(path: directory, .hasOtherHistory) }
  }

  /// Copies a column file, unless it is there.
  private func copy(_ file: ColumnFile, _ report: inout BackupReport) throws(StoreError) {
    let record = file.record
    report.fileCount += 1
    report.byteCount += record.byteCount
    if try isThere(record) { return }
    // Checked in memory, because others could change a file after that.
    let bytes = withExtendedLifetime(file) { file.file.view.array }
    var damage: StoreError?
    try ColumnFile(record, file.path, MappedFile(copying: bytes)).verify(BlockScratch()) { damage = damage ?? $0 }
    if let damage { throw damage }
    try write(bytes, record.name)
    report.copiedFileCount += 1
    report.copiedByteCount += bytes.count
  }

  /// Whether the file is in the directory: its header has the checksum of all checksums, and it was whole when it got its name.
  private func isThere(_ record: FileRecord) throws(StoreError) -> Bool {
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
