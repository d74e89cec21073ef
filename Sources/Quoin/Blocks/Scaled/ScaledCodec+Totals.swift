// Measuring a scaled block without decoding it. The smallest offset belongs to the smallest value, and offsets are added up
// instead of values (ScaledSum.swift). Offsets of rows that don't count are replaced by offsets that change nothing. The loops
// over offsets are in C (CKernels/segments.c).

import CKernels

extension ScaledCodec {
  static func measure<Value>(
    _ block: EncodedBlock, _ rows: BlockRows, into totals: SegmentTotals<Value>
  ) throws(Damage) -> Bool {
    let payload = unsafe try block.payload(totals.scratch, for: rows.mask)
    let measure = unsafe ScaledMeasure<Value>(block: block, payload: payload, rows: rows)
    return unsafe try totals.measure(
      block, rows,
      payload: { measure.measurePayload(into: totals) },
      ends: { output, rows in
        unsafe unscale(block.header, output.count, payload, into: output) { unsafe Int(rows[$0]) }
        return false
      })
  }
}

/// One scaled block that is being measured.
@safe
private struct ScaledMeasure<Value: BlockValue> {
  // Sound throughout: parsing has checked that the payload is rowCount * width bytes; the segments' rows are the block's;
  // `totals` has room for a word for each segment, and for 4 bytes for each row.
  let block: EncodedBlock
  let payload: UnsafeRawBufferPointer
  let rows: BlockRows

  private var header: BlockHeader { block.header }

  /// Measures the payload's rows; false when their values have to be looked at.
  func measurePayload(into totals: SegmentTotals<Value>) -> Bool {
    guard header.width > 0 else {
      totals.measure(everyValueIs: .unscaled(Int64(bits: header.base), exponent: header.exponent))
      return true
    }
    if totals.measures.contains(.sum), !addUp(into: totals) { return false }
    findExtremes(into: totals)
    return true
  }

  private func addUp(into totals: SegmentTotals<Value>) -> Bool {
    if totals.count == 1 {
      let rows = rows.payloadRows(block)
      guard let sum = unsafe Value.Total(header, payload, rows, count: Int(totals.counts[0])) else { return false }
      unsafe totals.sums[0] = sum
      return true
    }
    guard Value.Total(header, offsets: 0, count: 0) != nil else { return false }
    let offsets = unsafe countedOffsets(totals)
    let (bounds, rowCount, count) = (unsafe totals.segments.start, Int32(block.rowCount), totals.count)
    switch header.width {
    case 1: unsafe quoin_sums_1(offsets, rowCount, bounds, count, totals.found)
    case 2: unsafe quoin_sums_2(offsets, rowCount, bounds, count, totals.found)
    case 3: unsafe quoin_sums_3(offsets, rowCount, bounds, count, totals.found)
    default: unsafe quoin_sums_4(offsets, rowCount, bounds, count, totals.found)
    }
    for index in 0..<count {
      guard let sum = unsafe Value.Total(header, offsets: totals.found[index], count: Int(totals.counts[index])) else {
        return false
      }
      unsafe totals.sums[index] = sum
    }
    return true
  }

  /// The payload, or a copy of it in which the offsets of rows that don't count are zero.
  private func countedOffsets(_ totals: SegmentTotals<Value>) -> UnsafePointer<UInt8> {
    if rows.isWhole, header.patchCount == 0 {
      return unsafe payload.baseAddress!.assumingMemoryBound(to: UInt8.self)
    }
    let (start, high) = unsafe (totals.lanes, totals.lanes + 2 * block.rowCount)
    unsafe start.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    let width = header.width
    rows.forEachOtherRow(of: block) { row in
      switch width {
      case 1: unsafe start.storeBytes(of: 0, toByteOffset: row, as: UInt8.self)
      case 2: unsafe start.storeBytes(of: 0, toByteOffset: 2 * row, as: UInt16.self)
      case 3:
        unsafe start.storeBytes(of: 0, toByteOffset: 2 * row, as: UInt16.self)
        unsafe high.storeBytes(of: 0, toByteOffset: row, as: UInt8.self)
      default: unsafe start.storeBytes(of: 0, toByteOffset: 4 * row, as: UInt32.self)
      }
    }
    return unsafe UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
  }

