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
    let days = unsafe UnsafeMutableBufferPointer(rebasing: scratch.values(Int64.self)[..<block.rowCount])
    unsafe try block.decode(into: days, scratch)
    var period = hint
    var end = Int64.min
    for row in 0..<block.rowCount {
      let day = unsafe days[row]
      guard day >= end else { continue }
      guard calendar.contains(day) else { throw Damage(offset: 0, "row \(row) has a day that its ticker hasn't") }
      period = calendar.index(of: day, near: period)
      end = Int64(calendar.starts[period + 1])
      append(period, from: row)
    }
    finish(rowCount: block.rowCount)
  }
}
