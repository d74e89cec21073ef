/// Which commit a store's directory shows, told by the two ends of its manifest: cheap enough to ask before every answer.
///
/// Commits of one store differ in their generation, and commits of two stores that took each other's place in their
/// checksum.
package struct StoreStamp: Hashable, Sendable {
  /// How many commits led to it.
  package let generation: UInt64
  /// The manifest's checksum, as it is written there: it is not compared with the bytes.
  package let checksum: UInt64

  /// How many bytes of a manifest's beginning it takes.
  static let headByteCount = Manifest.generationOffset + 8

  /// - Parameter ends: the first bytes of a manifest, so many, and the last 8.
  init(_ ends: [UInt8], path: String) throws(StoreError) {
    guard ends.count == Self.headByteCount + 8 else {
      throw .damaged(path: path, offset: ends.count, reason: "it is too short for a manifest")
    }
    (generation, checksum) = (ends.integer(at: Manifest.generationOffset), ends.integer(at: Self.headByteCount))
  }
}
