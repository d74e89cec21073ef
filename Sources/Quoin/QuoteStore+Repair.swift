/// What a repair has saved and lost.
public struct RepairReport: Sendable {
  /// Tickers that were saved, completely or in part.
  public internal(set) var tickerCount = 0
  /// Rows that were saved.
  public internal(set) var rowCount = 0
  /// Everything that is missing or different in the new store, by ticker; empty if everything was saved.
  public internal(set) var losses: [RepairLoss] = []
}

extension QuoteStore {
  /// Saves the sound rows of a damaged store into a new one. The damaged store is only read.
  ///
  /// A damaged block costs the cells of its rows in one attribute (and in the adjusted one that is computed from it); they are
  /// missing in the new store. A damaged block of days costs its rows. Without a sound manifest the rows of all column files
  /// are saved, the newest of each day, so deleted rows may come back, and tickers that were
  /// renamed have their old names. Kept snapshots are not saved. `losses` reports all of
  /// this. The new store is one commit: it is complete or doesn't exist.
  ///
  ///     let losses = try QuoteStore.repair("quoin-store", into: "saved-store").losses
  ///
  /// Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - path: the damaged store's directory.
  ///   - newPath: the new store's directory, which must not have a store yet.
  ///   - progress: called after each ticker with the number of rows saved so far.
  /// - Throws: `StoreError` if there is no store, if it is of another version, or if the new one can't be written.
  @discardableResult
  public static func repair(
    _ path: String, into newPath: String, progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> RepairReport {
    try repair(path, into: newPath, in: SystemFiles(), progress)
  }

  /// Saves the sound rows of a damaged store into a new one. The damaged store is only read.
  ///
  /// No thread of Swift's tasks waits for it. When the task is cancelled before the commit, it throws `StoreError.cancelled`.
  ///
  /// - Parameters:
  ///   - path: the damaged store's directory.
  ///   - newPath: the new store's directory, which must not have a store yet.
  ///   - progress: called after each ticker with the number of rows saved so far, on a thread of the store's.
  /// - Throws: `StoreError` if there is no store, if it is of another version, or if the new one can't be written.
  @discardableResult
  public static func repair(
    _ path: String, into newPath: String, progress: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws(StoreError) -> RepairReport {
    try await onBlockingThread(of: .writers, whenCancelled: .cancelled) { (cancellation) throws(StoreError) in
      try repair(path, into: newPath, in: SystemFiles(), stoppingAt: cancellation, progress)
    }
  }

  static func repair(
    _ path: String, into newPath: String, in fileSystem: any FileSystem, stoppingAt cancellation: Cancellation? = nil,
    _ progress: (Int) -> Void = { _ in }
  ) throws(StoreError) -> RepairReport {
    if try ShardList.read(in: path, fileSystem) != nil { throw .sharded(path: path) }
    var salvage = Salvage(try StoreInventory(path, fileSystem))
    if let unsupported = salvage.unsupported { throw unsupported }
    let store = try QuoteStore(at: newPath, in: fileSystem)
    guard store.generation == 0 else { throw .storeExists(path: newPath) }
    return try store.commit(patience: .zero) { (transaction) throws(StoreError) in
      transaction.cancellation = cancellation
      guard transaction.base.manifest.generation == 0 else { throw .storeExists(path: newPath) }
      var report = RepairReport()
      for ticker in salvage.tickers {
        let rows = salvage.rows(of: ticker)
        guard !rows.isEmpty else { continue }
        _ = try transaction.upsert(ticker, rows)
        report.tickerCount += 1
        report.rowCount += rows.rowCount
        progress(report.rowCount)
      }
      // In the new store the rows belong to its first commit.
      for record in salvage.importRecords() {
        transaction.note(
          ImportRecord(
            ticker: record.ticker, firstDay: record.firstDay, lastDay: record.lastDay, rowCount: record.rowCount,
            source: record.source, importedAt: record.importedAt, generation: transaction.generation))
      }
      if let unsupported = salvage.unsupported { throw unsupported }
      report.losses = salvage.losses + salvage.snapshotLosses(in: path)
      return report
    }
  }
}
