// Pulling: a copy of a store that is elsewhere, made from its files as they are. Published files never change and one manifest names
// them, so a copy asks for the manifest, then for the files that it lacks. It is what a backup would be.

/// Where the files of a store elsewhere come from.
package protocol StoreSource: Sendable {
  /// The address of a file, for errors.
  func address(of name: String) -> String

  /// The bytes of a small file; nil if there is none.
  func bytes(of name: String, byteCountMax: Int) async throws -> [UInt8]?

  /// Brings a column file.
  ///
  /// - Parameters:
  ///   - file: takes its bytes from the first to the last.
  ///   - progress: called with the number of bytes of each piece; with a negative one if they have to come again.
  /// - Returns: false if there is none.
  func bring(
    _ name: String, to file: ArrivingFile, _ progress: @escaping @Sendable (Int) -> Void
  ) async throws -> Bool
}

extension QuoteStore {
  /// Copies a store that is elsewhere into a directory: the newest generation and all that it keeps.
  ///
  /// Only files that the directory lacks come, several at a time, and each is checked to the last byte before it counts. Whatever
  /// happens meanwhile, the directory has the copy of before or the new one; after an interruption, files that were finished don't come
  /// again. Readers of the directory go on.
  ///
  /// - Parameters:
  ///   - directory: a new directory, or one with an earlier copy of the same store.
  ///   - patience: how long to wait while another copy into the directory is at work.
  ///   - progress: called with the number of bytes of each piece that has come; with a negative one if they have to come again.
  /// - Throws: `StoreError`: `noStore` if there is none, `backupRefused` if the directory has anything else, `damaged` if something
  ///   that comes isn't what the manifest names; and what the source throws.
  package static func pull(
    from source: some StoreSource, into directory: String, patience: Duration = .zero,
    progress: @escaping @Sendable (_ byteCount: Int) -> Void = { _ in }
  ) async throws -> BackupReport {
    try await pull(from: source, into: directory, SystemFiles(), patience: patience, progress: progress)
  }

  static func pull(
    from source: some StoreSource, into directory: String, _ fileSystem: any FileSystem, patience: Duration,
    progress: @escaping @Sendable (_ byteCount: Int) -> Void
  ) async throws -> BackupReport {
    let pull = StorePull(source: source, fileSystem: fileSystem, patience: patience, progress: progress)
    // An ordinary store is asked for first, because that is what most are.
    if let newest = try await pull.manifest() { return try await pull.run(newest, into: directory) }
    guard let list = try await pull.shardList() else { throw StoreError.noStore(path: source.address(of: "")) }
    let copy = try await onWriter { () throws(StoreError) in
      try ShardedCopy(directory, fileSystem, patience: patience)
    }
    defer { copy.end() }
    try await onWriter { () throws(StoreError) in try copy.check(list) }
    var report = BackupReport()
    for name in list.names {
      let shard = try await pull.run(pull.known(name + "/"), from: name + "/", into: directory + "/" + name)
      report.add(shard)
    }
    try await onWriter { () throws(StoreError) in try copy.publish(list) }
    return report
  }
}

/// The work of one pull.
private struct StorePull<Source: StoreSource>: Sendable {
  let source: Source
  let fileSystem: any FileSystem
  let patience: Duration
  let progress: @Sendable (Int) -> Void

  /// How many files come at a time.
  private static var width: Int { 4 }
  /// How often a listing is read again, because a commit has let go of files that it names.
  private static var attemptCount: Int { 20 }

  /// The list of a sharded store; nil if there is none.
  func shardList() async throws -> ShardList? {
    let bytes = try await source.bytes(of: StoreFiles.shards, byteCountMax: Limits.shardListByteCount)
    return try bytes.map { try ShardList($0, path: source.address(of: StoreFiles.shards)) }
  }

  private func bytes(of manifest: String) async throws -> [UInt8]? {
    try await source.bytes(of: manifest, byteCountMax: Limits.manifestByteCount)
  }

