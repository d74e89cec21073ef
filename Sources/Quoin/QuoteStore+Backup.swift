// Backups: copies in other directories, which are stores themselves.

extension QuoteStore {
  /// Copies the store into a directory: the newest generation and all that it keeps. Writers and readers of the store go on.
  ///
  ///     try store.backUp(to: "backup")
  ///
  /// What the directory has already isn't copied again, so a later backup into it costs what has changed. Files are checked before
  /// they are copied. Whatever happens meanwhile, the directory has the backup of before or the new one; after an interruption, what
  /// was finished isn't copied again. Of a sharded store this holds for each shard.
  ///
  /// The backup is a store: it can be opened where it is, and a copy of its directory takes the place of a lost store. Blocks the
  /// calling thread.
  ///
  /// - Parameters:
  ///   - directory: a new directory, or one with an earlier backup of this store.
  ///   - patience: how long to wait while another backup into the directory is at work.
  ///   - progress: called after each file with what is done so far.
  /// - Throws: `StoreError`: `backupRefused` if the directory has anything else; `damaged` if the store is.
  @discardableResult
  public func backUp(
    to directory: String, patience: Duration = .zero, progress: (BackupReport) -> Void = { _ in }
  ) throws(StoreError) -> BackupReport {
    try Self.backUp(path, to: directory, fileSystem, patience: patience, progress)
  }

  /// Copies the store into a directory, as in synchronous functions. No thread of Swift's tasks waits for it. When the task is
  /// cancelled, it throws `StoreError.cancelled`, and the directory has the backup of before.
  ///
  /// - Parameters:
  ///   - directory: a new directory, or one with an earlier backup of this store.
  ///   - patience: how long to wait while another backup into the directory is at work.
  ///   - progress: called after each file with what is done so far, on a thread of the store's.
  /// - Throws: `StoreError`: `backupRefused` if the directory has anything else; `damaged` if the store is.
  @discardableResult
  public func backUp(
    to directory: String, patience: Duration = .zero, progress: @escaping @Sendable (BackupReport) -> Void = { _ in }
  ) async throws(StoreError) -> BackupReport {
    try await onBlockingThread(of: .writers, whenCancelled: .cancelled) { (cancellation) throws(StoreError) in
      try Self.backUp(
        self.path, to: directory, self.fileSystem, patience: patience, stoppedBy: cancellation, progress)
    }
  }

  private static func backUp(
    _ path: String, to directory: String, _ fileSystem: any FileSystem, patience: Duration,
    stoppedBy cancellation: Cancellation? = nil, _ progress: (BackupReport) -> Void
  ) throws(StoreError) -> BackupReport {
    var report = BackupReport()
    guard let (list, images) = try shardImages(of: path, fileSystem) else {
      try StoreImage(of: path, fileSystem).copy(
        to: directory, fileSystem, patience: patience, stoppedBy: cancellation, &report, progress)
      return report
    }
    let target = try ShardedCopy(directory, fileSystem, patience: patience)
    defer { target.end() }
    try target.check(list)
    for (name, image) in zip(list.names, images) {
      try image.copy(
        to: directory + "/" + name, fileSystem, patience: patience, stoppedBy: cancellation, &report, progress)
    }
    try target.publish(list)
    return report
  }

  /// What each shard of a sharded store keeps; nil if it is an ordinary one.
  static func shardImages(
    of path: String, _ fileSystem: any FileSystem
  ) throws(StoreError) -> (list: ShardList, images: [StoreImage])? {
    var list = try ShardList.read(in: path, fileSystem)
    while let shown = list {
      do throws(StoreError) {
        let images = try shown.names.map { (name) throws(StoreError) in
          try StoreImage(of: path + "/" + name, fileSystem)
        }
        return (shown, images)
      } catch {
        // A shard is gone: then there is a newer list.
        list = try ShardList.read(in: path, fileSystem)
        if list == shown { throw error }
      }
    }
    return nil
  }
}
