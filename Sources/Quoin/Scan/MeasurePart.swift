/// What was measured of one attribute in one block: an element for each stretch. The memory is used again for every
/// block.
@safe
struct MeasurePart<Value: AggregableValue> {
  private(set) var measures: Measures = []
  /// The number of stretches.
  private(set) var count = 0
  let counts: UnsafeMutablePointer<Int64>
  /// Of each stretch, when it is wanted: missing where there are no values.
  let minima: UnsafeMutablePointer<Value>
  let maxima: UnsafeMutablePointer<Value>
  let firsts: UnsafeMutablePointer<Value>
  let lasts: UnsafeMutablePointer<Value>
  let sums: UnsafeMutablePointer<Value.Total>
  /// Room for 4 bytes for each row.
  let laneMemory: UnsafeMutableRawPointer
  /// Room for what is found of the offsets of each stretch: 4 bytes of extremes, or 8 of sums.
  let found: UnsafeMutablePointer<UInt64>
  private let owner: Owner

  init() {
    let owner = Owner()
    self.owner = owner
    unsafe (counts, sums) = (owner.counts, owner.sums)
    unsafe (laneMemory, found) = (owner.laneMemory, owner.found)
    let rows = Limits.rowsPerBlock
    unsafe (minima, maxima) = (owner.values, owner.values + rows)
    unsafe (firsts, lasts) = (owner.values + 2 * rows, owner.values + 3 * rows)
  }

  /// Makes room for the measures of some stretches, which have no values yet.
  mutating func prepare(_ measures: Measures, count: Int) {
    precondition(count <= Limits.rowsPerBlock, "\(count) stretches of a block")
    (self.measures, self.count) = (measures, count)
    unsafe counts.update(repeating: 0, count: count)
    if measures.contains(.minimum) { unsafe minima.update(repeating: .missing, count: count) }
    if measures.contains(.maximum) { unsafe maxima.update(repeating: .missing, count: count) }
    if measures.contains(.first) { unsafe firsts.update(repeating: .missing, count: count) }
    if measures.contains(.last) { unsafe lasts.update(repeating: .missing, count: count) }
    if measures.contains(.sum) { unsafe sums.update(repeating: Value.Total(), count: count) }
  }

  /// The elements of the stretches.
  @inline(__always)
  func elements<Element>(_ start: UnsafeMutablePointer<Element>) -> UnsafeBufferPointer<Element> {
    unsafe UnsafeBufferPointer(start: start, count: count)
  }

  /// Holds the memory.
  @safe
  private final class Owner {
    let counts: UnsafeMutablePointer<Int64>
    let values: UnsafeMutablePointer<Value>
    let sums: UnsafeMutablePointer<Value.Total>
    let laneMemory: UnsafeMutableRawPointer
    let found: UnsafeMutablePointer<UInt64>

    init() {
      unsafe counts = .allocate(capacity: Limits.rowsPerBlock)
      unsafe values = .allocate(capacity: 4 * Limits.rowsPerBlock)
      unsafe sums = .allocate(capacity: Limits.rowsPerBlock)
      unsafe sums.initialize(repeating: Value.Total(), count: Limits.rowsPerBlock)
      unsafe laneMemory = .allocate(byteCount: Limits.rowsPerBlock * 4, alignment: 128)
      unsafe found = .allocate(capacity: Limits.rowsPerBlock)
    }

    deinit {
      unsafe counts.deallocate()
      unsafe values.deallocate()
      unsafe sums.deinitialize(count: Limits.rowsPerBlock)
      unsafe sums.deallocate()
      unsafe laneMemory.deallocate()
      unsafe found.deallocate()
    }
  }
}
