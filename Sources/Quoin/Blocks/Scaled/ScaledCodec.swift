// Scaled integers in a frame of reference: value = (base + offset * step) / 10^exponent, with offsets of 0 to 4 bytes.
//
// Prices are decimals: a division by a power of ten, correctly rounded, gives back every price of up to 15 digits to
// the last bit (a multiplication by 0.01 would not). Int64 values have exponent 0. The step is the greatest common
// divisor of the block's offsets: volumes in round lots of 100, prices in eighths. The map from offset to value is
// monotone, so a range of values is a range of offsets and a scan compares offsets without decoding.
//
// Payload by width: 1, 2 and 4 bytes are arrays of that integer; 3 bytes are an array of the low 16 bits and then
// an array of the high 8. Idea: DuckDB's ALP (Afroozeh, Kuffo and Boncz 2023) and its patched frames of reference
// (PFOR, Zukowski et al. 2006).

import CKernels

enum ScaledCodec: BlockCodec {
  static let largestWidth = 4
  static let hasOffsets = true

  static func payloadByteCount(_ header: BlockHeader) -> Int { header.rowCount * header.width }

  static func isConsistent(_ header: BlockHeader) -> Bool {
    guard header.width <= largestWidth, header.exponent < powersOfTen.exactCount, header.step != 0 else { return false }
    // The largest offset must not lead past Int64.
    let (distance, overflow) = UInt64(header.largestOffset).multipliedReportingOverflow(by: UInt64(header.step))
    return !overflow && distance <= UInt64(bitPattern: Int64.max &- Int64(bits: header.base))
  }

  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    unsafe Value.unscale(block.header, try block.payload(scratch), into: output)
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    unsafe unscale(block.header, rows.count, try block.payload(scratch, for: rows.mask), into: output) { rows[$0] }
  }

  @inline(__always)
  static func prefetch(_ rows: RowList, of block: EncodedBlock) {
    if block.header.storage.isBits { return PackedBits.prefetch(rows, of: block) }
    guard block.header.storage == .raw else { return }
    let payload = block.stored
    let (width, rowCount) = (block.header.width == 3 ? 2 : block.header.width, block.rowCount)
    for index in 0..<rows.count {
      let row = rows[index]
      payload.prefetch(at: row * width)
      if block.header.width == 3 { payload.prefetch(at: 2 * rowCount + row) }
    }
  }

  /// Writes the values that the payload has for some rows to `output`, which has room for as many.
  @inline(__always)
  static func unscale<Value: BlockValue>(
    _ header: BlockHeader, _ count: Int, _ payload: UnsafeRawBufferPointer,
    into output: UnsafeMutableBufferPointer<Value>, row: (Int) -> Int
  ) {
    // Sound: callers pass rows of the block, whose scaled payload is rowCount * width bytes, and room for some of them.
    guard let start = output.baseAddress else { return }
    switch header.width {
    case 1: unsafe Value.unscale(header, count: count, into: start) { unsafe UInt32(payload[row($0)]) }
    case 2:
      unsafe Value.unscale(header, count: count, into: start) {
        unsafe UInt32(payload.integer(at: row($0) * 2, as: UInt16.self))
      }
    case 3:
      unsafe Value.unscale(header, count: count, into: start) { unsafe offset3(row($0), header.rowCount, payload) }
    case 4:
      unsafe Value.unscale(header, count: count, into: start) {
        unsafe payload.integer(at: row($0) * 4, as: UInt32.self)
      }
    default: unsafe Value.unscale(header, count: count, into: start) { _ in 0 }
    }
  }

  /// Calls `body` with every row and its offset.
  @inline(__always)
  static func forEachOffset(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer, _ body: (Int, UInt32) -> Void
  ) {
    // Sound: a scaled payload is rowCount * width bytes.
    let rowCount = header.rowCount
    switch header.width {
    case 1: for row in 0..<rowCount { unsafe body(row, UInt32(payload[row])) }
    case 2: for row in 0..<rowCount { unsafe body(row, UInt32(payload.integer(at: row * 2, as: UInt16.self))) }
    case 3: for row in 0..<rowCount { unsafe body(row, offset3(row, rowCount, payload)) }
    case 4: for row in 0..<rowCount { unsafe body(row, payload.integer(at: row * 4, as: UInt32.self)) }
    default: for row in 0..<rowCount { body(row, 0) }
    }
  }

  @inline(__always)
  private static func offset3(_ row: Int, _ rowCount: Int, _ payload: UnsafeRawBufferPointer) -> UInt32 {
    unsafe UInt32(payload.integer(at: row * 2, as: UInt16.self)) | UInt32(payload[rowCount * 2 + row]) << 16
  }
}

// Sound, here and below: callers have room for `count` values, or all of a block; a scaled payload is rowCount * width bytes.
extension Double {
  static func unscale(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Double>
  ) {
    guard header.width > 0, let reciprocal = header.reciprocal else {
      return unsafe ScaledCodec.unscale(header, header.rowCount, payload, into: output) { $0 }
    }
    unsafe quoin_unscale(
      payload.baseAddress?.assumingMemoryBound(to: UInt8.self), Int32(header.width), Int32(header.rowCount),
      Double(Int64(bits: header.base)), Double(header.step), reciprocal.high, reciprocal.low, output.baseAddress)
  }

  @inline(__always)
  static func unscale(
    _ header: BlockHeader, count: Int, into output: UnsafeMutablePointer<Double>, _ offset: (Int) -> UInt32
  ) {
    // For a few values, division is faster.
    guard count > 16, let reciprocal = header.reciprocal else {
      let (base, step, power) = (Int64(bits: header.base), UInt64(header.step), powersOfTen[header.exponent])
      for index in 0..<count {
        unsafe output[index] = Double(base &+ Int64(bitPattern: UInt64(offset(index)) &* step)) / power
      }
      return
    }
    let (base, step) = (Double(Int64(bits: header.base)), Double(header.step))
    // Offsets of up to 3 bytes are positive as Int32 too, the type that the machine converts in lanes.
    for index in 0..<count {
      unsafe output[index] = reciprocal.quotient(Double(Int32(truncatingIfNeeded: offset(index))) * step + base)
    }
  }
}

extension Int64 {
  static func unscale(
    _ header: BlockHeader, _ payload: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<Int64>
  ) {
    unsafe ScaledCodec.unscale(header, header.rowCount, payload, into: output) { $0 }
  }

  @inline(__always)
  static func unscale(
    _ header: BlockHeader, count: Int, into output: UnsafeMutablePointer<Int64>, _ offset: (Int) -> UInt32
  ) {
    let (base, step) = (Int64(bits: header.base), UInt64(header.step))
    for index in 0..<count { unsafe output[index] = base &+ Int64(bitPattern: UInt64(offset(index)) &* step) }
  }
}

extension BlockHeader {
  /// The largest offset that a scaled block's width can hold.
  var largestOffset: UInt32 { width == 0 ? 0 : UInt32.max >> UInt32(32 - 8 * width) }

  /// The smallest integer of a scaled block, and the largest that its width allows.
  var integers: ClosedRange<Int64> {
    let base = Int64(bits: base)
    return base...(base &+ Int64(bitPattern: UInt64(largestOffset) &* UInt64(step)))
  }
}
