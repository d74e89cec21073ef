// A set of days as a bitmap: bit i is day base + i. Trading days are about 5 in 7 of all days, so 1,024 rows take some
// 180 bytes, and "how many rows before this day" is a population count, without decoding: the rank operation of
// succinct bit vectors (Jacobson 1989). Only for columns that rise strictly: the dates.
//
// Sound throughout: parsing has checked that the bitmap is whole words and has as many bits as the block has rows.

enum DaySetCodec: BlockCodec {
  static func payloadByteCount(_ header: BlockHeader) -> Int { header.storedPayloadByteCount }

  static func isConsistent(_ header: BlockHeader) -> Bool {
    header.hasNoScale && header.storage == .raw && header.patchCount == 0 && header.storedPayloadByteCount % 8 == 0
  }

  static func check(_ block: EncodedBlock) throws(Damage) {
    let count = DayBitmap(of: block).dayCount
    guard count == block.rowCount else {
      throw Damage(offset: BlockHeader.byteCount, "a set of \(count) days for \(block.rowCount) rows")
    }
  }

  /// The days as a bitmap; nil if they don't rise strictly, or are so sparse that offsets take less.
  static func plan<Value>(_ input: BlockInput<Value>, unless knownByteCount: Int) -> BlockPlan<Value>? {
    guard input.areDays, Value.self == Int64.self else { return nil }
    let (first, last) = (day(0, input), day(input.count - 1, input))
    guard (1..<input.count).allSatisfy({ day($0 - 1, input) < day($0, input) }) else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span / 8 <= 2 * input.count else { return nil }
    var header = BlockHeader(encoding: .daySet, rowCount: input.count)
    header.base = first.bits
    header.storedPayloadByteCount = Int(span) / 64 * 8 + 8
    return BlockPlan(header)
  }

  static func write<Value>(
    _ plan: BlockPlan<Value>, _ input: BlockInput<Value>, to payload: UnsafeMutableRawBufferPointer
  ) {
    let base = Int64(bits: plan.header.base)
    unsafe payload.initializeMemory(as: UInt8.self, repeating: 0)
    for row in 0..<input.count {
      // Bit i of a little-endian word is bit i % 8 of its byte i / 8. The days rise from `base`, and the payload was made
      // for the last one.
      let bit = Int(day(row, input) - base)
      unsafe payload[bit / 8] |= 1 << UInt8(bit % 8)
    }
  }

  private static func day<Value>(_ row: Int, _ input: BlockInput<Value>) -> Int64 {
    Int64(bits: unsafe input.values[row].bits)
  }

  static func decode<Value: BlockValue>(
    _ block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    let (base, bitmap) = (Int64(bits: block.header.base), DayBitmap(of: block))
    var row = 0
    for index in 0..<bitmap.wordCount {
      var bits = bitmap.word(index)
      while bits != 0 {
        unsafe output[row] = Value(bits: (base &+ Int64(index * 64 + bits.trailingZeroBitCount)).bits)
        bits &= bits &- 1
        row += 1
      }
    }
  }

  static func gather<Value: BlockValue>(
    _ rows: RowList, of block: EncodedBlock, into output: UnsafeMutableBufferPointer<Value>, _ scratch: BlockScratch,
    source: SourceValues?
  ) throws(Damage) {
    let base = Int64(bits: block.header.base)
    DayBitmap(of: block).forEachPosition(of: rows) { index, position in
      unsafe output[index] = Value(bits: (base &+ Int64(position)).bits)
    }
  }

  /// The payload is small, so all of it is fetched.
  static func prefetch(_ rows: RowList, of block: EncodedBlock) {
    block.prefetch(upTo: BlockHeader.byteCount + block.header.storedPayloadByteCount)
  }

  /// Counts the days before each end.
  static func rows<Value>(
    of block: EncodedBlock, in range: ValueRange<Value>, among wanted: RowMask, _ scratch: BlockScratch
  ) throws(Damage) -> RowMask {
    let base = Int64(bits: block.header.base)
    let (first, last) = (Int64(bits: range.lowerBound.bits), Int64(bits: range.upperBound.bits))
    let bitmap = DayBitmap(of: block)
    let lower = bitmap.rank(before: Int(first.saturatingSubtract(base)))
    let upper = bitmap.rank(before: Int(last.saturatingSubtract(base).saturatingAdd(1)))
    return RowMask(rows: lower..<max(lower, upper))
  }
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
