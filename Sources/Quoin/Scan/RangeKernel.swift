// Which rows of an encoded block lie in a range.
//
//   constant   compare one value
//   scaled     turn the range of values into a range of offsets, once; compare offsets as they are stored
//   plain      compare values
//   day set    count the days before each end
//   derived    turn the range into one of the source's offsets, for each stretch of rows (DerivedRangeKernel.swift)
//   then decide each exception by its own value
//
// Offsets are compared in C (CKernels/range.c): 51 ns for 1,024 rows of 2 bytes; the best of nine forms in Swift took
// 165 ns, because none of them leads to the instruction that makes bits of lanes.

import CKernels

/// A range of one column's values, prepared for many blocks.
struct RangeKernel<Value: BlockValue>: Sendable {
  let range: ClosedRange<Value>
  /// The range in scaled integers, for the exponents that most blocks have.
  private let scaledRanges: [(exponent: Int, range: ClosedRange<Int64>?)]

  init(_ range: ClosedRange<Value>) {
    self.range = range
    scaledRanges = Value.exponents.prefix(2).map { ($0, Value.scaled(range, exponent: $0)) }
  }

  /// The rows of `block` whose values lie in the range, right where `wanted` has rows.
  func rows(of block: EncodedBlock, among wanted: RowMask, _ scratch: BlockScratch) throws(Damage) -> RowMask {
    var mask = try matches(block, among: wanted, scratch)
    for index in 0..<block.header.exceptionCount {
      let (row, bits) = block.exception(index)
      mask[row] = contains(Value(bits: bits))
    }
    return mask
  }

  /// Missing values are in no range; comparisons say so of NaN, and no range reaches down to `Int64.min`.
  func contains(_ value: Value) -> Bool { value >= range.lowerBound && value <= range.upperBound }

  /// The rows that match by the payload, right except for exceptions.
  private func matches(_ block: EncodedBlock, among wanted: RowMask, _ scratch: BlockScratch) throws(Damage) -> RowMask
  {
    let header = block.header
    switch header.encoding {
    case .constant: return contains(Value(bits: header.base)) ? RowMask(first: header.rowCount) : .none
    case .scaled:
      guard let offsets = offsets(header) else { return .none }
      if offsets.lowerBound == 0, offsets.upperBound >= header.largestOffset { return RowMask(first: header.rowCount) }
      var mask = RowMask.none
      unsafe mask.insert(0..<header.rowCount, of: header, try block.payload(scratch), in: offsets)
      return mask
    case .derived: return try derivedRows(block, among: wanted, scratch)
    case .plain: return unsafe plainRows(header, try block.payload(scratch))
    case .daySet:
      // Both ends are days; the distance of any two fits an Int.
      let (first, base) = (Int64(bits: range.lowerBound.bits), Int64(bits: header.base))
      let last = Int64(bits: range.upperBound.bits)
      let payload = unsafe try block.payload(scratch)
      let lower = unsafe DaySetCodec.rank(payload, before: Int(first.saturatingSubtract(base)))
      let upper = unsafe DaySetCodec.rank(payload, before: Int(last.saturatingSubtract(base).saturatingAdd(1)))
      return RowMask(rows: lower..<max(lower, upper))
    }
  }

  /// The offsets of a scaled block whose values lie in the range; nil when none can.
  private func offsets(_ header: BlockHeader) -> ClosedRange<UInt32>? {
    let known = scaledRanges.first { $0.exponent == header.exponent }
    let scaled = known.map(\.range) ?? Value.scaled(range, exponent: header.exponent)
    let base = Int64(bits: header.base)
    guard let scaled, scaled.upperBound >= base else { return nil }
    // Distances from the base, which are too large for Int64 but not for UInt64.
    let below = scaled.lowerBound <= base ? 0 : UInt64(bitPattern: scaled.lowerBound &- base)
    let above = UInt64(bitPattern: scaled.upperBound &- base)
    let step = UInt64(header.step)
    let lower = below / step + (below % step > 0 ? 1 : 0)
    let upper = above / step
    guard lower <= upper, lower <= UInt64(header.largestOffset) else { return nil }
    return UInt32(lower)...UInt32(min(upper, UInt64(header.largestOffset)))
  }

  private func plainRows(_ header: BlockHeader, _ payload: UnsafeRawBufferPointer) -> RowMask {
    let (lower, upper) = (range.lowerBound, range.upperBound)
    return maskRows(header.rowCount) {
      // Sound: a plain payload is rowCount * 8 bytes.
      let value = Value(bits: unsafe payload.integer(at: $0 * 8, as: UInt64.self))
      return (value >= lower) && (value <= upper)
    }
  }
}

extension RowMask {
  /// Adds those of `rows` whose offsets in a scaled payload are in `range`.
  mutating func insert(
    _ rows: Range<Int>, of header: BlockHeader, _ payload: UnsafeRawBufferPointer, in range: ClosedRange<UInt32>
  ) {
    precondition(rows.upperBound <= header.rowCount, "rows \(rows) of \(header.rowCount)")
    let (first, end, rowCount) = (Int32(rows.lowerBound), Int32(rows.upperBound), Int32(header.rowCount))
    let (lower, span) = (range.lowerBound, range.upperBound - range.lowerBound)
    unsafe withUnsafeMutableBytes(of: &words) { words in
      // Sound: parsing has checked that the payload is rowCount * width bytes, and a mask has bits for all rows.
      let mask = unsafe words.baseAddress!.assumingMemoryBound(to: UInt64.self)
      guard let payload = unsafe payload.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      switch header.width {
      case 1: unsafe quoin_range_1(payload, rowCount, first, end, lower, span, mask)
      case 2: unsafe quoin_range_2(payload, rowCount, first, end, lower, span, mask)
      case 3: unsafe quoin_range_3(payload, rowCount, first, end, lower, span, mask)
      case 4: unsafe quoin_range_4(payload, rowCount, first, end, lower, span, mask)
      default: break
      }
    }
    if header.width == 0, range.contains(0) { self.formUnion(RowMask(rows: rows)) }
  }
}

/// The rows below `count` for which `matches` holds.
@inline(__always)
func maskRows(_ count: Int, _ matches: (Int) -> Bool) -> RowMask {
  var mask = RowMask.none
  unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { lanes in
    // Sound: 64 lanes are written before 64 are read.
    let lane = lanes.baseAddress!
    for word in 0..<(count / 64) {
      for index in 0..<64 { unsafe lane[index] = matches(word * 64 + index) ? 1 : 0 }
      mask.words[word] = unsafe packed(UnsafeRawPointer(lane))
    }
  }
  for row in (count / 64 * 64)..<count where matches(row) { mask[row] = true }
  return mask
}

/// 64 bytes of 0 or 1 as the bits of a word. The multiplication moves byte i's bit to bit 56 + i.
@inline(__always)
func packed(_ lanes: UnsafeRawPointer) -> UInt64 {
  // Sound: callers have 64 lanes.
  var word: UInt64 = 0
  for group in 0..<8 {
    let bytes = UInt64(littleEndian: unsafe lanes.loadUnaligned(fromByteOffset: group * 8, as: UInt64.self))
    word |= ((bytes &* 0x0102_0408_1020_4080) >> 56) << UInt64(group * 8)
  }
  return word
}

extension BlockHeader {
  /// The largest offset that a scaled block's width can hold.
  var largestOffset: UInt32 { width == 0 ? 0 : UInt32.max >> UInt32(32 - 8 * width) }
}

extension Int64 {
  fileprivate func saturatingSubtract(_ other: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (self < 0 ? .min : .max) : difference
  }

  fileprivate func saturatingAdd(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
