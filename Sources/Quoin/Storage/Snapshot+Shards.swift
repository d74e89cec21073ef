extension Snapshot {
  /// The newest generation of each shard of a sharded store, as one; nil if there is no such store.
  static func newestOfShards(
    in directory: String, _ fileSystem: some FileSystem, knowing known: Snapshot?
  ) throws(StoreError) -> Snapshot? {
    var list = try ShardList.read(in: directory, fileSystem)
    while let shown = list {
      if let snapshot = try joining(shown, in: directory, fileSystem, knowing: known) { return snapshot }
      // A shard is gone: then there is a newer list.
      list = try ShardList.read(in: directory, fileSystem)
      if list == shown {
        throw .damaged(path: directory + "/" + StoreFiles.shards, offset: 0, reason: "a store that it names is missing")
      }
    }
    return nil
  }

  /// The shards that a list names; nil if one is missing.
  private static func joining(
    _ list: ShardList, in directory: String, _ fileSystem: some FileSystem, knowing known: Snapshot?
  ) throws(StoreError) -> Snapshot? {
    let paths = list.names.map { directory + "/" + $0 }
    var parts: [Snapshot] = []
    for path in paths {
      guard let part = try newestOfStore(in: path, fileSystem, knowing: known) else { return nil }
      try part.checkGeneration(in: path, fileSystem)
      parts.append(part)
    }
    switch joining(parts) {
    case .success(let joined):
      var manifest = joined.manifest
      manifest.generation &+= list.base
      let shards = zip(paths, parts).map { StoreShard(path: $0, generation: $1.manifest.generation) }
      return Snapshot(manifest: manifest, files: joined.files, shards: shards)
    case .failure(let repeated):
      throw .tickerTwice(repeated.symbol, path: paths[repeated.parts.0], otherPath: paths[repeated.parts.1])
    }
  }
}

/// A store that is a part of a sharded one.
public struct StoreShard: Hashable, Sendable {
  /// Its directory.
  public let path: String
  /// Its generation, counted by itself.
  public let generation: UInt64
}
