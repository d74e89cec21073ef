/// What a repair saved, and what it could not.
public struct RepairReport: Sendable {
  /// Tickers that were saved, wholly or in part.
  public internal(set) var tickerCount = 0
  /// Rows that were saved.
  public internal(set) var rowCount = 0
  /// Everything that is not in the new store, or not as it was, by ticker; empty when all was saved.
  public internal(set) var losses: [RepairLoss] = []
}

extension QuoteStore {
  /// Saves what is sound of a damaged store into a new one. The damaged store is only read.
  ///
  /// A damaged block costs the cells of its rows in one attribute (and in the adjusted one that is computed from it),
  /// which are missing in the new store; where it holds the days, it costs the rows. Without a sound manifest the rows
  /// of all column files are saved, the newest of each day: rows that were deleted may come back. `losses` says all of
  /// that. The new store is one commit: it is there whole, or not at all.
  ///
  ///     let losses = try QuoteStore.repair("quoin-store", into: "saved-store").losses
  ///
  /// - Parameters:
  ///   - path: the damaged store's directory.
  ///   - newPath: the new store's directory, in which there is no store yet.
  ///   - progress: called after each ticker with the number of rows saved so far.
  /// - Throws: `StoreError` when there is no store, it is of another version, or the new one can't be written.
  @discardableResult
  public static func repair(
    _ path: String, into newPath: String, progress: (Int) -> Void = { _ in }
  ) throws -> RepairReport {
    try repair(path, into: newPath, in: SystemFiles(), progress)
  }

  static func repair(
    _ path: String, into newPath: String, in fileSystem: any FileSystem, _ progress: (Int) -> Void = { _ in }
  ) throws -> RepairReport {
    var salvage = Salvage(try StoreInventory(path, fileSystem))
    let store = try QuoteStore(at: newPath, in: fileSystem)
    guard store.generation == 0 else { throw StoreError.storeExists(path: newPath) }
    return try store.write(patience: .zero) { transaction in
      guard transaction.base.manifest.generation == 0 else { throw StoreError.storeExists(path: newPath) }
      var report = RepairReport()
      for ticker in salvage.tickers {
        let rows = salvage.rows(of: ticker)
        guard !rows.isEmpty else { continue }
        _ = try transaction.upsert(ticker, rows)
        report.tickerCount += 1
        report.rowCount += rows.rowCount
        progress(report.rowCount)
      }
      // In the new store, its first commit brought them.
      let records = salvage.importRecords().map {
        StockQuotePeriod(
          ticker: $0.ticker, firstDay: $0.firstDay, lastDay: $0.lastDay, rowCount: $0.rowCount, source: $0.source,
          importedAt: $0.importedAt, generation: transaction.generation)
      }
      report.losses = salvage.losses
      return (report, WriteRequest(importRecords: records))
    }
  }
}
