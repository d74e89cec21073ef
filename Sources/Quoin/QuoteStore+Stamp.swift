extension QuoteStore {
  /// Which commit the store in a directory shows now. Complexity: O(1), some bytes are read.
  ///
  /// - Throws: `StoreError` when there is no store, or what is there is too short for one.
  package static func stamp(of path: String) throws(StoreError) -> StoreStamp {
    let manifest = path + "/" + StoreFiles.manifest
    let ends: [UInt8]
    do { ends = try SystemFiles().ends(of: manifest, first: StoreStamp.headByteCount, last: 8) } catch {
      throw error.isNoSuchFile ? .noStore(path: path) : .inputOutput(error)
    }
    return try StoreStamp(ends, path: manifest)
  }
}
