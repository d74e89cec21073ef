#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The verbs of reading. The codec reads the payload, then the patches are put right.

extension EncodedBlock {
  /// Decodes every row into `output`, which has room for exactly `rowCount` values.
  ///
  /// - Parameter source: if this block is derived and the caller has them, the values of the block that it is computed from.
  func decode<Value: BlockValue>(
    into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch, source: SourceValues? = nil
  ) throws(Damage) {
    precondition(output.count == rowCount, "room for \(output.count) values of \(rowCount)")
    unsafe try header.encoding.run(Decode(block: self, output: output, source: source), scratch)
    // Sound: parsing has checked that patches lie inside the block.
    for index in 0..<header.patchCount {
      let (row, bits) = patch(index)
      unsafe output[row] = Value(bits: bits)
    }
  }

  /// Writes the values of the rows `rows`, which rise, to `output`, which has room for as many.
  ///
  /// - Parameter source: if this block is derived and the caller has them, the values of the same rows of the block that it
  ///   is computed from.
  @inline(__always)
  func gather<Value: BlockValue>(
    _ rows: RowList, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues? = nil
  ) throws(Damage) {
    precondition(output.count == rows.count, "room for \(output.count) values of \(rows.count)")
    unsafe try header.encoding.run(Gather(rows: rows, block: self, output: output, source: source), scratch)
    if header.patchCount > 0 { unsafe patch(rows, output) }
  }

  /// The rows whose values lie in a range. The result is meaningful only for the rows of `wanted`.
  func rows<Value: BlockValue>(
    in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    var mask = try header.encoding.run(Rows(block: self, range: range, wanted: wanted), scratch)
    if header.patchCount > 0 {
      mask.set(header.patchCount) { index in
        let (row, bits) = patch(index)
        return (row, range.contains(Value(bits: bits)))
      }
    }
    return mask
  }

  /// Asks the processor to fetch what `gather` will read of the block for these rows.
  @inline(__always)
  func prefetch(_ rows: RowList) {
    prefetch(upTo: BlockHeader.byteCount + header.listByteCount + header.patchByteCount)
    header.encoding.run(Prefetch(rows: rows, block: self), ())
  }

  /// Replaces the gathered values of patched rows.
  private func patch<Value: BlockValue>(_ rows: RowList, _ output: UnsafeMutableBufferPointer<Value>) {
    var index = 0
    for patchIndex in 0..<header.patchCount {
      let (row, bits) = patch(patchIndex)
      // The answer is nearly always the same for a whole column, unlike the answer to "which of the two comes first".
      guard rows.contains(row) else { continue }
      while rows[index] < row { index += 1 }
      unsafe output[index] = Value(bits: bits)
    }
  }

  /// Whether the block decodes to the values that it was made from.
  func decodes<Value: BlockValue>(to input: BlockInput<Value>) -> Bool {
    let decoding = input.scratch.decoding
    let room = unsafe decoding.values(Value.self)
    let decoded = unsafe UnsafeMutableBufferPointer(rebasing: room[..<input.count])
    guard (try? unsafe decode(into: decoded, decoding)) != nil else { return false }
    // Sound: both hold `count` values of 8 bytes, and a block has at least one.
    return unsafe memcmp(decoded.baseAddress!, input.values.baseAddress!, input.count * 8) == 0
  }
}

// Sound, here and below: the memory outlives the call that the task is made for.
@safe
private struct Decode<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let output: UnsafeMutableBufferPointer<Value>
  let source: SourceValues?

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ scratch: BlockScratch) throws(Damage) {
    unsafe try Codec.decode(block, into: output, scratch, source: source)
  }
}

@safe
private struct Gather<Value: BlockValue>: CodecTask {
  let rows: RowList
  let block: EncodedBlock
  let output: UnsafeMutableBufferPointer<Value>
  let source: SourceValues?

  @inline(__always)
  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ scratch: BlockScratch) throws(Damage) {
    unsafe try Codec.gather(rows, of: block, into: output, scratch, source: source)
  }
}

private struct Rows<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let range: ValueRange<Value>
  let wanted: RowMask

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    try Codec.rows(of: block, in: range, among: wanted, scratch)
  }
}

private struct Prefetch: CodecTask {
  let rows: RowList
  let block: EncodedBlock

  @inline(__always)
  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ context: Void) throws(Never) { Codec.prefetch(rows, of: block) }
}
