/// Which encodings and storages a writer may use, and when a payload is packed.
package struct EncodingChoice: Sendable {
  package var encodings: Set<BlockEncoding>
  package var storages: Set<PayloadStorage>

  /// LZ4 is used if the payload shrinks to this share. With less, a scan loses more by unpacking than it gains by reading
  /// less.
  package var largestCompressedShare: Double
  /// The same for scaled payloads, which a scan would compare as they are stored.
  package var largestCompressedScaledShare = 0.5

  /// - Parameter largestCompressedShare: for payloads that are not scaled.
  package init(
    encodings: Set<BlockEncoding> = Set(BlockEncoding.allCases),
    storages: Set<PayloadStorage> = [.raw, .lz4, .lz4Planes],
    largestCompressedShare: Double = 0.8
  ) {
    self.encodings = encodings
    self.storages = storages
    self.largestCompressedShare = largestCompressedShare
  }

  /// The choice for a store.
  package init(_ packing: BlockPacking) {
    switch packing {
    case .fast: self.init(storages: [.raw])
    case .balanced: self.init()
    case .small:
      self.init(storages: Set(PayloadStorage.allCases), largestCompressedShare: 1)
      largestCompressedScaledShare = 1
    }
  }

  /// Whether offsets may be packed in bits. A look-up in a set: to be asked once, not for each block.
  var packsBits: Bool { storages.contains(.bits) || storages.contains(.differenceBits) }
}
