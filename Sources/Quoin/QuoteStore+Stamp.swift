extension QuoteStore {
  /// Which commit the store in a directory shows now. Complexity: O(1), one mapping.
  ///
  /// - Throws: `StoreError` when there is no store, or what is there is too short for one.
  package static func stamp(of path: String) throws(StoreError) -> StoreStamp { try stamp(of: path, in: SystemFiles()) }

  static func stamp(of path: String, in fileSystem: some FileSystem) throws(StoreError) -> StoreStamp {
    let manifest = path + "/" + StoreFiles.manifest
    let mapping: MappedFile
    do { mapping = try fileSystem.map(manifest) } catch {
      throw error.isNoSuchFile ? .noStore(path: path) : .inputOutput(error)
    }
    defer { withExtendedLifetime(mapping) {} }
    return unsafe try StoreStamp(mapping.bytes, path: manifest)
  }
}
