/// The bits of a day set: bit i is set when day base + i is in the set.
struct DayBitmap {
  private let bytes: ByteView

  /// The bitmap of a day set, which must outlive the value.
  init(of block: EncodedBlock) { bytes = block.stored }

  var wordCount: Int { bytes.count / 8 }

  @inline(__always)
  func word(_ index: Int) -> UInt64 { bytes.integer(at: index * 8) }

  /// Days in the set.
  var dayCount: Int { rank(before: wordCount * 64) }

  /// The number of days in the set before bit `position`, which may lie outside the bitmap on either side.
  func rank(before position: Int) -> Int {
    let position = min(max(position, 0), wordCount * 64)
    var count = 0
    for index in 0..<(position / 64) { count += word(index).nonzeroBitCount }
    if position % 64 > 0 {
      let below: UInt64 = (1 << UInt64(position % 64)) - 1
      count += (word(position / 64) & below).nonzeroBitCount
    }
    return count
  }

  /// Calls `body` with the index of each of `rows`, which rise, and the position of that row's day in the bitmap: the
  /// select operation, word by word.
  @inline(__always)
  func forEachPosition(of rows: RowList, _ body: (Int, Int) -> Void) {
    var (index, before) = (0, 0)
    for wordIndex in 0..<wordCount where index < rows.count {
      let bits = word(wordIndex)
      let end = before + bits.nonzeroBitCount
      while index < rows.count, rows[index] < end {
        body(index, wordIndex * 64 + Self.position(ofBit: rows[index] - before, in: bits))
        index += 1
      }
      before = end
    }
  }

  /// The position of the set bit of `word` that follows `rank` other set bits. There must be one. The set bits of pairs,
  /// nibbles and bytes are counted; the running total passes the rank in one byte (Vigna 2008, "Broadword implementation of
  /// rank/select queries"), and the counts lead to the bit inside it, without branches.
  @inline(__always)
  private static func position(ofBit rank: Int, in word: UInt64) -> Int {
    let pairs = word &- ((word &>> 1) & 0x5555_5555_5555_5555)
    let nibbles = (pairs & 0x3333_3333_3333_3333) &+ ((pairs &>> 2) & 0x3333_3333_3333_3333)
    let bytes = (nibbles &+ (nibbles &>> 4)) & 0x0F0F_0F0F_0F0F_0F0F
    // Byte i has the number of bits in bytes 0 ... i, at most 64, so its high bit is free for the comparison.
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
}
