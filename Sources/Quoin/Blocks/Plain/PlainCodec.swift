/// Eight bytes for each value, little-endian. It is used if no other encoding takes less.
enum PlainCodec: BlockCodec {
  static func payloadByteCount(_ header: BlockHeader) -> Int { header.rowCount * 8 }
  static func isConsistent(_ header: BlockHeader) -> Bool { header.hasNoScale }

  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    BlockPlan(BlockHeader(encoding: .plain, rowCount: input.count))
  }

  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {
    precondition(payload.count == input.count * 8)
    // Sound: by the precondition there are 8 bytes a value.
    for row in unsafe input.values.indices { unsafe payload.store(input.values[row].bits, at: row * 8) }
  }

  static func largestCompressedShare(
    _ header: BlockHeader, _ choice: EncodingChoice, _ scratch: EncoderScratch
  ) -> Double? { choice.largestCompressedShare }

  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    let payload = unsafe try block.payload(scratch)
    for row in 0..<block.rowCount { unsafe output[row] = value(row, payload) }
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    let payload = unsafe try block.payload(scratch)
    for index in 0..<rows.count { unsafe output[index] = value(rows[index], payload) }
  }

  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    let payload = unsafe try block.payload(scratch)
    let (lower, upper) = (range.lowerBound, range.upperBound)
    return RowMask(rowsBelow: block.rowCount) { row in
      let value: Value = unsafe value(row, payload)
      return (value >= lower) && (value <= upper)
    }
  }

  @inline(__always)
  private static func value<Value: BlockValue>(_ row: Int, _ payload: UnsafeRawBufferPointer) -> Value {
    // Sound: a plain payload is rowCount * 8 bytes.
    Value(bits: unsafe payload.integer(at: row * 8, as: UInt64.self))
  }
}