  private func decoded(_ bytes: [UInt8], _ name: String) throws(StoreError) -> Manifest {
    try Manifest(copying: bytes, path: source.address(of: name))
  }

  /// - Parameters:
  ///   - newest: the manifest, as it was found.
  ///   - prefix: what comes before the names of the store's files.
  func run(_ newest: Manifest, from prefix: String = "", into directory: String) async throws -> BackupReport {
    var newest = newest
    for _ in 0..<Self.attemptCount {
      if let report = try await take(newest, prefix, directory) { return report }
      let next = try await known(prefix)
      if next == newest { break }
      newest = next
    }
    throw StoreError.damaged(
      path: source.address(of: prefix + StoreFiles.manifest), offset: 0, reason: "a file that it names is missing")
  }

  /// The manifest of a store that has to be there.
  func known(_ prefix: String) async throws -> Manifest {
    guard let manifest = try await manifest(prefix) else { throw StoreError.noStore(path: source.address(of: prefix)) }
    return manifest
  }

  /// The newest manifest; nil if there is none.
  ///
  /// - Throws: `StoreError.noStore` for that of a store that has never been written to.
  func manifest(_ prefix: String = "") async throws -> Manifest? {
    let name = prefix + StoreFiles.manifest
    guard let bytes = try await bytes(of: name) else { return nil }
    let manifest = try decoded(bytes, name)
    if manifest.generation == 0 { throw StoreError.noStore(path: source.address(of: prefix)) }
    return manifest
  }

  /// Takes what a manifest names; nil if something of it is gone.
  private func take(_ newest: Manifest, _ prefix: String, _ directory: String) async throws -> BackupReport? {
    guard let listing = try await listing(newest, prefix) else { return nil }
    let (copy, missing) = try await onWriter { () throws(StoreError) in
      let copy = try StoreCopy(of: listing, in: directory, fileSystem, patience: patience)
      var missing: [FileRecord] = []
      for record in listing.files where try !copy.isThere(record) { missing.append(record) }
      return (copy, missing)
    }
    defer { copy.end() }
    let isWhole = try await withThrowingTaskGroup(of: Bool.self) { group in
      var waiting = missing.makeIterator()
      func next() {
        guard let record = waiting.next() else { return }
        group.addTask { try await bring(record, prefix, copy) }
      }
      for _ in 0..<Self.width { next() }
      while let isThere = try await group.next() {
        guard isThere else { return false }
        next()
      }
      return true
    }
    guard isWhole else { return nil }
    return try await onWriter { () throws(StoreError) in
      var report = BackupReport()
      for record in listing.files { report.add(record, isNew: missing.contains(record)) }
      try copy.publish(&report)
      return report
    }
  }

  /// The manifests of all generations that are kept; nil if one of them is gone.
  private func listing(_ newest: Manifest, _ prefix: String) async throws -> StoreListing? {
    var (kept, known) = ([Manifest](), Set<UInt64>())
    for record in newest.kept where known.insert(record.generation).inserted {
      let name = prefix + record.fileName
      guard let bytes = try await bytes(of: name) else { return nil }
      let manifest = try decoded(bytes, name)
      guard manifest.isNamed(by: record) else {
        throw StoreError.damaged(
          path: source.address(of: name), offset: 0, reason: "this is not the generation that the manifest names")
      }
      kept.append(manifest)
    }
    return StoreListing(newest: newest, kept: kept)
  }

  private func bring(_ record: FileRecord, _ prefix: String, _ copy: StoreCopy) async throws -> Bool {
    let name = prefix + record.name
    let file = try await onWriter { () throws(StoreError) in try copy.begin(record, from: source.address(of: name)) }
    do {
      guard try await source.bring(name, to: file, progress) else {
        file.abandon()
        return false
      }
      try await onWriter { () throws(StoreError) in try file.finish() }
    } catch {
      file.abandon()
      throw error
    }
    return true
  }
}
