// Ranges on a derived block are ranges on its source, one for each stretch of rows: offset -> value is monotone there.
//
//   t = (bound / factor * 10^exponent - base) / step       where the bound lies among the source's offsets
//
// The values are rounded twice on the way, so t says which offset is the first inside only where no whole number is
// near; near one, the values themselves decide.

extension RangeKernel {
  /// The rows of a derived block that match, right except for the block's own exceptions.
  func derivedRows(_ block: EncodedBlock, among wanted: RowMask, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    let source = try block.source()
    let isMonotone = (0..<block.header.stretchCount).allSatisfy { block.stretch($0).factor > 0 }
    guard isMonotone, source.header.encoding == .scaled || source.header.encoding == .constant else {
      return try decodedRows(block, scratch)
    }
    let payload = unsafe try source.payload(scratch)
    var mask = RowMask.none
    block.forEachStretch { rows, factor, digits in
      guard wanted.hasRows(in: rows) else { return }
      if source.header.encoding == .constant {
        if contains(DerivedCodec.computed(Value(bits: source.header.base), factor, digits)) {
          mask.formUnion(RowMask(rows: rows))
        }
      } else if let offsets = offsets(source.header, factor, digits) {
        unsafe mask.insert(rows, of: source.header, payload, in: offsets)
      }
    }
    decideExceptions(of: source, block, &mask)
    return mask
  }

  /// A row that the source can't say is computed from its own value.
  private func decideExceptions(of source: EncodedBlock, _ block: EncodedBlock, _ mask: inout RowMask) {
    guard source.header.exceptionCount > 0 else { return }
    let digits = SignificantDigits(digits: block.header.exponent)
    var (index, stretch) = (0, block.stretch(0))
    for exceptionIndex in 0..<source.header.exceptionCount {
      let (row, bits) = source.exception(exceptionIndex)
      while stretch.rows.upperBound <= row {
        index += 1
        stretch = block.stretch(index)
      }
      mask[row] = contains(derivedFrom: Value(bits: bits), stretch.factor, digits)
    }
  }

  /// Whether the value that `factor` leads to from `source` is in the range. Where the product is not close to an end,
  /// rounding it changes nothing.
  @inline(__always)
  private func contains(derivedFrom source: Value, _ factor: Double, _ digits: SignificantDigits) -> Bool {
    let product = source.approximately * factor
    let slack = Value.slack(around: product, factor: 1, digits)
    let (lower, upper) = (range.lowerBound.approximately, range.upperBound.approximately)
    let (first, last) = (product - slack, product + slack)
    // Without branches, for nothing tells which it will be. Of a missing value, neither holds.
    let isInside = (first > lower ? 1 : 0) & (last < upper ? 1 : 0)
    let isOutside = (last < lower ? 1 : 0) | (first > upper ? 1 : 0)
    if isInside | isOutside == 1, !source.isMissing { return isInside == 1 }
    return contains(DerivedCodec.computed(source, factor, digits))
  }

  /// For a source whose values have no order that helps.
  private func decodedRows(_ block: EncodedBlock, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Value.self)[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    return maskRows(block.rowCount) { unsafe contains(values[$0]) }
  }

  /// The offsets of a scaled source from which `factor` leads into the range; nil when none does.
  @inline(__always)
  private func offsets(_ source: BlockHeader, _ factor: Double, _ digits: SignificantDigits) -> ClosedRange<UInt32>? {
    let count = Double(source.largestOffset) + 1
    let scale = powersOfTen[source.exponent] / factor
    let lower = firstOffset(below: count, range.lowerBound, source, factor, scale, digits) {
      Self.value($0, source, factor, digits) >= range.lowerBound
    }
    let end = firstOffset(below: count, range.upperBound, source, factor, scale, digits) {
      Self.value($0, source, factor, digits) > range.upperBound
    }
    return lower < end ? UInt32(lower)...UInt32(end - 1) : nil
  }

  /// The first of `count` offsets for which `holds`, which stays true from there on; `count` when there is none.
  @inline(__always)
  private func firstOffset(
    below count: Double, _ bound: Value, _ source: BlockHeader, _ factor: Double, _ scale: Double,
    _ digits: SignificantDigits, _ holds: (UInt32) -> Bool
  ) -> UInt64 {
    let integer = bound.approximately * scale
    var (estimate, slack) = (
      integer - Double(Int64(bits: source.base)), Value.slack(around: integer, factor: factor, digits)
    )
    if source.step != 1 { (estimate, slack) = (estimate / Double(source.step), slack / Double(source.step)) }
    if estimate < -slack || estimate == -.infinity && holds(0) { return 0 }
    if estimate > count + slack || estimate == .infinity && !holds(UInt32(count - 1)) { return UInt64(count) }
    // Now it fits an Int, or the slack is too large for it to say anything.
    if slack < 0.5 {
      let whole = Double(Int64(estimate))
      if estimate - whole > slack, estimate - whole < 1 - slack { return min(UInt64(whole) + 1, UInt64(count)) }
    }
    return Self.exactFirstOffset(below: UInt64(count), near: estimate, holds)
  }

  private static func value(
    _ offset: UInt32, _ source: BlockHeader, _ factor: Double, _ digits: SignificantDigits
  ) -> Value {
    let integer = Int64(bits: source.base) &+ Int64(bitPattern: UInt64(offset) &* UInt64(source.step))
    return DerivedCodec.computed(Value.unscaled(integer, exponent: source.exponent), factor, digits)
  }

  /// The estimate is right or next to right, so a few steps decide; if not, bisection does.
  @inline(never)
  private static func exactFirstOffset(
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
