/// Which commit a store's directory shows, told by the two ends of its manifest: cheap enough to ask before every answer.
///
/// Commits of one store differ in their generation, and commits of two stores that took each other's place in their
/// checksum.
package struct StoreStamp: Hashable, Sendable {
  /// How many commits led to it.
  package let generation: UInt64
  /// The manifest's checksum, as it is written there: it is not compared with the bytes.
  package let checksum: UInt64

  /// - Parameter manifest: the bytes of a manifest.
  init(_ manifest: UnsafeRawBufferPointer, path: String) throws(StoreError) {
    (generation, checksum) = try StoreFormat.reading(path) { () throws(Damage) in
      var head = unsafe ByteReader(manifest, at: Manifest.generationOffset)
      var tail = unsafe ByteReader(manifest, at: manifest.count - 8)
      return (try head.read(), try tail.read())
    }
  }
}

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
