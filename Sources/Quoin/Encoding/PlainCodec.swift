/// Eight bytes a value, little-endian: what is left when no structure was found.
enum PlainCodec<Value: BlockValue> {
  static func analyze(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value> {
    BlockPlan(header: BlockHeader(encoding: .plain, rowCount: values.count), exceptionRows: [])
  }

  static func payload(_ values: UnsafeBufferPointer<Value>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(values.count * 8)
    for row in values.indices { unsafe bytes.append(littleEndian: values[row].bits) }
    return bytes
  }
}
