/// The segments of a block: consecutive rows, each segment in one group. The memory is used again for the next block, on one
/// thread.
@safe
final class Segments {
  // Sound: `append` traps before there are more segments than rows, and there is one more bound than segments.
  private let bounds: UnsafeMutablePointer<Int>
  private let periods: UnsafeMutablePointer<Int>
  /// The segment of each row, if there are several.
  private let places: UnsafeMutablePointer<UInt16>
  private(set) var count = 0

  init() {
    unsafe bounds = .allocate(capacity: Limits.rowsPerBlock + 1)
    unsafe periods = .allocate(capacity: Limits.rowsPerBlock)
    unsafe places = .allocate(capacity: Limits.rowsPerBlock + 7)
  }

  deinit {
    unsafe bounds.deallocate()
    unsafe periods.deallocate()
    unsafe places.deallocate()
  }

  /// The rows of a segment. After `keep(_:)`, some of them may belong to no group.
  @inline(__always)
  func rows(_ index: Int) -> Range<Int> {
    // Sound: callers pass an index below `count`, and there is one bound more than segments.
    unsafe bounds[index]..<bounds[index + 1]
  }

  /// The segment of a row; any segment if the row lies in none.
  @inline(__always)
  func index(ofRow row: Int) -> Int { count > 1 ? unsafe Int(places[row]) : 0 }

  /// The first row of each segment, and then the row after the last segment.
  var start: UnsafePointer<Int> { unsafe UnsafePointer(bounds) }

  /// The index of a segment's period.
  @inline(__always)
  func period(_ index: Int) -> Int { unsafe periods[index] }

  /// Makes the whole block one segment.
  func setWhole(rowCount: Int, period: Int = 0) {
    count = 0
    append(period, from: 0)
    finish(rowCount: rowCount)
  }

  /// Drops the segments without rows of a mask. Their rows then lie in the segment before, or in none.
  func keep(_ ranks: RowRanks) {
    let end = unsafe bounds[count]
    var kept = 0
    for index in 0..<count where ranks.count(in: rows(index)) > 0 {
      unsafe (bounds[kept], periods[kept]) = (bounds[index], periods[index])
      kept += 1
    }
    count = kept
    finish(rowCount: end)
  }

  /// Divides a block of days by period. Throws if there are days outside these periods.
  func divide(
    _ block: EncodedBlock, by periods: Periods, near hint: Int, _ scratch: BlockScratch
  ) throws(Damage) {
    count = 0
    if try !block.header.encoding.codec.divide(block, by: periods, near: hint, into: self, scratch) {
      unsafe try append(UnsafeBufferPointer(block.decoded(Int64.self, scratch)), periods, near: hint)
    }
    finish(rowCount: block.rowCount)
  }

  /// Begins the next segment at a row, for a period.
  func append(_ period: Int, from row: Int) {
    precondition(count < Limits.rowsPerBlock, "more segments than rows")
    unsafe (bounds[count], periods[count]) = (row, period)
    count += 1
  }

  /// Day by day.
  private func append(
    _ days: UnsafeBufferPointer<Int64>, _ periods: Periods, near hint: Int
  ) throws(Damage) {
    var period = hint
    var end = Int64.min
    for row in days.indices {
      let day = unsafe days[row]
      guard day >= end else { continue }
      guard periods.contains(day) else { throw Damage(offset: 0, "row \(row) has a day that its ticker hasn't") }
      period = periods.index(of: day, near: period)
      end = Int64(periods.starts[period + 1])
      append(period, from: row)
    }
  }

  private func finish(rowCount: Int) {
    unsafe bounds[count] = rowCount
    guard count > 1 else { return }
    // Sound: writes of eight may end seven rows after the block's last, and there is room for those.
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
}
