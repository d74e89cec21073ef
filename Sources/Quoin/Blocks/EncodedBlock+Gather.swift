import CKernels

// Some rows of a block, or values that were computed from others that are there already: what a scan hands out. For a
// few rows this costs less than decoding the block.

extension EncodedBlock {
  /// Writes the values of the rows `rows`, which rise, to `output`, which has room for as many.
  ///
  /// - Parameter source: where this block is derived, the values of the same rows of the block that it is computed from,
  ///   when they are known.
  func gather<Value: BlockValue>(
    _ rows: RowList, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: UnsafeBufferPointer<Value>? = nil
  ) throws(Damage) {
    precondition(output.count == rows.count, "room for \(output.count) values of \(rows.count)")
    // Sound: the list's rows are the block's, and there is room for as many values as it has rows.
    switch header.encoding {
    case .constant: unsafe output.update(repeating: Value(bits: header.base))
    case .scaled: unsafe unscale(rows.count, try payload(scratch), into: output) { rows[$0] }
    case .plain:
      let payload = unsafe try payload(scratch)
      for index in 0..<rows.count { unsafe output[index] = plainValue(rows[index], payload) }
    case .daySet:
      let (base, payload) = (Int64(bits: header.base), unsafe try payload(scratch))
      unsafe output.withMemoryRebound(to: Int64.self) { days in
        unsafe DaySetCodec.forEachPosition(payload, rows.indices) { unsafe days[$0] = base &+ Int64($1) }
      }
    case .derived:
      if let source = unsafe source {
        unsafe derive(rows, from: source, into: output)
      } else {
        unsafe try self.source().gather(rows, into: output, scratch)
        unsafe derive(rows, from: UnsafeBufferPointer(output), into: output)
      }
    }
    if header.exceptionCount > 0 { unsafe patch(rows, output) }
  }

  /// Writes every value of a derived block to `output`, computed from `source`, the values that they are derived from.
  func decode<Value: BlockValue>(
    from source: UnsafeBufferPointer<Value>, into output: UnsafeMutableBufferPointer<Value>
  ) {
    precondition(output.count == rowCount && source.count == rowCount, "room for \(output.count) of \(rowCount)")
    unsafe derive(from: source, into: output)
    unsafe patch(output)
  }

  /// Computes some rows of a derived block, from `source` to `output`, which may be the same memory.
  private func derive<Value: BlockValue>(
    _ rows: RowList, from source: UnsafeBufferPointer<Value>,
    into output: UnsafeMutableBufferPointer<Value>
  ) {
    precondition(source.count == rows.count, "\(source.count) values to compute \(rows.count) from")
    var (first, decade) = (0, RoundingDecade.none)
    forEachStretch { stretch, factor, digits in
      var end = first
      while end < rows.count, rows[end] < stretch.upperBound { end += 1 }
      unsafe Value.derive(first..<end, from: source, into: output, factor: factor, digits, &decade)
      first = end
    }
  }

  /// Puts the exceptions in their places among all rows.
  private func patch<Value: BlockValue>(_ output: UnsafeMutableBufferPointer<Value>) {
    for index in 0..<header.exceptionCount {
      let (row, bits) = exception(index)
      unsafe output[row] = Value(bits: bits)
    }
  }

  /// Replaces the gathered values of exceptional rows.
  private func patch<Value: BlockValue>(
    _ rows: RowList, _ output: UnsafeMutableBufferPointer<Value>
  ) {
    var index = 0
    for exceptionIndex in 0..<header.exceptionCount {
      let (row, bits) = exception(exceptionIndex)
      // Nearly always the answer is the same for a whole column, unlike that to "which of the two comes first".
      guard rows.contains(row) else { continue }
      while rows[index] < row { index += 1 }
      unsafe output[index] = Value(bits: bits)
    }
  }

  /// Asks the processor to fetch what `gather` will read of the block for these rows.
  @inline(__always)
  func prefetch(_ rows: RowList) {
    guard let payload = unsafe rawPayload else { return }
    // The lists before the payload, and the payload where it is small; the first line is there, for it has the header.
    let lists = header.stretchByteCount + header.exceptionByteCount
    let byteCount = BlockHeader.byteCount + lists + (header.encoding == .daySet ? header.storedPayloadByteCount : 0)
    for offset in stride(from: 64, to: Swift.min(byteCount, 512), by: 64) {
      unsafe quoin_prefetch(payload - lists - BlockHeader.byteCount + offset)
    }
    guard header.encoding == .scaled, header.storage == .raw else { return }
    let (width, rowCount) = (header.width == 3 ? 2 : header.width, header.rowCount)
    for index in 0..<rows.count {
      let row = rows[index]
      unsafe quoin_prefetch(payload + row * width)
      if header.width == 3 { unsafe quoin_prefetch(payload + 2 * rowCount + row) }
    }
  }
}
