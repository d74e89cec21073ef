/// The totals of one attribute in one block: each wanted measure has an element for each segment. The memory is used again
/// for the next block, on one thread.
@safe
final class SegmentTotals<Value: BlockValue> {
  let segments: Segments
  let scratch: BlockScratch
  private(set) var measures: Measures = []
  /// The number of segments.
  private(set) var count = 0
  // Sound: there is room for an element for each row of a block, and no block has more segments than rows.
  let counts: UnsafeMutablePointer<Int64>
  /// The measures that are wanted, for each segment: missing if it has no values.
  let minima: UnsafeMutablePointer<Value>
  let maxima: UnsafeMutablePointer<Value>
  let firsts: UnsafeMutablePointer<Value>
  let lasts: UnsafeMutablePointer<Value>
  let sums: UnsafeMutablePointer<Value.Total>
  /// Room for 4 bytes for each row.
  let lanes: UnsafeMutableRawPointer
  /// Room for a word for each segment: a result from its offsets, or a row.
  let found: UnsafeMutablePointer<UInt64>

  /// - Parameters:
  ///   - segments: those of the block that is measured.
  ///   - scratch: memory to unpack blocks in.
  init(_ segments: Segments, _ scratch: BlockScratch) {
    (self.segments, self.scratch) = (segments, scratch)
    let rows = Limits.rowsPerBlock
    unsafe counts = .allocate(capacity: rows)
    unsafe (minima, maxima) = (.allocate(capacity: rows), .allocate(capacity: rows))
    unsafe (firsts, lasts) = (.allocate(capacity: rows), .allocate(capacity: rows))
    unsafe sums = .allocate(capacity: rows)
    unsafe sums.initialize(repeating: Value.Total(), count: rows)
    unsafe lanes = .allocate(byteCount: rows * 4, alignment: 128)
    unsafe found = .allocate(capacity: rows)
  }

  deinit {
    unsafe counts.deallocate()
    unsafe minima.deallocate()
    unsafe maxima.deallocate()
    unsafe firsts.deallocate()
    unsafe lasts.deallocate()
    unsafe sums.deinitialize(count: Limits.rowsPerBlock)
    unsafe sums.deallocate()
    unsafe lanes.deallocate()
    unsafe found.deallocate()
  }

  /// Begins `count` segments without values.
  private func prepare(_ measures: Measures, count: Int) {
    precondition(count <= Limits.rowsPerBlock, "\(count) segments of a block")
    (self.measures, self.count) = (measures, count)
    unsafe counts.update(repeating: 0, count: count)
    if measures.contains(.minimum) { unsafe minima.update(repeating: .missing, count: count) }
    if measures.contains(.maximum) { unsafe maxima.update(repeating: .missing, count: count) }
    if measures.contains(.first) { unsafe firsts.update(repeating: .missing, count: count) }
    if measures.contains(.last) { unsafe lasts.update(repeating: .missing, count: count) }
    if measures.contains(.sum) { unsafe sums.update(repeating: Value.Total(), count: count) }
  }

  /// What was measured, an element for each segment; only the wanted measures mean something. Valid until the next block.
  @inline(__always)
  var elements: SegmentElements<Value> {
    unsafe SegmentElements(
      counts: Elements(counts, count), minima: Elements(minima, count), maxima: Elements(maxima, count),
      firsts: Elements(firsts, count), lasts: Elements(lasts, count), sums: Elements(sums, count))
  }
}

/// The measures of a block's segments.
struct SegmentElements<Value: BlockValue> {
  let counts: Elements<Int64>
  let minima: Elements<Value>
  let maxima: Elements<Value>
  let firsts: Elements<Value>
  let lasts: Elements<Value>
  let sums: Elements<Value.Total>
}

/// Elements that lie one after another in memory that their owner keeps.
@safe
struct Elements<Element>: RandomAccessCollection {
  private let values: UnsafeBufferPointer<Element>

  @inline(__always)
  fileprivate init(_ start: UnsafeMutablePointer<Element>, _ count: Int) {
    unsafe values = UnsafeBufferPointer(start: start, count: count)
  }

  var startIndex: Int { 0 }
  var endIndex: Int { unsafe values.count }

  @inline(__always)
  subscript(index: Int) -> Element {
    precondition(index >= 0 && index < endIndex, "element \(index) of \(endIndex)")
    return unsafe values[index]
  }

  @inline(__always)
  func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    unsafe try body(values)
  }
}

extension SegmentTotals {
  /// Measures each segment of a block's selected rows: by the codec, without decoding, or by the decoded values.
  ///
  /// - Parameter isOfIntegers: whether the block has int64s, although the values are float64s.
  func measure(
    _ measures: Measures, _ block: EncodedBlock, _ rows: BlockRows, isOfIntegers: Bool = false
  ) throws(Damage) {
    prepare(measures, count: segments.count)
    if isOfIntegers {
      try measureValues(block, rows, isOfIntegers: true)
    } else if try !block.header.encoding.run(Measure(block: block, rows: rows), self) {
      try measureValues(block, rows)
    }
    guard measures.contains(.sum) else { return }
    for index in 0..<count where unsafe counts[index] == 0 { unsafe sums[index] = .none }
  }

  private func measureValues(
    _ block: EncodedBlock, _ rows: BlockRows, isOfIntegers: Bool = false
  ) throws(Damage) {
    let values = unsafe try values(of: block, rows, isOfIntegers: isOfIntegers)
    for index in 0..<count {
      unsafe measure(UnsafeBufferPointer(rebasing: values[segments.rows(index)]), at: index)
    }
  }

  /// A block's values, decoded. Rows that are not selected get missing values.
  func values(
    of block: EncodedBlock, _ rows: BlockRows, isOfIntegers: Bool = false
  ) throws(Damage) -> UnsafeMutableBufferPointer<Value> {
    let doubles =
      isOfIntegers ? unsafe try block.decodedDoubles(scratch) as? UnsafeMutableBufferPointer<Value> : nil
    let values =
      if let doubles = unsafe doubles { unsafe doubles } else { unsafe try block.decoded(Value.self, scratch) }
    if !rows.isWhole {
      var others = RowMask(first: block.rowCount)
      others.subtract(rows.mask)
      others.forEachRow { unsafe values[$0] = .missing }
    }
    return unsafe values
  }

  private func measure(_ values: UnsafeBufferPointer<Value>, at index: Int) {
    let extremes = unsafe Value.extremes(values)
    unsafe counts[index] = Int64(values.count - extremes.missingCount)
    if measures.contains(.sum) {
      unsafe sums[index] = Value.Total(values, within: (extremes.minimum, extremes.maximum))
    }
    guard unsafe counts[index] > 0 else { return }
    if measures.contains(.minimum) { unsafe minima[index] = extremes.minimum }
    if measures.contains(.maximum) { unsafe maxima[index] = extremes.maximum }
    unsafe findEnds(values, at: index)
  }

  /// Sets the first and the last value of a segment, if they are wanted.
  func findEnds(_ values: UnsafeBufferPointer<Value>, at index: Int) {
    if measures.contains(.first) { unsafe firsts[index] = values.first { !$0.isMissing } ?? .missing }
    if measures.contains(.last) { unsafe lasts[index] = values.last { !$0.isMissing } ?? .missing }
  }
}

private struct Measure<Value: BlockValue>: CodecTask {
  let block: EncodedBlock
  let rows: BlockRows

  func run<Codec: BlockCodec>(_ codec: Codec.Type, _ totals: SegmentTotals<Value>) throws(Damage) -> Bool {
    try Codec.measure(block, rows, into: totals)
  }
}
