/// The consecutive rows of a block that belong to one group each.
struct Stretches: Sendable {
  /// The first row of each stretch and, at the end, the block's row count.
  private(set) var bounds: [Int] = []
  /// The index of each stretch's period.
  private(set) var periods: [Int] = []

  var count: Int { periods.count }

  /// The whole block as one stretch.
  mutating func setWhole(rowCount: Int, period: Int = 0) {
    removeAll()
    append(period, from: 0)
    bounds.append(rowCount)
  }

  func rows(_ index: Int) -> Range<Int> { bounds[index]..<bounds[index + 1] }

  /// The first row of a stretch, and the last; of those of `mask`, if there is one, which has rows in every stretch.
  func firstRow(_ index: Int, _ mask: RowMask?) -> Int {
    guard let mask else { return bounds[index] }
    return mask.firstRow(from: bounds[index]) ?? bounds[index]
  }

  func lastRow(_ index: Int, _ mask: RowMask?) -> Int {
    guard let mask else { return bounds[index + 1] - 1 }
    return mask.lastRow(before: bounds[index + 1]) ?? bounds[index]
  }

  mutating func removeAll() {
    bounds.removeAll(keepingCapacity: true)
    periods.removeAll(keepingCapacity: true)
  }

  mutating func append(_ period: Int, from row: Int) {
    bounds.append(row)
    periods.append(period)
  }

  mutating func finish(rowCount: Int) { bounds.append(rowCount) }

  /// Drops the stretches that have no row of `mask`. Their rows then lie in the stretch before, or in none.
  mutating func keep(_ mask: RowMask) {
    guard let rowCount = bounds.last else { return }
    var kept = 0
    for index in 0..<count {
      var rows = RowMask(rows: rows(index))
      rows.formIntersection(mask)
      guard !rows.isEmpty else { continue }
      bounds[kept] = bounds[index]
      periods[kept] = periods[index]
      kept += 1
    }
    periods.removeSubrange(kept...)
    bounds.removeSubrange(kept...)
    bounds.append(rowCount)
  }
}

extension Stretches {
  /// The stretches of a block of days, by period. Throws when there are days outside the calendar.
  mutating func set(
    _ block: EncodedBlock, _ calendar: PeriodCalendar, near hint: Int, _ scratch: BlockScratch
  ) throws(Damage) {
    removeAll()
    if block.header.encoding == .daySet {
      unsafe try set(DayRanks(try block.payload(scratch)), base: Int64(bits: block.header.base), calendar, near: hint)
    } else {
      let days = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Int64.self)[..<block.rowCount])
      unsafe try block.decode(into: days, scratch)
      unsafe try set(UnsafeBufferPointer(days), calendar, near: hint)
    }
    finish(rowCount: block.rowCount)
  }

  /// By counting the days before each period's end, which lie in a bitmap.
  private mutating func set(
    _ ranks: DayRanks, base: Int64, _ calendar: PeriodCalendar, near hint: Int
  ) throws(Damage) {
    var ranks = ranks
    guard calendar.contains(base), calendar.contains(base + Int64(ranks.dayCount) - 1) else {
      throw Damage(offset: 0, "there are days that the ticker hasn't")
    }
    var period = calendar.index(of: base, near: hint)
    var row = 0
    while row < ranks.rowCount {
      let next = ranks.count(before: Int(Int64(calendar.starts[period + 1]) - base))
      if next > row { append(period, from: row) }
      row = next
      period += 1
    }
  }

  /// Day by day.
  private mutating func set(
    _ days: UnsafeBufferPointer<Int64>, _ calendar: PeriodCalendar, near hint: Int
  ) throws(Damage) {
    var period = hint
    var end = Int64.min
    for row in days.indices {
      let day = unsafe days[row]
      guard day >= end else { continue }
      guard calendar.contains(day) else { throw Damage(offset: 0, "row \(row) has a day that its ticker hasn't") }
      period = calendar.index(of: day, near: period)
      end = Int64(calendar.starts[period + 1])
      append(period, from: row)
    }
  }
}

/// How many days of a day set come before rising positions.
@safe
private struct DayRanks {
  private let words: UnsafeRawBufferPointer
  /// Words that were passed, and the days in them.
  private var wordCount = 0
  private var passedCount = 0
  let rowCount: Int
  /// Days from the first one to the last one.
  let dayCount: Int

  init(_ payload: UnsafeRawBufferPointer) {
    unsafe words = payload
    unsafe rowCount = DaySetCodec.dayCount(payload)
    let count = payload.count / 8
    let last = count > 0 ? unsafe payload.integer(at: count * 8 - 8, as: UInt64.self) : 0
    dayCount = count * 64 - last.leadingZeroBitCount
  }

  /// How many days come before a position, which is no smaller than the one before.
  mutating func count(before position: Int) -> Int {
    guard position < dayCount else { return rowCount }
    while wordCount < position / 64 {
      passedCount += word(wordCount).nonzeroBitCount
      wordCount += 1
    }
    let below: UInt64 = (1 << UInt64(position % 64)) - 1
    return passedCount + (word(wordCount) & below).nonzeroBitCount
  }

  /// Sound: positions before `dayCount` lie in the bitmap.
  private func word(_ index: Int) -> UInt64 { unsafe words.integer(at: index * 8, as: UInt64.self) }
}
