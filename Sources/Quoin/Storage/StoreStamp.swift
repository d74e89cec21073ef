/// Which commit a store's directory shows, read from both ends of its manifest: cheap enough to compare before every answer.
///
/// Commits of one store differ in their generation. Commits of two stores, one of which replaced the other, differ in their
/// checksum.
package struct StoreStamp: Hashable, Sendable {
  /// The number of commits so far.
  package let generation: UInt64
  /// The manifest's checksum as stored. It isn't compared with the bytes.
  package let checksum: UInt64

  /// The bytes at a manifest's beginning that a stamp needs.
  static let headByteCount = Manifest.generationOffset + 8

  /// - Parameter ends: the first `headByteCount` bytes of a manifest, and the last 8.
  init(_ ends: [UInt8], path: String) throws(StoreError) {
    guard ends.count == Self.headByteCount + 8 else {
      throw .damaged(path: path, offset: ends.count, reason: "it is too short for a manifest")
    }
    (generation, checksum) = (ends.integer(at: Manifest.generationOffset), ends.integer(at: Self.headByteCount))
  }

  /// That of a sharded store, whose shards have these.
  init(_ list: ShardList, _ shards: [StoreStamp]) {
    var bytes = list.bytes
    for shard in shards { bytes.append(littleEndian: shard.checksum) }
    generation = shards.reduce(list.base) { $0 &+ $1.generation }
    checksum = Checksum(of: bytes).value
  }
}
