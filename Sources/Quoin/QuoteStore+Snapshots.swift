/// An earlier generation that a store keeps: because it has a name, or because it is one of the newest.
public struct KeptSnapshot: Hashable, Sendable {
  /// The name; nil if it is kept because it is one of the newest.
  public let name: String?
  /// The number of commits up to the snapshot.
  public let generation: UInt64
  /// When that commit was made, by its writer's clock.
  public let committedAt: CommitTime
  /// The column files that the store has because of its snapshots: those of this one that the newest generation doesn't need.
  public let heldFileCount: Int
}

extension QuoteStore {
  /// The snapshots that the store keeps, oldest first: those with a name, and the newest generations. Complexity: O(files).
  public var snapshots: [KeptSnapshot] {
    let manifest = snapshot.manifest
    let needed = Set(manifest.files.map(\.id))
    return manifest.kept.map { kept in
      KeptSnapshot(
        name: kept.name, generation: kept.generation, committedAt: kept.committedAt,
        heldFileCount: kept.fileIDs.count { !needed.contains($0) })
    }
  }

  /// Keeps the newest generation under a name. It takes no copy of the quotes: their files stay as long as the snapshot does.
  /// It is one commit. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 letters, digits, `.`, `_` and `-`, of which the first is a letter.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`: if the name is taken or none, or if the store is empty. Unless it is `commitUnknown`, nothing has
  ///   changed.
  public func keepSnapshot(named name: String, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in try transaction.keepSnapshot(named: name) }
  }

  /// Forgets a name. Files that only this snapshot needed are removed. It is one commit. Blocks the calling thread.
  ///
  /// - Returns: whether there was such a snapshot.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  @discardableResult
  public func dropSnapshot(named name: String, patience: Duration = .zero) throws(StoreError) -> Bool {
    try commit(patience: patience) { (transaction) throws(StoreError) in transaction.retention.drop(name) }
  }

  /// A view of the store as a snapshot shows it. Its answers never change, and it refuses to write. Blocks the calling thread.
  ///
  /// - Returns: the view; nil if the store has no such snapshot.
  /// - Throws: `StoreError` if the snapshot's manifest is damaged.
  public func snapshot(named name: String) throws(StoreError) -> QuoteStore? {
    guard let kept = snapshot.manifest.kept.last(where: { $0.name == name }) else { return nil }
    return try view(of: kept)
  }

  /// A view of the store as an earlier generation shows it, which the store keeps, or of the newest one. Its answers never
  /// change, and it refuses to write. Blocks the calling thread.
  ///
  /// - Returns: the view; nil if the store doesn't keep this generation.
  /// - Throws: `StoreError` if the snapshot's manifest is damaged.
  public func snapshot(ofGeneration number: UInt64) throws(StoreError) -> QuoteStore? {
    let shown = snapshot
    if shown.manifest.generation == number { return QuoteStore(showing: shown, of: self, isPinned: true) }
    guard let kept = shown.manifest.kept.last(where: { $0.generation == number }) else { return nil }
    return try view(of: kept)
  }

  /// How many of the newest earlier generations the store keeps, besides those with a name; 1 unless it was changed.
  public var recentGenerationCount: Int { snapshot.manifest.recentCount }

  /// Keeps as many of the newest earlier generations from the next commit on. With none, `undo` can take nothing back. Files that
  /// only they needed are removed by that commit. It is one commit. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - count: at least 0, at most 1,000,000; what is beyond counts as the nearest of them.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func keepRecentGenerations(_ count: Int, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      transaction.retention.recentCount = Retention.recentCount(count)
    }
  }

  /// Nil if a commit that isn't shown here has dropped it.
  private func view(of kept: KeptManifest) throws(StoreError) -> QuoteStore? {
    do throws(StoreError) {
      let shown = try Snapshot.kept(kept, in: path, fileSystem, knowing: snapshot)
      return QuoteStore(showing: shown, of: self, isPinned: true)
    } catch {
      guard case .damaged = error, let newest = try Snapshot.newest(in: path, fileSystem, knowing: snapshot),
        !newest.manifest.kept.contains(where: { $0.generation == kept.generation })
      else { throw error }
      return nil
    }
  }
}

// Going back.
extension QuoteStore {
  /// Takes the last change back: the store has the rows of before again, bit for bit, and their records of imports. The names of
  /// snapshots stay. It is one commit, which can be taken back in turn. Blocks the calling thread.
  ///
  /// - Throws: `StoreError`: `nothingToUndo` if the generation before the change isn't kept, `damaged` if its files are. Unless
  ///   it is `commitUnknown`, nothing has changed.
  public func undo(patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in try transaction.undo() }
  }

  /// Brings back the rows of a snapshot, bit for bit, in place of all that the store has. It copies nothing. It is one commit,
  /// which `undo` takes back. Blocks the calling thread.
  ///
  /// - Throws: `StoreError`: `noSnapshot` if there is none of this name, `damaged` if its files are. Unless it is
  ///   `commitUnknown`, nothing has changed.
  public func restore(snapshotNamed name: String, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in try transaction.restore(snapshotNamed: name) }
  }

  /// Brings back the rows of an earlier generation that the store keeps, as `restore(snapshotNamed:)` does. Blocks the calling
  /// thread.
  ///
  /// - Throws: `StoreError`: `noSnapshot` if the store doesn't keep it, `damaged` if its files are. Unless it is
  ///   `commitUnknown`, nothing has changed.
  public func restore(generation number: UInt64, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in try transaction.restore(generation: number) }
  }
}
