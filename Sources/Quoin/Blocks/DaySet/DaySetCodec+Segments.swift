extension DaySetCodec {
  /// Counts the days before each period's end.
  static func divide(
    _ block: EncodedBlock, by periods: Periods, near hint: Int, into segments: Segments, _ scratch: BlockScratch
  ) throws(Damage) -> Bool {
    var ranks = RisingRanks(DayBitmap(of: block), rowCount: block.rowCount)
    let base = Int64(bits: block.header.base)
    guard periods.contains(base), periods.contains(base + Int64(ranks.dayCount) - 1) else {
      throw Damage(offset: 0, "there are days that the ticker hasn't")
    }
    var period = periods.index(of: base, near: hint)
    var row = 0
    while row < block.rowCount {
      let next = ranks.count(before: Int(Int64(periods.starts[period + 1]) - base))
      if next > row { segments.append(period, from: row) }
      row = next
      period += 1
    }
    return true
  }
}

/// Counts the days of a day set before one position after the other.
private struct RisingRanks {
  private let bitmap: DayBitmap
  /// The words before the last position, and the days in them.
  private var wordCount = 0
  private var passedCount = 0
  private let rowCount: Int
  /// Days from the first one to the last one.
  let dayCount: Int

  init(_ bitmap: DayBitmap, rowCount: Int) {
    self.bitmap = bitmap
    self.rowCount = rowCount
    let count = bitmap.wordCount
    dayCount = count * 64 - (count > 0 ? bitmap.word(count - 1).leadingZeroBitCount : 0)
  }

  /// The number of days before a position, which must not be smaller than the last one.
  mutating func count(before position: Int) -> Int {
    guard position < dayCount else { return rowCount }
    while wordCount < position / 64 {
      passedCount += bitmap.word(wordCount).nonzeroBitCount
      wordCount += 1
    }
    let below: UInt64 = (1 << UInt64(position % 64)) - 1
    return passedCount + (bitmap.word(wordCount) & below).nonzeroBitCount
  }
}
