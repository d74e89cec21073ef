extension QuoteStore {
  /// The stamp of a store's newest commit. Complexity: O(1); it reads some bytes.
  ///
  /// - Throws: `StoreError` if there is no store, or if its manifest is too short.
  package static func stamp(of path: String) throws(StoreError) -> StoreStamp {
    do throws(StoreError) { return try stampOfStore(path) } catch {
      guard case .noStore = error, let list = try ShardList.read(in: path, SystemFiles()) else { throw error }
      return StoreStamp(list, try list.names.map { (name) throws(StoreError) in try stampOfStore(path + "/" + name) })
    }
  }

  private static func stampOfStore(_ path: String) throws(StoreError) -> StoreStamp {
    let manifest = path + "/" + StoreFiles.manifest
    let ends: [UInt8]
    do { ends = try SystemFiles().ends(of: manifest, first: StoreStamp.headByteCount, last: 8) } catch {
      throw error.isNoSuchFile ? .noStore(path: path) : StoreError(reading: error)
    }
    return try StoreStamp(ends, path: manifest)
  }
}
