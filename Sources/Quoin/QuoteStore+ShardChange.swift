/// A change of a sharded store: directories come first, and the new list makes them the store.
///
///   1. write down which directories will be made, and which go (ShardJournal.swift)
///   2. make them
///   3. publish the list
///   4. remove the directories that no list names any more, then what was written down
///
/// A change that was interrupted before the list was published is taken back by the next one; after that, it is finished.
struct ShardChange {
  let path: String
  let fileSystem: any FileSystem
  /// The list so far; nil if there is no sharded store.
  let list: ShardList?
  /// What is in the directory.
  let names: [String]
  /// The finished stores that an interrupted change has published.
  let published: Set<String>
  private let lock: WriterLock
  private var journal = ShardJournal()
  /// How many of the journal's directories have been asked for.
  private var usedCount = 0

  init(_ path: String, _ fileSystem: any FileSystem, patience: Duration) throws(StoreError) {
    lock = try WriterLock(path, fileSystem, patience: patience, isForShards: true)
    list = try ShardList.read(in: path, fileSystem)
    (self.path, self.fileSystem) = (path, fileSystem)
    do {
      let isInterrupted = try fileSystem.names(in: path).contains(StoreFiles.shardJournal)
      let journal = isInterrupted ? try ShardJournal.read(in: path, fileSystem) : ShardJournal()
      published = Set(journal.made.compactMap { [list] in list?.names.contains($0.name) == true ? $0.finished : nil })
      if isInterrupted { journal.settle(in: path, list, fileSystem) }
      // Of a list that was never published; the next one takes its name.
      names = try fileSystem.names(in: path).filter { $0 != StoreFiles.temporaryShards }
    } catch { throw StoreError(reading: error) }
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
  ///
  /// - Parameter stores: for each directory that may be made the finished store that may be moved there; nil for a new one.
  mutating func publish(
    making stores: [String?], _ body: (inout ShardChange) throws(StoreError) -> ShardList
  ) throws(StoreError) {
    let new: ShardList
    do throws(StoreError) {
      for store in stores { journal.made.append((ShardList.newName(besides: names + journal.made.map(\.name)), store)) }
      journal.dropped = list?.before ?? []
      do { try journal.write(in: path, fileSystem) } catch { throw .inputOutput(error) }
      new = try body(&self)
      try new.publish(in: path, fileSystem)
    } catch {
      // The list may be there. Who opens the store sees it, and the next change knows what to do.
      if case .commitUnknown(let cause) = error, cause.path == path { throw error }
      abandon()
      // What a shard of its own doesn't know is known of the whole: it isn't there.
      if case .commitUnknown(let cause) = error { throw .inputOutput(cause) }
      throw error
    }
    fileSystem.removePublishedStores(stores.compactMap(\.self))
    journal.settle(in: path, new, fileSystem)
  }

  /// Takes everything back that was made, the directory too if it is new.
  func abandon() {
    journal.settle(in: path, list, fileSystem)
    lock.removeUnusedDirectory()
  }

  /// The name of a directory that will be made.
  mutating func newDirectory() -> String {
    defer { usedCount += 1 }
    while journal.made[usedCount].finished != nil { usedCount += 1 }
    return journal.made[usedCount].name
  }

  private func directory(_ name: String) -> String { path + "/" + name }

  private func move(_ store: String) throws(StoreError) -> String {
    guard let name = journal.made.first(where: { $0.finished == store })?.name else { throw .noStore(path: store) }
    do { try fileSystem.rename(store, to: directory(name)) } catch { throw .inputOutput(error) }
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
    } catch { throw StoreError(reading: error) }
    return name
  }
}
