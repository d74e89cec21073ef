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
  ///   - path: the directory, in which there must be nothing yet.
  ///   - progress: is called after each ticker with the number of rows so far.
  /// - Throws: `StoreError`: `storeExists` or `notAStore` if there is something at the path. After an error what was made is gone.
  public func divide(
    into count: Int, at path: String, progress: (Int) -> Void = { _ in }
  ) throws(StoreError) {
    let parts = try parts(max(1, count)).filter { !$0.isEmpty }
    var change = try ShardChange(path, fileSystem, patience: .zero)
    guard change.list == nil else { throw .storeExists(path: path) }
    guard change.names.allSatisfy(StoreFiles.isOurs) else { throw .notAStore(path: path) }
    try change.publish { (change) throws(StoreError) in
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
  ///   - finished: the directories of stores that have no ticker twice. They lie inside `path`, and are gone afterwards.
  ///   - path: the store's directory.
  ///   - isReplacing: whether the quotes that it has go.
  ///   - patience: how long to wait while another writer is at work.
  /// - Throws: `StoreError`. Unless it is `commitUnknown`, readers see what they saw before.
  package static func publish(
    _ finished: [String], in path: String, replacing isReplacing: Bool = false, patience: Duration = .zero
  ) throws(StoreError) {
    let fileSystem = SystemFiles()
    var parts: [QuoteStore] = []
    for path in finished { parts.append(try QuoteStore(at: path, mustExist: true, in: fileSystem)) }
    // No ticker is in two of them.
    let all = try QuoteStore(joining: parts)
    if isStore(path) {
      let store = try QuoteStore(at: path, in: fileSystem)
      try store.commit(patience: patience) { (transaction) throws(StoreError) in
        let handle = StoreTransaction(transaction)
        if isReplacing { _ = try handle.deleteAll() }
        _ = try handle.merge(all)
      }
    } else {
      var change = try ShardChange(path, fileSystem, patience: patience)
      try change.publish { (change) throws(StoreError) in
        try isReplacing ? change.replacing(with: parts) : change.adding(parts)
      }
    }
    for path in finished { fileSystem.removeStore(path) }
  }
}

extension StoreShard {
  /// A store by itself.
  package init(_ store: QuoteStore) { self.init(path: store.path, generation: store.generation) }
}

/// A change of a sharded store: directories come first, and the new list makes them the store.
private struct ShardChange {
  let path: String
  let fileSystem: any FileSystem
  /// The list so far; nil if there is no sharded store.
  let list: ShardList?
  /// What is in the directory.
  let names: [String]
  private let lock: WriterLock
  /// The directories that were made for the new list, and where a finished store was that is one now.
  private var made: [(name: String, finished: String?)] = []

  init(_ path: String, _ fileSystem: any FileSystem, patience: Duration) throws(StoreError) {
    lock = try WriterLock(path, fileSystem, patience: patience, isForShards: true)
    list = try ShardList.read(in: path, fileSystem)
    (self.path, self.fileSystem) = (path, fileSystem)
    do { names = try fileSystem.names(in: path) } catch { throw .inputOutput(error) }
    if names.contains(StoreFiles.manifest) { throw .storeExists(path: path) }
  }

  /// The list in which stores take the place of all shards. They are moved.
  mutating func replacing(with stores: [QuoteStore]) throws(StoreError) -> ShardList {
    let old = list ?? ShardList()
    // Also if nothing takes their place, the generation is a new one.
    var new = ShardList(base: old.base &+ 1, before: old.names)
    for name in old.names { new.base &+= try QuoteStore(at: directory(name), in: fileSystem).generation }
    for store in stores { new.names.append(try move(store.path)) }
    return new
  }

  /// The list in which stores are shards too, unless there are shards of their tickers: copies of these get their rows.
  mutating func adding(_ stores: [QuoteStore]) throws(StoreError) -> ShardList {
    let old = list ?? ShardList()
    var (new, owners) = (ShardList(base: old.base, names: old.names), [TickerSymbol: Int]())
    for (index, name) in old.names.enumerated() {
      for ticker in try QuoteStore(at: directory(name), in: fileSystem).tickers { owners[ticker] = index }
    }
    for store in stores {
      let tickers = Dictionary(grouping: store.tickers) { owners[$0] }
      guard let first = tickers.keys.compactMap(\.self).min() else {
        new.names.append(try move(store.path))
        continue
      }
      for (owner, tickers) in tickers {
        let index = owner ?? first
        if new.names[index] == old.names[index] {
          new.before.append(old.names[index])
          new.names[index] = try copy(old.names[index])
        }
        try QuoteStore(at: directory(new.names[index]), in: fileSystem).merge(store, tickers: tickers)
      }
    }
    return new
  }

  /// Makes the list that `body` returns the store. Directories that neither this list nor the one before names are removed. After
  /// an error finished stores are where they were, and what was made is gone, unless the list may have been published.
  mutating func publish(
    _ body: (inout ShardChange) throws(StoreError) -> ShardList
  ) throws(StoreError) {
    defer { withExtendedLifetime(lock) {} }
    do throws(StoreError) {
      let new = try body(&self)
      try new.publish(in: path, fileSystem)
      for name in list?.before ?? [] where !new.has(name) { fileSystem.removeStore(directory(name)) }
    } catch {
      if case .commitUnknown = error { throw error }
      for (name, finished) in made {
        if let finished {
          try? fileSystem.rename(directory(name), to: finished)
        } else {
          fileSystem.removeStore(directory(name))
        }
      }
      throw error
    }
  }

  /// The name of a directory that will be made.
  mutating func newDirectory() -> String {
    let name = ShardList.newName(besides: names + made.map(\.name))
    made.append((name, nil))
    return name
  }

  private func directory(_ name: String) -> String { path + "/" + name }

  private mutating func move(_ store: String) throws(StoreError) -> String {
    let name = newDirectory()
    do { try fileSystem.rename(store, to: directory(name)) } catch { throw .inputOutput(error) }
    made[made.count - 1].finished = store
    return name
  }

  /// Copies a shard's newest generation and those that it keeps.
  private mutating func copy(_ shard: String) throws(StoreError) -> String {
    let name = newDirectory()
    let manifest = try Snapshot.newestOfStore(in: directory(shard), fileSystem)?.manifest
    do throws(FileSystemError) {
      try fileSystem.createDirectory(directory(name))
      for file in (manifest?.fileNames ?? []).sorted() + [StoreFiles.manifest] {
        let bytes = try fileSystem.map(directory(shard) + "/" + file)
        try fileSystem.writeFile(directory(name) + "/" + file, [bytes.view.array])
        withExtendedLifetime(bytes) {}
      }
      try fileSystem.syncDirectory(directory(name))
    } catch { throw .inputOutput(error) }
    return name
  }
}

extension ShardList {
  fileprivate func has(_ name: String) -> Bool { names.contains(name) || before.contains(name) }
}

extension FileSystem {
  /// Removes a store's files, and its directory if nothing else is in it. A failure costs only space.
  fileprivate func removeStore(_ directory: String) {
    for name in (try? names(in: directory)) ?? [] where StoreFiles.isOurs(name) { try? remove(directory + "/" + name) }
    try? removeDirectory(directory)
  }
}
