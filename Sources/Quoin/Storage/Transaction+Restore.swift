// Going back to an earlier generation: its rows become those of a new one. Its files are there, so nothing is copied. What was
// there before is kept as any commit's base is, so that this can be taken back too.

extension Transaction {
  /// Brings back the rows of before the last change.
  ///
  /// - Throws: `nothingToUndo` if they aren't kept; `damaged` if the files of theirs are.
  func undo() throws(StoreError) {
    if let kept = retention.kept.last(where: { $0.name == nil }) { return try restore(kept) }
    guard retention.recentCount > 0, isFirstChange else { throw .nothingToUndo(path: directory) }
    bringBack(Snapshot())
  }

  /// Brings back the rows of the snapshot of this name.
  func restore(snapshotNamed name: String) throws(StoreError) {
    guard let kept = retention.kept.last(where: { $0.name == name }) else {
      throw .noSnapshot(path: directory, name: name)
    }
    try restore(kept)
  }

  /// Brings back the rows of a generation that is kept.
  func restore(generation number: UInt64) throws(StoreError) {
    guard let kept = retention.kept.last(where: { $0.generation == number }) else {
      throw .noSnapshot(path: directory, name: "\(number)")
    }
    try restore(kept)
  }

  private func restore(_ kept: KeptManifest) throws(StoreError) {
    let snapshot = try Snapshot.kept(kept, in: directory, fileSystem, knowing: base)
    _ = try snapshot.soundFiles()
    bringBack(snapshot)
  }

  /// Whether the base's rows are from the first commit of the store.
  private var isFirstChange: Bool {
    guard let commits = try? base.manifest.log.commits(after: 0) else { return false }
    return commits.first?.generation == 1 && commits.dropFirst().allSatisfy(\.tickers.isEmpty)
  }
}
