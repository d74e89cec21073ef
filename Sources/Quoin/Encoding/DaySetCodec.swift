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
      unsafe payload[bit / 8] |= 1 << UInt8(bit % 8)
    }
  }

  /// Writes the days to the beginning of `output`, which has room for all of them.
  static func decode(_ payload: UnsafeRawBufferPointer, base: Int64, into output: UnsafeMutableBufferPointer<Int64>) {
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

  static func dayCount(_ payload: UnsafeRawBufferPointer) -> Int { unsafe rank(payload, before: payload.count * 8) }

  private static func word(_ payload: UnsafeRawBufferPointer, _ index: Int) -> UInt64 {
    // Sound: callers keep `index` below count / 8.
    UInt64(littleEndian: unsafe payload.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
  }
}
