/// What a check of every byte of a store found.
public struct VerifyReport: Sendable {
  public internal(set) var fileCount = 0
  /// Blocks of any attribute.
  public internal(set) var blockCount = 0
  public internal(set) var byteCount = 0
  /// Every damage, with file and offset; empty when the store is sound.
  public internal(set) var damages: [StoreError] = []
}

extension QuoteStore {
  /// Reads every block and checks every checksum, statistic and row count.
  ///
  /// - Parameter progress: called after each file with the bytes checked so far and those to check in all.
  /// - Throws: `StoreError` when the newest generation can't even be opened.
  public func verify(progress: (Int, Int) -> Void = { _, _ in }) throws(StoreError) -> VerifyReport {
    // A map of one's own: blocks that were checked before are checked again.
    let snapshot = try Snapshot.newest(in: path, fileSystem) ?? Snapshot()
    let scratch = BlockScratch()
    var report = VerifyReport()
    let total = snapshot.files.reduce(0) { $0 + $1.byteCount }
    for file in snapshot.files {
      file.verify(scratch) { damage in
        // A block that others are computed from is met again with each of them.
        if !report.damages.contains(damage) { report.damages.append(damage) }
      }
      report.fileCount += 1
      report.blockCount += file.blockCount * ColumnSection.count
      report.byteCount += file.byteCount
      progress(report.byteCount, total)
    }
    verifyRuns(snapshot, &report)
    return report
  }

  /// Compares what the manifest says of each run with the blocks.
  private func verifyRuns(_ snapshot: Snapshot, _ report: inout VerifyReport) {
    for run in snapshot.manifest.runs {
      let file = snapshot.files[run.fileIndex]
      do throws(StoreError) {
        let rowCount = run.blocks.reduce(0) { $0 + file.rowCount($1) }
        let first = try file.days(ofBlock: run.firstBlock).lowerBound
        let last = try file.days(ofBlock: run.blocks.upperBound - 1).upperBound
        if rowCount != run.rowCount || first != run.firstDay || last != run.lastDay {
          report.damages.append(
            .damaged(path: path + "/" + StoreFiles.manifest, offset: 0, reason: "a run disagrees with its blocks"))
        }
      } catch { report.damages.append(error) }
    }
  }
}