  private func findExtremes(into totals: SegmentTotals<Value>) {
    let offsets = unsafe UnsafeMutableRawPointer(totals.found).assumingMemoryBound(to: UInt32.self)
    let (bounds, count, isNarrow) = (unsafe totals.segments.start, totals.count, header.width <= 2)
    if totals.measures.contains(.minimum) {
      if isNarrow {
        unsafe quoin_minima_16(lanes(totals, neutral: .max), bounds, count, offsets)
      } else {
        unsafe quoin_minima_32(lanes(totals, neutral: .max), bounds, count, offsets)
      }
      unsafe keep(offsets, as: totals.minima, totals)
    }
    if totals.measures.contains(.maximum) {
      if isNarrow {
        unsafe quoin_maxima_16(lanes(totals, neutral: 0), bounds, count, offsets)
      } else {
        unsafe quoin_maxima_32(lanes(totals, neutral: 0), bounds, count, offsets)
      }
      unsafe keep(offsets, as: totals.maxima, totals)
    }
  }

  /// Writes the values of the segments' extreme offsets; missing where no row counts.
  private func keep(
    _ offsets: UnsafePointer<UInt32>, as extremes: UnsafeMutablePointer<Value>,
    _ totals: SegmentTotals<Value>
  ) {
    unsafe Value.unscale(header, count: totals.count, into: extremes) { unsafe offsets[$0] }
    for index in 0..<totals.count where unsafe totals.counts[index] == 0 { unsafe extremes[index] = .missing }
  }

  /// The offsets of 1 to 4 bytes, as lanes of 2 or 4 bytes; those of rows that don't count replaced by `neutral`.
  private func lanes<Lane: FixedWidthInteger & UnsignedInteger>(
    _ totals: SegmentTotals<Value>, neutral: Lane
  ) -> UnsafePointer<Lane> {
    let isInPlace = header.width == MemoryLayout<Lane>.size
    if isInPlace, rows.isWhole, header.patchCount == 0 {
      return unsafe payload.baseAddress!.assumingMemoryBound(to: Lane.self)
    }
    let lanes = unsafe totals.lanes.assumingMemoryBound(to: Lane.self)
    if isInPlace {
      unsafe totals.lanes.copyMemory(from: payload.baseAddress!, byteCount: payload.count)
    } else {
      unsafe ScaledCodec.forEachOffset(header, payload) { row, offset in
        unsafe lanes[row] = Lane(truncatingIfNeeded: offset)
      }
    }
    rows.forEachOtherRow(of: block) { unsafe lanes[$0] = neutral }
    return unsafe UnsafePointer(lanes)
  }
}

// The sum of some rows by their offsets.

extension Int128 {
  init(_ header: BlockHeader, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int) {
    let offsets = unsafe rows.withWords { words in
      // Sound: a payload of offsets isn't empty, and has as many as the block has rows.
      unsafe quoin_selected_sum(
        payload.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(header.width), Int32(header.rowCount), words)
    }
    self.init(header, offsets: offsets, count: count)
  }
}

extension ExactSum {
  init?(_ header: BlockHeader, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int) {
    guard let reciprocal = header.reciprocal, header.width > 0, Self.isNarrow(header, reciprocal) else { return nil }
    var rest = 0.0
    let integer = unsafe rows.withWords { words in
      // Sound: a payload of offsets isn't empty, and has as many as the block has rows; integers are below 2^24.
      unsafe quoin_selected_rest(
        payload.baseAddress!.assumingMemoryBound(to: UInt8.self), Int32(header.width), Int32(header.rowCount), words,
        Int32(truncatingIfNeeded: header.base), Int32(truncatingIfNeeded: header.step), reciprocal.high,
        reciprocal.low, &rest)
    }
    self.init()
    // Below 2^34: each half times the 21 bits of `high` is exact.
    add(Double(integer & ~0x1FFFF) * reciprocal.high)
    add(Double(integer & 0x1FFFF) * reciprocal.high)
    add(rest)
  }
}
