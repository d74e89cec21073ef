extension QuoteStore {
  /// How the store packs the blocks that it writes; `balanced` unless it was changed.
  public var packing: BlockPacking { snapshot.manifest.packing }

  /// Packs all blocks that are written from now on so, by whichever program. Those that are there stay as they are until a write
  /// or `compact` rewrites them. The store keeps the setting, and `undo` doesn't take it back. It is one commit. Blocks the
  /// calling thread.
  ///
  /// - Parameters:
  ///   - packing: whether blocks take more space or more time.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func setPacking(_ packing: BlockPacking, patience: Duration = .zero) throws(StoreError) {
    try commit(patience: patience) { (transaction) throws(StoreError) in try transaction.setPacking(packing) }
  }

  /// Packs all blocks that are written from now on so, as the form that blocks does. When the task is cancelled before the
  /// commit, it throws `StoreError.cancelled`, and nothing has changed.
  ///
  /// - Parameters:
  ///   - packing: whether blocks take more space or more time.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, nothing has changed.
  public func setPacking(_ packing: BlockPacking, patience: Duration = .zero) async throws(StoreError) {
    try await commit(patience: patience, failingWith: StoreError.unchanged) { (transaction) throws(StoreError) in
      try transaction.setPacking(packing)
    }
  }
}

extension StoreTransaction {
  /// Packs all blocks that are written from here on so, in this transaction and after it. The store keeps the setting.
  ///
  /// - Throws: `StoreError`.
  public func setPacking(_ packing: BlockPacking) throws(StoreError) { try transaction.setPacking(packing) }
}
