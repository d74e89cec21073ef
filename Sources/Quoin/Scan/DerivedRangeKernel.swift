extension RangeKernel {
  /// The rows of a derived block that match, right except for the block's own exceptions.
  func derivedRows(_ block: EncodedBlock, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    let source = try block.source()
    let isMonotone = (0..<block.header.stretchCount).allSatisfy { block.stretch($0).factor > 0 }
    guard isMonotone, source.header.encoding == .scaled || source.header.encoding == .constant else {
      return try decodedRows(block, scratch)
    }
    let payload = unsafe try source.payload(scratch)
    var mask = unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Limits.rowsPerBlock) { lanes in
      unsafe lanes.initialize(repeating: 0)
      block.forEachStretch { rows, factor, digits in
        unsafe fill(lanes, rows, source.header, payload, factor, digits)
      }
      return unsafe RowMask(lanes: UnsafeRawBufferPointer(lanes))
    }
    decideExceptions(of: source, block, &mask)
    return mask
  }

  /// Sets to 1 the lanes of a stretch's rows that match.
  private func fill(
    _ lanes: UnsafeMutableBufferPointer<UInt8>, _ rows: Range<Int>, _ source: BlockHeader,
    _ payload: UnsafeRawBufferPointer, _ factor: Double, _ digits: SignificantDigits
  ) {
    if source.encoding == .constant {
      guard contains(DerivedCodec.computed(Value(bits: source.base), factor, digits)) else { return }
      for row in rows { unsafe lanes[row] = 1 }
    } else if let offsets = offsets(source, factor, digits) {
      let (lower, span) = (offsets.lowerBound, offsets.upperBound - offsets.lowerBound)
      unsafe source.forEachOffset(of: rows, payload) { row, offset in
        unsafe lanes[row] = offset &- lower <= span ? 1 : 0
      }
    }
  }

  /// A row that the source can't say is computed from its own value.
  private func decideExceptions(of source: EncodedBlock, _ block: EncodedBlock, _ mask: inout RowMask) {
    let digits = SignificantDigits(digits: block.header.exponent)
    var stretch = 0
    for index in 0..<source.header.exceptionCount {
      let (row, bits) = source.exception(index)
      while block.stretch(stretch).rows.upperBound <= row { stretch += 1 }
      mask[row] = contains(DerivedCodec.computed(Value(bits: bits), block.stretch(stretch).factor, digits))
    }
  }

  /// For a source whose values have no order that helps.
  private func decodedRows(_ block: EncodedBlock, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    return maskRows(block.rowCount) { unsafe contains(values[$0]) }
  }

  /// The offsets of a scaled source from which `factor` leads into the range; nil when none does.
  private func offsets(_ source: BlockHeader, _ factor: Double, _ digits: SignificantDigits) -> ClosedRange<UInt32>? {
    let value = { (offset: UInt32) -> Value in
      let integer = Int64(bits: source.base) &+ Int64(bitPattern: UInt64(offset) &* UInt64(source.step))
      return DerivedCodec.computed(Value.unscaled(integer, exponent: source.exponent), factor, digits)
    }
    let count = UInt64(source.largestOffset) + 1
    let lower = Self.firstOffset(below: count, near: estimate(range.lowerBound, source, factor)) {
      value($0) >= range.lowerBound
    }
    let end = Self.firstOffset(below: count, near: estimate(range.upperBound, source, factor)) {
      value($0) > range.upperBound
    }
    return lower < end ? UInt32(lower)...UInt32(end - 1) : nil
  }

  private func estimate(_ bound: Value, _ source: BlockHeader, _ factor: Double) -> Double {
    let integer = Value.scaledSource(of: bound, factor: factor, exponent: source.exponent)
    return (integer - Double(Int64(bits: source.base))) / Double(source.step)
  }

  /// The first of `count` offsets for which `holds`, which stays true from there on; `count` when there is none.
  /// The estimate is right or next to right, so a few steps decide; if not, bisection does.
  private static func firstOffset(
    below count: UInt64, near estimate: Double, _ holds: (UInt32) -> Bool
  ) -> UInt64 {
    let last = Double(count - 1)
    var offset = estimate > 0 ? UInt64(Swift.min(estimate, last)) : 0
    for _ in 0..<4 {
      if offset < count, !holds(UInt32(offset)) {
        offset += 1
      } else if offset > 0, holds(UInt32(offset - 1)) {
        offset -= 1
      } else {
        return offset
      }
    }
    var (low, high) = (UInt64(0), count)
    while low < high {
      let middle = (low + high) / 2
      if holds(UInt32(middle)) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension BlockHeader {
  /// Calls `body` with some rows and their offsets in this block's scaled payload.
  @inline(__always)
  fileprivate func forEachOffset(
    of rows: Range<Int>, _ payload: UnsafeRawBufferPointer, _ body: (Int, UInt32) -> Void
  ) {
    // Sound: parsing has checked that the payload is rowCount * width bytes and that stretches lie inside the block.
    switch width {
    case 1: for row in rows { unsafe body(row, UInt32(payload[row])) }
    case 2: for row in rows { unsafe body(row, UInt32(load(payload, row * 2, as: UInt16.self))) }
    case 3:
      for row in rows {
        unsafe body(row, UInt32(load(payload, row * 2, as: UInt16.self)) | UInt32(payload[rowCount * 2 + row]) << 16)
      }
    case 4: for row in rows { unsafe body(row, load(payload, row * 4, as: UInt32.self)) }
    default: for row in rows { body(row, 0) }
    }
  }
}

extension RowMask {
  /// The rows whose lanes, one byte each for every row that a block can have, are 1.
  fileprivate init(lanes: UnsafeRawBufferPointer) {
    precondition(lanes.count == Limits.rowsPerBlock, "\(lanes.count) lanes")
    self = .none
    for word in 0..<(Limits.rowsPerBlock / 64) {
      // Sound: there are 64 lanes for each word.
      unsafe words[word] = packed(lanes.baseAddress! + word * 64)
    }
  }
}
