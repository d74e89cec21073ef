#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// No block leaves the encoder that doesn't give back its values bit for bit.

extension BlockEncoder {
  /// Whether the bytes give back the values.
  func isFaithful<Value: BlockValue>(
    _ bytes: [UInt8], _ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>, _ source: BlockSource<Value>?
  ) -> Bool {
    unsafe (source?.bytes ?? []).withUnsafeBytes { source in
      unsafe bytes.withUnsafeBytes { bytes in
        guard let block = try? unsafe EncodedBlock(bytes, source: source), block.rowCount == values.count else {
          return false
        }
        return plan.header.encoding == .derived
          ? unsafe says(block, plan, values) : unsafe decodes(block, to: values)
      }
    }
  }

  /// Whether the block decodes to the values.
  private func decodes<Value: BlockValue>(_ block: EncodedBlock, to values: UnsafeBufferPointer<Value>) -> Bool {
    let room = unsafe scratch.decoding.values(Value.self)
    let decoded = unsafe UnsafeMutableBufferPointer(rebasing: room[..<values.count])
    guard (try? unsafe block.decode(into: decoded, scratch.decoding)) != nil else { return false }
    // Sound: both hold `values.count` values of 8 bytes, and a block has at least one.
    return unsafe memcmp(decoded.baseAddress!, values.baseAddress!, values.count * 8) == 0
  }

  /// Whether a derived block says what the plan does.
  ///
  /// The plan has computed every row from the source's values, which their own block is known to give back, and its
  /// exceptions are all the rows that differed. It did so with the decoder's function, or four rows at a time with the
  /// same operations in the same order, which IEEE 754 has give the same bits (and a test checks). So it is the stretches,
  /// the rounding and the exceptions that the bytes must give back; to compute the rows again would say nothing new.
  private func says<Value: BlockValue>(
    _ block: EncodedBlock, _ plan: BlockPlan<Value>, _ values: UnsafeBufferPointer<Value>
  ) -> Bool {
    guard block.header == plan.header else { return false }
    for (index, stretch) in plan.stretches.enumerated() {
      let (rows, factor) = block.stretch(index)
      guard rows.lowerBound == stretch.firstRow, factor.bitPattern == stretch.factor.bitPattern else { return false }
    }
    return plan.derivedExceptions.indices.allSatisfy { index in
      let (row, bits) = block.exception(index)
      return unsafe row == plan.derivedExceptions[index] && bits == values[row].bits
    }
  }
}
