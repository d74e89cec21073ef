import CKernels

// Which rows lie in a range: the range of values becomes a range of offsets, once for each block, and offsets are compared
// as they are stored. They are compared in C (CKernels/range.c): 51 ns for 1,024 rows of 2 bytes; the best of nine forms in
// Swift took 165 ns, because none of them leads to the instruction that makes bits of lanes.

extension ScaledCodec {
  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    let header = block.header
    guard let offsets = offsets(header, range) else { return .none }
    if offsets.lowerBound == 0, offsets.upperBound >= header.largestOffset { return RowMask(first: header.rowCount) }
    var mask = RowMask.none
    unsafe insert(0..<header.rowCount, of: header, try block.payload(scratch, for: wanted), in: offsets, into: &mask)
    return mask
  }

  /// The offsets whose values lie in the range; nil when none can.
  private static func offsets<Value>(_ header: BlockHeader, _ range: ValueRange<Value>) -> ClosedRange<UInt32>? {
    let base = Int64(bits: header.base)
    guard let scaled = range.scaled(exponent: header.exponent), scaled.upperBound >= base else { return nil }
    // Distances from the base, which are too large for Int64 but not for UInt64.
    let below = scaled.lowerBound <= base ? 0 : UInt64(bitPattern: scaled.lowerBound &- base)
    let above = UInt64(bitPattern: scaled.upperBound &- base)
    let step = UInt64(header.step)
    let lower = below / step + (below % step > 0 ? 1 : 0)
    let upper = above / step
    guard lower <= upper, lower <= UInt64(header.largestOffset) else { return nil }
    return UInt32(lower)...UInt32(min(upper, UInt64(header.largestOffset)))
  }

  static let comparesDerivedValues = true

  static func insertRows(
    _ rows: Range<Int>, of block: EncodedBlock, _ payload: UnsafeRawBufferPointer, by factor: DerivedFactor,
    in range: ValueRange<Double>, into mask: inout RowMask
  ) {
    let search = OffsetSearch(header: block.header, factor: factor)
    guard let offsets = search.offsets(in: range) else { return }
    unsafe insert(rows, of: block.header, payload, in: offsets, into: &mask)
  }

  /// Adds those of `rows` whose offsets in a payload are in `range` to a mask.
  static func insert(
    _ rows: Range<Int>, of header: BlockHeader, _ payload: UnsafeRawBufferPointer, in range: ClosedRange<UInt32>,
    into mask: inout RowMask
  ) {
    precondition(rows.upperBound <= header.rowCount, "rows \(rows) of \(header.rowCount)")
    let (first, end, rowCount) = (Int32(rows.lowerBound), Int32(rows.upperBound), Int32(header.rowCount))
    let (lower, span) = (range.lowerBound, range.upperBound - range.lowerBound)
    unsafe withUnsafeMutableBytes(of: &mask.words) { words in
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
    if header.width == 0, range.contains(0) { mask.formUnion(RowMask(rows: rows)) }
  }
}
