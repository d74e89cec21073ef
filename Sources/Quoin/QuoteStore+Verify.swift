/// The result of a check of every byte of a store.
public struct VerifyReport: Sendable {
  /// Column files that were checked, damaged ones included.
  public internal(set) var fileCount = 0
  /// Blocks of any attribute.
  public internal(set) var blockCount = 0
  /// Bytes of the column files that were checked.
  public internal(set) var byteCount = 0
  /// Every damage, once, with file and offset; empty if the store is sound.
  public internal(set) var damages: [StoreError] = []
  /// Column files that belong neither to the newest generation nor to one that is kept. An interrupted writer has left them, and the next one removes
  /// them; or a writer is making them now. They are not checked.
  public internal(set) var strayFiles: [String] = []

  private var known: Set<StoreError> = []

  /// Adds a damage, once. A block that others are computed from is found again with each of them.
  fileprivate mutating func note(_ damage: StoreError) {
    if known.insert(damage).inserted { damages.append(damage) }
  }
}

extension QuoteStore {
  /// Reads every block of the newest generation, and of the snapshots that are kept, and checks every checksum, statistic and
  /// row count, as `verify(at:)` does. Blocks the calling thread.
  public func verify(progress: (Int, Int) -> Void = { _, _ in }) throws(StoreError) -> VerifyReport {
    try Self.verify(path, in: fileSystem, progress)
  }

  /// Reads every block of a store's newest generation, and of the snapshots that are kept, and checks every checksum, statistic
  /// and row count. It continues after damage, and also verifies a store that can't be opened. Without a sound manifest it
  /// checks all column files in the directory. Blocks the calling thread.
  ///
  ///     let damages = try QuoteStore.verify(at: "quoin-store").damages
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - progress: called after each file with the bytes checked so far and the bytes to check in all.
  /// - Throws: `StoreError` if there is no store, if it is of another version, or if the operating system refuses to read it.
  public static func verify(
    at path: String, progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> VerifyReport {
    try verify(path, in: SystemFiles(), progress)
  }

  static func verify(
    _ path: String, in fileSystem: any FileSystem, stoppedBy cancellation: Cancellation? = nil,
    _ progress: (Int, Int) -> Void = { _, _ in }
  ) throws(StoreError) -> VerifyReport {
    let shards = try ShardList.read(in: path, fileSystem)?.names.map { path + "/" + $0 }
    // Mapped anew, so that blocks that were checked before are checked again.
    let inventories = try (shards ?? [path]).map { (path) throws(StoreError) in try StoreInventory(path, fileSystem) }
    let total = inventories.reduce(0) { $0 + $1.byteCount }
    var report = VerifyReport()
    for inventory in inventories {
      try verify(inventory, stoppedBy: cancellation, &report) { progress($0, total) }
    }
    if shards != nil {
      do throws(StoreError) { _ = try Snapshot.newest(in: path, fileSystem) } catch { report.note(error) }
    }
    return report
  }

  private static func verify(
    _ inventory: StoreInventory, stoppedBy cancellation: Cancellation?, _ report: inout VerifyReport,
    _ progress: (Int) -> Void
  ) throws(StoreError) {
    let path = inventory.directory
    let scratch = BlockScratch()
    report.strayFiles += inventory.strayNames
    if let damage = inventory.manifestDamage { report.note(damage) }
    for file in inventory.files + inventory.keptFiles {
      try cancellation?.check()
      report.fileCount += 1
      do throws(StoreError) {
        let file = try file.get()
        file.verify(scratch) { report.note($0) }
        report.blockCount += file.blockCount * file.header.columns.count
        report.byteCount += file.byteCount
        progress(report.byteCount)
      } catch { report.note(error) }
    }
    if let snapshot = inventory.snapshot { verifyRuns(snapshot, path + "/" + StoreFiles.manifest, &report) }
    for (manifest, snapshot) in inventory.kept {
      do throws(StoreError) { verifyRuns(try snapshot.get(), path + "/" + manifest.fileName, &report) } catch {
        report.note(error)
      }
    }
  }

  /// Compares the manifest's runs with their blocks. Blocks that can't be read were reported before.
  private static func verifyRuns(_ snapshot: Snapshot, _ path: String, _ report: inout VerifyReport) {
    for ticker in snapshot.manifest.tickers.indices {
      for run in snapshot.manifest.runs(ofTickerAt: ticker) {
        do throws(StoreError) {
          let file = try snapshot.file(run.fileIndex)
          let rowCount = run.blocks.reduce(0) { $0 + file.rowCount($1) }
          let first = try file.days(ofBlock: run.firstBlock).lowerBound
          let last = try file.days(ofBlock: run.blocks.upperBound - 1).upperBound
          if rowCount != run.rowCount || first != run.firstDay || last != run.lastDay {
            report.note(
              .damaged(
                path: path, offset: 0,
                reason: "a run of \(snapshot.manifest.tickers[ticker].symbol) disagrees with its blocks"))
          }
        } catch { report.note(error) }
      }
    }
  }
}
