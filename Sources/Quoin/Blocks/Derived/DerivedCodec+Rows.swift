// Which rows of a derived block lie in a range. A range of its values is a range of its source's values, one for each stretch,
// and the source's codec compares these without decoding.

extension DerivedCodec {
  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    let source = try block.source()
    let isMonotone = (0..<block.header.listCount).allSatisfy { stretch($0, of: block).factor.value > 0 }
    let payload = unsafe try source.payload(scratch)
    let compare = unsafe CompareSource(block: block, source: source, payload: payload, range: range, wanted: wanted)
    guard isMonotone, var mask = source.header.encoding.run(compare, ()) else {
      return try decodedRows(of: block, in: range, scratch)
    }
    decidePatches(of: source, block, range, &mask)
    return mask
  }

  /// For a source whose codec can't compare.
  private static func decodedRows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    // Sound: there is a value for each row.
    return RowMask(rowsBelow: block.rowCount) { unsafe range.contains(values[$0]) }
  }

  /// Computes each row that the source leaves to a patch from that patch's value.
  private static func decidePatches<Value>(
    of source: EncodedBlock, _ block: EncodedBlock, _ range: ValueRange<Value>, _ mask: inout RowMask
  ) {
    guard source.header.patchCount > 0 else { return }
    var (index, current) = (0, stretch(0, of: block))
    for patchIndex in 0..<source.header.patchCount {
      let (row, bits) = source.patch(patchIndex)
      while current.rows.upperBound <= row {
        index += 1
        current = stretch(index, of: block)
      }
      mask[row] = range.contains(valueFrom: Value(bits: bits), by: current.factor)
    }
  }
}

/// Compares the source's rows, stretch by stretch; nil if its codec can't.
// Sound: the payload outlives the call that the task is made for.
@safe
private struct CompareSource<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let source: EncodedBlock
  let payload: UnsafeRawBufferPointer
  let range: ValueRange<Value>
  let wanted: RowMask

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ context: Void) throws(Never) -> RowMask? {
    guard Codec.comparesDerivedValues else { return nil }
    var mask = RowMask.none
    DerivedCodec.forEachStretch(of: block) { rows, factor in
      guard wanted.hasRows(in: rows) else { return }
      unsafe Codec.insertRows(rows, of: source, payload, by: factor, in: range, into: &mask)
    }
    return mask
  }
}

extension ValueRange {
  /// Whether the value that `factor` makes of `source` is in the range. Unless the product is close to an end, rounding
  /// doesn't matter.
  @inline(__always)
  fileprivate func contains(valueFrom source: Value, by factor: DerivedFactor) -> Bool {
    let product = source.approximately * factor.value
    let slack = Value.slack(around: product, by: DerivedFactor(value: 1, digits: factor.digits))
    let (lower, upper) = (lowerBound.approximately, upperBound.approximately)
    let (first, last) = (product - slack, product + slack)
    // Without branches, because nothing predicts the outcome. A missing value is neither inside nor outside.
    let isInside = (first > lower ? 1 : 0) & (last < upper ? 1 : 0)
    let isOutside = (last < lower ? 1 : 0) | (first > upper ? 1 : 0)
    if isInside | isOutside == 1, !source.isMissing { return isInside == 1 }
    return contains(factor.value(from: source))
  }
}
