/// The values of a block that is being encoded, and what an encoding may need besides.
@safe
struct BlockInput<Value: BlockValue> {
  // Sound: the values outlive the input, which lives for one call of `BlockEncoder.encode`.
  let values: UnsafeBufferPointer<Value>
  let count: Int
  /// Whether these are the rising days of a ticker.
  let areDays: Bool
  let missingCount: Int
  /// The values that these may be computed from, and their block.
  let source: BlockSource?
  /// Whether offsets will be packed in bits, so that large ones cost little.
  let packsBits: Bool
  let scratch: EncoderScratch
}

/// The block that another may be computed from: its values, which are some rows of a column, and its bytes.
struct BlockSource {
  let values: Column
  let rows: Range<Int>
  let bytes: [UInt8]

  /// Whether the block has values of its own.
  var isDerivable: Bool { bytes.first.map { !BlockEncoding.needsSource($0) } ?? false }
}

/// One way to encode a block, before any byte is written: enough to know what it costs.
struct BlockPlan<Value: BlockValue> {
  /// The header, with the number of patches and the size of the raw payload.
  var header: BlockHeader
  /// The entries of the encoding's own list.
  var list: [BlockListEntry] = []
  /// The rows of patches, if planning has found them.
  var patchRows: [UInt16] = []

  init(_ header: BlockHeader) {
    self.header = header
    self.header.storedPayloadByteCount = header.payloadByteCount
  }

  /// Bytes of the block with a raw payload.
  var byteCount: Int {
    BlockHeader.byteCount + header.listByteCount + header.patchByteCount + header.storedPayloadByteCount
  }
}

/// An entry of a list of a block: 64 bits and a row.
struct BlockListEntry: Equatable, Sendable {
  let bits: UInt64
  let row: UInt16
}
