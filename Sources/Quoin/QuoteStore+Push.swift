// Pushing: a copy of the store in a place that only takes whole files, such as a bucket. Files that the copy lacks go there first, and
// the manifest last, if it still is the one that was found: of two pushes at once, one is refused.

/// Where the files of a store are put elsewhere.
package protocol StoreDestination: Sendable {
  /// The address of a file, for errors.
  func address(of name: String) -> String

  /// A small file, and what tells this version of it from others; nil if there is none.
  func read(_ name: String, byteCountMax: Int) async throws -> (bytes: [UInt8], version: String)?

  /// Whether this very file was put there.
  func has(_ name: String, _ file: StoredFile) async throws -> Bool

  /// Puts a new file there, whole or not at all.
  ///
  /// - Parameter progress: called with the number of bytes of each piece that has gone; with a negative one if they have to go again.
  /// - Returns: false if there is a file of this name, which stays.
  func put(_ name: String, _ file: StoredFile, _ progress: @escaping @Sendable (Int) -> Void) async throws -> Bool

  /// Replaces a small file, if it still is the one that was read.
  ///
  /// - Parameter version: that of the file that was read; nil if there was none.
  /// - Returns: false if there is another one now.
  func replace(_ name: String, by bytes: [UInt8], version: String?) async throws -> Bool

  /// Removes a file; does nothing if there is none.
  func remove(_ name: String) async throws
}

extension QuoteStore {
  /// Copies the store elsewhere: the newest generation and all that it keeps. Writers and readers of the store go on.
  ///
  /// Only files that are missing there go, several at a time. Whatever happens meanwhile, the copy of before is there or the new one;
  /// after an interruption, files that have arrived don't go again. Of a sharded store this holds for each shard.
  ///
  /// - Parameter progress: called with the number of bytes of each piece that has gone; with a negative one if they have to go again.
  /// - Throws: `StoreError`: `backupRefused` if there is anything else, or another push was faster; and what the destination throws.
  package func push(
    to destination: some StoreDestination, progress: @escaping @Sendable (_ byteCount: Int) -> Void = { _ in }
  ) async throws -> BackupReport {
    let (path, fileSystem) = (path, fileSystem)
    let push = StorePush(destination: destination, progress: progress)
    let shards = try await onWriter { () throws(StoreError) in try Self.shardImages(of: path, fileSystem) }
    guard let (list, images) = shards else {
      let image = try await onWriter { () throws(StoreError) in try StoreImage(of: path, fileSystem) }
      if try await push.shardList() != nil { throw push.refusal("", .hasOtherHistory) }
      return try await push.run(image)
    }
    if try await push.manifest("") != nil { throw push.refusal("", .isStore) }
    let former = try await push.shardList()
    var report = BackupReport()
    for (name, image) in zip(list.names, images) { report.add(try await push.run(image, to: name + "/")) }
    try await push.publish(ShardList(base: list.base, names: list.names), former)
    return report
  }
}

/// The work of one push.
private struct StorePush<Destination: StoreDestination>: Sendable {
  /// A manifest that was found, and its version.
  typealias Found = (manifest: Manifest, version: String)

  let destination: Destination
  let progress: @Sendable (Int) -> Void

  /// How many files go at a time.
  private static var width: Int { 4 }

  func refusal(_ prefix: String, _ fault: StoreError.BackupFault) -> StoreError {
    .backupRefused(path: destination.address(of: prefix), fault)
  }

  /// The list of a sharded copy, and its version; nil if there is none.
  func shardList() async throws -> (list: ShardList, version: String)? {
    guard let found = try await destination.read(StoreFiles.shards, byteCountMax: Limits.shardListByteCount) else {
      return nil
    }
    return (try ShardList(found.bytes, path: destination.address(of: StoreFiles.shards)), found.version)
  }

  /// The newest manifest of a copy; nil if there is none.
  func manifest(_ prefix: String) async throws -> Found? {
    let name = prefix + StoreFiles.manifest
    guard let found = try await destination.read(name, byteCountMax: Limits.manifestByteCount) else { return nil }
    return (try Manifest(copying: found.bytes, path: destination.address(of: name)), found.version)
  }

  /// Puts all of a store below a prefix.
  func run(_ image: StoreImage, to prefix: String = "") async throws -> BackupReport {
    let (listing, former) = (image.listing, try await manifest(prefix))
    if let former = former?.manifest {
      guard former.isBackup else { throw refusal(prefix, .isStore) }
      guard former.canPrecede(listing) else { throw refusal(prefix, .hasOtherHistory) }
    }
    // What a manifest names was there before it.
    let there = former?.manifest.fileNames ?? []
    let new = try await put(image.files().filter { !there.contains($0.record.name) }, prefix)
    for kept in listing.kept where !there.contains(StoreFiles.keptManifest(kept.generation)) {
      try await put(prefix + StoreFiles.keptManifest(kept.generation), StoredFile(of: kept.bytes), prefix) { _ in }
    }
    var manifest = listing.newest
    manifest.isBackup = true
    if manifest != former?.manifest { try await publish(manifest, prefix, former?.version) }
    for name in there.subtracting(manifest.fileNames) { try await destination.remove(prefix + name) }
    var report = BackupReport()
    for record in listing.files { report.add(record, isNew: new.contains(record.id)) }
    report.generation = manifest.generation
    return report
  }

  /// Puts files that may be missing, several at a time.
  ///
  /// - Returns: the numbers of those that were.
  private func put(_ files: [ColumnFile], _ prefix: String) async throws -> Set<UInt64> {
    try await withThrowingTaskGroup(of: UInt64?.self) { group in
      var (waiting, new) = (files.makeIterator(), Set<UInt64>())
      func next() {
        guard let file = waiting.next() else { return }
        group.addTask {
          let (name, stored) = (prefix + file.record.name, StoredFile(of: file))
          if try await destination.has(name, stored) { return nil }
          try await onWriter { () throws(StoreError) in try file.record.check(file.file, file.path) }
          try await put(name, stored, prefix, progress)
          return file.record.id
        }
      }
      for _ in 0..<Self.width { next() }
      while let id = try await group.next() {
        if let id { new.insert(id) }
        next()
      }
      return new
    }
  }

  /// Puts a file that may be there already. Another one of its name stays: a store that parted from this one may be about to publish it.
  private func put(
    _ name: String, _ file: StoredFile, _ prefix: String, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws {
    if try await destination.put(name, file, progress) { return }
    guard try await destination.has(name, file) else { throw refusal(prefix, .hasOtherHistory) }
  }

  private func publish(_ manifest: Manifest, _ prefix: String, _ former: String?) async throws {
    let name = prefix + StoreFiles.manifest
    if try await destination.replace(name, by: manifest.bytes, version: former) { return }
    // It may be there by an attempt whose answer was lost.
    guard try await self.manifest(prefix)?.manifest == manifest else { throw refusal(prefix, .changedMeanwhile) }
  }

  /// Makes a list that of the copy, and removes the shards that it doesn't name.
  func publish(_ list: ShardList, _ former: (list: ShardList, version: String)?) async throws {
    if list != former?.list,
      try await !destination.replace(StoreFiles.shards, by: list.bytes, version: former?.version),
      try await shardList()?.list != list
    {
      throw refusal("", .changedMeanwhile)
    }
    for name in former?.list.names ?? [] where !list.names.contains(name) {
      guard let gone = try await manifest(name + "/") else { continue }
      try await destination.remove(name + "/" + StoreFiles.manifest)
      for file in gone.manifest.fileNames { try await destination.remove(name + "/" + file) }
    }
  }
}
