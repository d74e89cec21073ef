/// An earlier generation that a store keeps under a name.
public struct KeptSnapshot: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The number of commits up to the snapshot.
  public let generation: UInt64
  /// When that commit was made, by its writer's clock.
  public let committedAt: CommitTime
}

extension QuoteStore {
  /// The snapshots that the store keeps, oldest first. Complexity: O(snapshots).
  public var snapshots: [KeptSnapshot] {
    snapshot.manifest.kept.compactMap { kept in
      kept.name.map { KeptSnapshot(name: $0, generation: kept.generation, committedAt: kept.committedAt) }
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

  /// Forgets a snapshot. Files that only it needed are removed. It is one commit. Blocks the calling thread.
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

  /// Keeps as many of the newest earlier generations from the next commit on; none by default. It is one commit.
  func keepRecentGenerations(_ count: Int, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in
      transaction.retention.recentCount = max(0, count)
    }
  }

  /// A view of an earlier generation that the store keeps; nil if it doesn't.
  func generation(_ number: UInt64) throws(StoreError) -> QuoteStore? {
    guard let kept = snapshot.manifest.kept.last(where: { $0.generation == number }) else { return nil }
    return try view(of: kept)
  }

  private func view(of kept: KeptManifest) throws(StoreError) -> QuoteStore {
    let shown = try Snapshot.kept(kept, in: path, fileSystem, knowing: snapshot)
    return QuoteStore(showing: shown, of: self, isPinned: true)
  }
}
