/// Eight bytes a value, little-endian: what is left when no structure was found.
enum PlainCodec<Value: BlockValue> {
  static func analyze(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value> {
    BlockPlan(header: BlockHeader(encoding: .plain, rowCount: values.count))
  }

  /// Writes the payload, 8 bytes a value.
  static func write(_ values: UnsafeBufferPointer<Value>, to payload: UnsafeMutableRawBufferPointer) {
    precondition(payload.count == values.count * 8)
    // Sound: by the precondition there are 8 bytes a value.
    for row in values.indices {
      unsafe payload.storeBytes(of: values[row].bits.littleEndian, toByteOffset: row * 8, as: UInt64.self)
    }
  }
}
