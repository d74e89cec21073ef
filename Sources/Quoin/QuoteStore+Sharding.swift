// Sharded stores: a directory of stores with disjoint tickers, which opens as one. They are made, and changed, as a whole.

extension QuoteStore {
  /// The stores that this one is made of, in the order of their list; none if it is an ordinary one. Complexity: O(1).
  ///
  /// Whoever wants just what this object shows opens each of them and takes its `snapshot(ofGeneration:)`.
  public var shards: [StoreShard] { snapshot.shards }

  /// The tickers in parts of about equal numbers of rows, in their order. A part may be empty.
  ///
  /// - Parameters:
  ///   - count: the number of parts, at least 1.
  ///   - tickers: the stocks; nil for all. Those that the store doesn't have are left out.
  /// - Throws: `StoreError` if a directory is damaged.
  package func parts(_ count: Int, of tickers: [TickerSymbol]? = nil) throws(StoreError) -> [[TickerSymbol]] {
    let summaries = try tickerSummaries(of: tickers ?? self.tickers)
    let total = Double(max(1, summaries.reduce(0) { $0 + $1.rowCount }))
    var (parts, rowCount): ([[TickerSymbol]], Double) = (Array(repeating: [], count: count), 0)
    for summary in summaries {
      // A ticker is in the part in which its middle row would be.
      let middle = rowCount + Double(summary.rowCount) / 2
      parts[min(count - 1, Int(middle / total * Double(count)))].append(summary.ticker)
      rowCount += Double(summary.rowCount)
    }
    return parts
  }

  /// Makes a sharded store of the quotes that this one shows, with the records of their imports. Blocks the calling thread.
  ///
  /// - Parameters:
  ///   - count: the number of shards, at least 1. There are fewer if there are fewer tickers.
  ///   - path: the directory, in which there must be nothing yet but what an interrupted call has left; that is removed.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Throws: `StoreError`: `storeExists` or `notAStore` if there is something at the path. Unless it is `commitUnknown`, what was
  ///   made is gone.
  public func divide(
    into count: Int, at path: String, progress: (Int) -> Void = { _ in }
  ) throws(StoreError) {
    let parts = try parts(max(1, count)).filter { !$0.isEmpty }
    var change = try ShardChange(path, fileSystem, patience: .zero)
    guard change.list == nil else { throw .storeExists(path: path) }
    guard change.names.allSatisfy(StoreFiles.isOurs) else { throw .notAStore(path: path) }
    try change.publish(making: parts.map { _ in nil }) { (change) throws(StoreError) in
      var (list, rowCount) = (ShardList(), 0)
      for tickers in parts {
        list.names.append(change.newDirectory())
        let shard = try QuoteStore(at: path + "/" + list.names[list.names.count - 1], in: fileSystem)
        rowCount += try shard.merge(self, tickers: tickers) { progress(rowCount + $0) }.rowCount
      }
      return list
    }
  }

  /// Adds finished stores to a store, or puts them in its place, in one step: what the last of several writers does that made a
  /// store each. Blocks the calling thread.
  ///
  /// A sharded store takes a finished store as a shard. Where it has some of the tickers already, their shard is copied, and the
  /// copy gets the rows, as `merge` adds them. Shards that are replaced stay on the disk until the next such change, for
  /// readers that are opening them. If there is no store, a sharded one is made. An ordinary store takes all rows in one commit.
  ///
  /// - Parameters:
  ///   - finished: the directories of stores that have no ticker twice. They lie inside `path`, and are gone afterwards. What a call has
  ///     begun that was interrupted, the same call finishes.
  ///   - path: the store's directory.
  ///   - isReplacing: whether the quotes that it has go.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, readers see what they saw before.
  package static func publish(
    _ finished: [String], in path: String, replacing isReplacing: Bool = false, patience: Duration = .zero
  ) throws(StoreError) {
    try publish(finished, in: path, replacing: isReplacing, patience: patience, SystemFiles())
  }

  static func publish(
    _ finished: [String], in path: String, replacing isReplacing: Bool, patience: Duration, _ fileSystem: any FileSystem
  ) throws(StoreError) {
    let change = isStore(path) ? nil : try ShardChange(path, fileSystem, patience: patience)
    // A call that was interrupted after the commit has published all of them, and the rest only goes.
    let isBegun = finished.contains { change?.published.contains($0) == true || fileSystem.wasPublished($0) }
    if isBegun, finished.contains(where: fileSystem.isGone) {
      return fileSystem.removePublishedStores(finished)
    }
    var parts: [QuoteStore] = []
    do throws(StoreError) {
      for store in finished { parts.append(try QuoteStore(at: store, mustExist: true, in: fileSystem)) }
    } catch {
      change?.abandon()
      throw error
    }
    if var change {
      try change.publish(making: parts.map(\.path) + (change.list?.names ?? []).map { _ in nil }) {
        (change) throws(StoreError) in
        // No ticker is in two of them.
        _ = try QuoteStore(joining: parts)
        return try isReplacing ? change.replacing(with: parts) : change.adding(parts)
      }
    } else {
      let store = try QuoteStore(at: path, in: fileSystem)
      let all = try QuoteStore(joining: parts)
      try store.commit(patience: patience) { (transaction) throws(StoreError) in
        let handle = StoreTransaction(transaction)
        if isReplacing { _ = try handle.deleteAll() }
        _ = try handle.merge(all)
      }
    }
    fileSystem.removePublishedStores(finished)
  }
}

extension StoreShard {
  /// A store by itself.
  package init(_ store: QuoteStore) { self.init(path: store.path, generation: store.generation) }
}
