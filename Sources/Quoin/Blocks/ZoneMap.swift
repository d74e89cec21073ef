/// What statistics say of a block: no row matches, some may, all do. The order makes `and` the minimum of two verdicts
/// and `or` the maximum.
enum Verdict: UInt8, Sendable {
  case none, some, all
}

/// The extremes and missing counts of many blocks, as flat arrays: 8, 8 and 2 bytes for each block.
///
/// Sound: the loops check their blocks against the arrays once, before they begin.
@safe
struct ZoneMap {
  let blockCount: Int
  let minima: ByteView
  let maxima: ByteView
  let missingCounts: ByteView

  /// The verdicts on some blocks: whether their values lie in a range.
  @inline(__always)
  func verdicts<Value: BlockValue>(for wanted: ClosedRange<Value>, _ blocks: Range<Int>) -> [Verdict] {
    precondition(blocks.lowerBound >= 0 && blocks.upperBound <= blockCount, "blocks \(blocks) of \(blockCount)")
    precondition(min(minima.count, maxima.count) >= blockCount * 8 && missingCounts.count >= blockCount * 2)
    let (lower, upper) = (wanted.lowerBound, wanted.upperBound)
    let (minima, maxima, missing) = unsafe (minima.bytes, maxima.bytes, missingCounts.bytes)
    return unsafe [Verdict](unsafeUninitializedCapacity: blocks.count) { verdicts, count in
      for block in blocks {
        let minimum = unsafe Value(bits: minima.integer(at: block &* 8))
        let maximum = unsafe Value(bits: maxima.integer(at: block &* 8))
        if maximum < lower || minimum > upper {
          unsafe verdicts[block &- blocks.lowerBound] = .none
        } else {
          let isInside =
            unsafe minimum >= lower && maximum <= upper && missing.integer(at: block &* 2, as: UInt16.self) == 0
          unsafe verdicts[block &- blocks.lowerBound] = isInside ? .all : .some
        }
      }
      count = blocks.count
    }
  }
}

extension [Verdict] {
  /// Replaces each verdict by what `choose` makes of it and the other array's, which has as many.
  @inline(__always)
  mutating func combine(_ others: [Verdict], _ choose: (UInt8, UInt8) -> UInt8) {
    precondition(count == others.count, "\(count) and \(others.count) verdicts")
    unsafe withUnsafeMutableBytes { verdicts in
      unsafe others.withUnsafeBytes { others in
        // Sound: both have as many verdicts, by the precondition, and a verdict is a byte.
        for block in 0..<others.count { unsafe verdicts[block] = choose(verdicts[block], others[block]) }
      }
    }
  }
}
