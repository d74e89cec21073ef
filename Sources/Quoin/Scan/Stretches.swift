/// The consecutive rows of a block that belong to one group each.
@safe
struct Stretches {
  // Sound: `append` traps before there are more stretches than rows, and there is one bound more than those.
  private let bounds: UnsafeMutablePointer<Int>
  private let periods: UnsafeMutablePointer<Int>
  /// The stretch of each row, if there are several.
  private let places: UnsafeMutablePointer<UInt16>
  private(set) var count = 0
  private let owner: Owner

  init() {
    owner = Owner()
    unsafe (bounds, periods, places) = (owner.memory, owner.memory + Limits.rowsPerBlock + 1, owner.places)
  }

  /// Holds the memory.
  @safe
  private final class Owner {
    let memory: UnsafeMutablePointer<Int>
    let places: UnsafeMutablePointer<UInt16>

    init() {
      unsafe memory = .allocate(capacity: 2 * Limits.rowsPerBlock + 1)
      unsafe places = .allocate(capacity: Limits.rowsPerBlock + 7)
    }

    deinit {
      unsafe memory.deallocate()
      unsafe places.deallocate()
    }
  }

  /// The rows of a stretch; after `keep(_:)`, some of them may be of no group.
  @inline(__always)
  func rows(_ index: Int) -> Range<Int> {
    // Sound: callers pass an index below `count`, and there is one bound more than stretches.
    unsafe bounds[index]..<bounds[index + 1]
  }

  /// The stretch that a row lies in; of a row in none, any.
  @inline(__always)
  func index(ofRow row: Int) -> Int { count > 1 ? unsafe Int(places[row]) : 0 }

  /// The first row of each stretch, and the row after the last one's last.
  var start: UnsafePointer<Int> { unsafe UnsafePointer(bounds) }

  /// Writes the number of rows of each stretch to `counts`, which has room for them.
  func copyRowCounts(to counts: UnsafeMutablePointer<Int64>) {
    for index in 0..<count { unsafe counts[index] = Int64(bounds[index + 1] &- bounds[index]) }
  }

  /// The index of a stretch's period in the calendar.
  @inline(__always)
  func period(_ index: Int) -> Int { unsafe periods[index] }

  /// The whole block as one stretch.
  mutating func setWhole(rowCount: Int, period: Int = 0) {
    count = 0
    append(period, from: 0)
    finish(rowCount: rowCount)
  }

  private mutating func append(_ period: Int, from row: Int) {
    precondition(count < Limits.rowsPerBlock, "more stretches than rows")
    unsafe (bounds[count], periods[count]) = (row, period)
    count += 1
  }

  private func finish(rowCount: Int) {
    unsafe bounds[count] = rowCount
    guard count > 1 else { return }
    // Sound: eight at a time, there is room for seven more than a block has rows.
    var row = 0
    for index in 0..<count {
      let (place, end) = (SIMD8(repeating: UInt16(truncatingIfNeeded: index)), unsafe bounds[index + 1])
      while row < end {
        unsafe UnsafeMutableRawPointer(places + row).storeBytes(of: place, as: SIMD8<UInt16>.self)
        row &+= 8
      }
      row = end
    }
  }

  /// Drops the stretches that have no row of a mask. Their rows then lie in the stretch before, or in none.
  mutating func keep(_ ranks: RowRanks) {
    let end = unsafe bounds[count]
    var kept = 0
    for index in 0..<count where ranks.count(in: rows(index)) > 0 {
      unsafe (bounds[kept], periods[kept]) = (bounds[index], periods[index])
      kept += 1
    }
    count = kept
    finish(rowCount: end)
  }
}

extension Stretches {
  /// The stretches of a block of days, by period. Throws when there are days outside the calendar.
  mutating func set(
    _ block: EncodedBlock, _ calendar: PeriodCalendar, near hint: Int, _ scratch: BlockScratch
  ) throws(Damage) {
    count = 0
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
