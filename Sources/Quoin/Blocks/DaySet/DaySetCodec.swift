// A set of days as a bitmap: bit i is day base + i. Trading days are about 5 in 7 of all days, so 1,024 rows take some
// 180 bytes, and "how many rows before this day" is a population count, without decoding: the rank operation of
// succinct bit vectors (Jacobson 1989). Only for columns that rise strictly: the dates.

enum DaySetCodec {
  /// The days as a bitmap; nil when they do not rise strictly or are so sparse that offsets take less.
  static func analyze(_ days: UnsafeBufferPointer<Int64>) -> BlockPlan<Int64>? {
    guard let first = unsafe days.first, let last = unsafe days.last, last >= first,
      unsafe zip(days, days.dropFirst()).allSatisfy({ $0 < $1 })
    else { return nil }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    guard !overflow, span / 8 <= 2 * days.count else { return nil }
    var header = BlockHeader(encoding: .daySet, rowCount: days.count)
    header.base = first.bits
    header.storedPayloadByteCount = Int(span) / 64 * 8 + 8
    return BlockPlan(header: header)
  }

  /// Writes the bitmap of the days to `payload`, which has the size that the header says.
  static func write(_ days: UnsafeBufferPointer<Int64>, base: Int64, to payload: UnsafeMutableRawBufferPointer) {
    unsafe payload.initializeMemory(as: UInt8.self, repeating: 0)
    for row in days.indices {
      let bit = unsafe Int(days[row] - base)
      // Bit i of a little-endian word is bit i % 8 of its byte i / 8.
      // Sound: the days rise from `base`, and the payload was made for the last one.
      unsafe payload[bit / 8] |= 1 << UInt8(bit % 8)
    }
  }

  /// Writes the days to the beginning of `output`, which has room for all of them.
  static func decode(_ payload: UnsafeRawBufferPointer, base: Int64, into output: UnsafeMutableBufferPointer<Int64>) {
    // Sound: parsing has counted as many days as there is room for.
    var row = 0
    for index in 0..<(payload.count / 8) {
      var bits = unsafe word(payload, index)
      while bits != 0 {
        unsafe output[row] = base &+ Int64(index * 64 + bits.trailingZeroBitCount)
        bits &= bits &- 1
        row += 1
      }
    }
  }

  /// How many days of the set come before bit `position`, which may lie outside the bitmap on either side.
  static func rank(_ payload: UnsafeRawBufferPointer, before position: Int) -> Int {
    let position = min(max(position, 0), payload.count * 8)
    var count = 0
    for index in 0..<(position / 64) { unsafe count += word(payload, index).nonzeroBitCount }
    if position % 64 > 0 {
      let below: UInt64 = (1 << UInt64(position % 64)) - 1
      unsafe count += (word(payload, position / 64) & below).nonzeroBitCount
    }
    return count
  }

  /// Calls `body` with the index of each of `rows`, which rise, and the position of that row's day in the bitmap: the
  /// select operation, word by word.
  @inline(__always)
  static func forEachPosition(
    _ payload: UnsafeRawBufferPointer, _ rows: UnsafeBufferPointer<UInt16>, _ body: (Int, Int) -> Void
  ) {
    var (index, before) = (0, 0)
    for wordIndex in 0..<(payload.count / 8) where index < rows.count {
      let bits = unsafe word(payload, wordIndex)
      let end = before + bits.nonzeroBitCount
      while index < rows.count, unsafe Int(rows[index]) < end {
        unsafe body(index, wordIndex * 64 + position(ofBit: Int(rows[index]) - before, in: bits))
        index += 1
      }
      before = end
    }
  }

  /// The position of the set bit of `word` that `rank` set bits come before, of which there is one: the bits of pairs,
  /// nibbles and bytes are counted, the byte is the one where the running total passes the rank (Vigna 2008, "Broadword
  /// implementation of rank/select queries"), and the counts lead to the bit inside it, without branches.
  @inline(__always)
  private static func position(ofBit rank: Int, in word: UInt64) -> Int {
    let pairs = word &- ((word &>> 1) & 0x5555_5555_5555_5555)
    let nibbles = (pairs & 0x3333_3333_3333_3333) &+ ((pairs &>> 2) & 0x3333_3333_3333_3333)
    let bytes = (nibbles &+ (nibbles &>> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    // Byte i has the bits of bytes 0 ... i; at most 64, so the high bit of each is free for the comparison.
    let totals = bytes &* 0x0101_0101_0101_0101
    let passed = ((UInt64(rank) | 0x80) &* 0x0101_0101_0101_0101 &- totals) & 0x8080_8080_8080_8080
    var position = (((passed &>> 7) &* 0x0101_0101_0101_0101) &>> 56) &* 8
    var left = UInt64(rank) &- (((totals &<< 8) &>> position) & 0xFF)
    func skip(_ count: UInt64, _ width: UInt64) {
      let isPassed: UInt64 = left >= count ? 1 : 0
      left &-= isPassed &* count
      position &+= isPassed &* width
    }
    skip((nibbles &>> position) & 0xF, 4)
    skip((pairs &>> position) & 0x3, 2)
    skip((word &>> position) & 0x1, 1)
    return Int(position)
  }

  static func dayCount(_ payload: UnsafeRawBufferPointer) -> Int { unsafe rank(payload, before: payload.count * 8) }

  private static func word(_ payload: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    // Sound: callers keep `index` below count / 8.
    UInt64(littleEndian: unsafe payload.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
  }
}
