// Ranges of values that are computed from a scaled block. Within a stretch the map from offset to value is monotone.
//
//   t = (bound / factor * 10^exponent - base) / step       where the bound lies among the offsets
//
// The values are rounded twice on the way. So t tells which offset is the first inside unless it is near a whole number; then
// the values themselves decide.

/// The offsets of a scaled block from which a factor leads into a range.
struct OffsetSearch {
  let header: BlockHeader
  let factor: DerivedFactor

  /// Nil when no offset does.
  @inline(__always)
  func offsets(in range: ValueRange<Double>) -> ClosedRange<UInt32>? {
    let count = Double(header.largestOffset) + 1
    let scale = powersOfTen[header.exponent] / factor.value
    let lower = firstOffset(below: count, range.lowerBound, scale) { value($0) >= range.lowerBound }
    let end = firstOffset(below: count, range.upperBound, scale) { value($0) > range.upperBound }
    return lower < end ? UInt32(lower)...UInt32(end - 1) : nil
  }

  private func value(_ offset: UInt32) -> Double {
    let integer = Int64(bits: header.base) &+ Int64(bitPattern: UInt64(offset) &* UInt64(header.step))
    return factor.value(from: Double.unscaled(integer, exponent: header.exponent))
  }

  /// The first of `count` offsets for which `holds`, which stays true from there on; `count` if it never holds.
  @inline(__always)
  private func firstOffset(below count: Double, _ bound: Double, _ scale: Double, _ holds: (UInt32) -> Bool) -> UInt64 {
    let integer = bound * scale
    var (estimate, slack) = (integer - Double(Int64(bits: header.base)), factor.slack(around: integer, scale: scale))
    if header.step != 1 { (estimate, slack) = (estimate / Double(header.step), slack / Double(header.step)) }
    if estimate < -slack || estimate == -.infinity && holds(0) { return 0 }
    if estimate > count + slack || estimate == .infinity && !holds(UInt32(count - 1)) { return UInt64(count) }
    // Now it fits an Int, or the slack is too large for it to say anything.
    if slack < 0.5 {
      let whole = Double(Int64(estimate))
      if estimate - whole > slack, estimate - whole < 1 - slack { return min(UInt64(whole) + 1, UInt64(count)) }
    }
    return Self.exactFirstOffset(below: UInt64(count), near: estimate, holds)
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
