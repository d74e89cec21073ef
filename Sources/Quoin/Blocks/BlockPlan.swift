/// One way to encode a block, before any byte is written: enough to know what it costs.
struct BlockPlan<Value: BlockValue> {
  /// With the number of exceptions, and the size of the payload when it is stored raw.
  var header: BlockHeader
  /// The derived encoding's stretches and exceptions; other encodings have none here.
  var stretches: [DerivedStretch] = []
  var derivedExceptions: [UInt16] = []

  init(header: BlockHeader) {
    self.header = header
    self.header.storedPayloadByteCount = header.payloadByteCount
  }

  /// Bytes of the block with its payload stored raw.
  var byteCount: Int {
    BlockHeader.byteCount + header.stretchByteCount + header.exceptionByteCount + header.storedPayloadByteCount
  }
}
