/// One way to encode a block, before any byte is written: enough to know what it costs.
struct BlockPlan<Value: BlockValue> {
  var header: BlockHeader
  var exceptionRows: [Int]
  /// The scaled encoding's offsets, one a row; other encodings have none.
  var offsets: [UInt64]
  /// The derived encoding's stretches; other encodings have none.
  var stretches: [DerivedStretch]

  init(header: BlockHeader, exceptionRows: [Int], offsets: [UInt64] = [], stretches: [DerivedStretch] = []) {
    self.header = header
    self.exceptionRows = exceptionRows
    self.offsets = offsets
    self.stretches = stretches
    self.header.exceptionCount = exceptionRows.count
    self.header.storedPayloadByteCount = header.payloadByteCount
  }

  /// Bytes of the block with its payload stored raw.
  var byteCount: Int {
    BlockHeader.byteCount + header.stretchByteCount + header.exceptionByteCount + header.storedPayloadByteCount
  }

  /// The payload's bytes before any compression.
  func payload(_ values: UnsafeBufferPointer<Value>) -> [UInt8] {
    switch header.encoding {
    case .constant, .derived: []
    case .scaled: ScaledCodec<Value>.payload(offsets, exceptionRows: exceptionRows, width: header.width)
    case .plain: unsafe PlainCodec.payload(values)
    case .daySet: unsafe values.withMemoryRebound(to: Int64.self) { unsafe DaySetCodec.payload($0, header) }
    }
  }
}
