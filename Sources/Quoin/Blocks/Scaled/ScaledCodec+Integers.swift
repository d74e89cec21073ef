import CKernels

extension ScaledCodec {
  static func writeIntegers<Value: BlockValue>(
    _ block: EncodedBlock, of type: Value.Type, from first: Int, to output: UnsafeMutablePointer<Float>,
    _ scratch: BlockScratch
  ) throws(Damage) -> NarrowIntegers? {
    let header = block.header
    let base = Int64(bits: header.base)
    // Offsets of four bytes aren't positive as Int32s, the type that the machine converts in lanes.
    guard header.width < 4,
      let integers = NarrowIntegers(
        base: base, span: UInt64(header.largestOffset) * UInt64(header.step), exponent: header.exponent)
    else { return nil }
    if header.width == 0 {
      // Sound: there is room for the rows.
      unsafe output.update(repeating: Float(base), count: header.rowCount - first)
      return integers
    }
    let payload = unsafe try block.payload(scratch)
    // Sound: a scaled payload is rowCount * width bytes.
    unsafe quoin_narrow_integers(
      payload.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(header.width), Int32(header.rowCount),
      Int32(first), Float(base), Float(header.step), output)
    return integers
  }
}
