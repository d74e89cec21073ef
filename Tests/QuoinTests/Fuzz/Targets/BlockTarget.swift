@testable import Quoin

/// One encoded block: decoded, some rows gathered, ranges compared, measured, and all of it must agree with the decoded
/// values.
///
/// An input is 2 bytes, then the block that a derived block is computed from, then the block. The 2 bytes say how long
/// the first is; their highest bit says that the block's values are int64. The derived block itself says it of its
/// source. There are no checksums: a store compares them before it reads a block.
final class BlockTarget {
  private let (sourceRoom, blockRoom) = (GuardedBytes(capacity: 1 << 15), GuardedBytes(capacity: 1 << 16))
  private let doubles = BlockReader(
    ranges: [
      -.infinity ... .infinity, 0...1, -0.0...0, 80.05...81, -1e300 ... -1e-300, 0.1...0.1, 1e15...1e17,
      .leastNonzeroMagnitude ... .greatestFiniteMagnitude,
    ])
  private let integers = BlockReader<Int64>(
    ranges: [
      (.min + 1) ... .max, 0...0, -5...1000, .max ... .max, (1 << 53)...(1 << 60), 13_000...14_000, (.min + 1) ... -1,
    ])

  func read(_ input: UnsafeRawBufferPointer) throws {
    guard input.count >= 2, input.count < 1 << 16 else { return }
    let head = unsafe input.integer(at: 0, as: UInt16.self)
    let split = min(2 + Int(head & 0x7FFF), input.count)
    unsafe sourceRoom.fill(UnsafeRawBufferPointer(rebasing: input[2..<split]))
    unsafe blockRoom.fill(UnsafeRawBufferPointer(rebasing: input[split...]))
    do {
      let block = unsafe try EncodedBlock(blockRoom.bytes, source: sourceRoom.bytes)
      if head & 0x8000 == 0 {
        try doubles.read(block)
      } else {
        try integers.read(block)
        try integers.divide(block)
      }
    } catch is Damage {}
  }
}

/// Reads blocks as values of one type.
@safe
private final class BlockReader<Value: AggregableValue> {
  private let ranges: [ValueRange<Value>]
  private let scratch = BlockScratch()
  private let values = UnsafeMutableBufferPointer<Value>.allocate(capacity: Limits.rowsPerBlock)
  private let gathered = UnsafeMutableBufferPointer<Value>.allocate(capacity: Limits.rowsPerBlock)
  private let rows = UnsafeMutableBufferPointer<UInt16>.allocate(capacity: Limits.rowsPerBlock)
  private let measures: Measures = [.count, .minimum, .maximum, .sum, .first, .last]
  private let segments: Segments
  private let totals: SegmentTotals<Value>

  init(ranges: [ClosedRange<Value>]) {
    segments = Segments()
    totals = SegmentTotals(segments, scratch)
    self.ranges = ranges.map { ValueRange($0) }
    unsafe values.initialize(repeating: .missing)
    unsafe gathered.initialize(repeating: .missing)
    unsafe rows.initialize(repeating: 0)
  }

  deinit {
    unsafe values.deallocate()
    unsafe gathered.deallocate()
    unsafe rows.deallocate()
  }

  func read(_ block: EncodedBlock) throws {
    let values = unsafe UnsafeMutableBufferPointer(rebasing: values[..<block.rowCount])
    unsafe try block.decode(into: values, scratch)
    let decoded = UnsafeBufferPointer(values)
    // Some rows, by chance, but the same ones when the input comes again.
    let seed = Int((block.header.base &* 0x9E37_79B9_7F4A_7C15) >> 33) + block.header.patchCount
    let (first, step) = (seed % block.rowCount, 1 + seed / 1024 % 7)
    var mask = RowMask.none
    for row in stride(from: first, to: block.rowCount, by: step) { mask[row] = true }
    unsafe try gather(mask, of: block, decoded)
    guard Self.isOfItsType(block, areIntegers: Value.self == Int64.self) else { return }
    unsafe try compare(ranges[seed % ranges.count], among: mask, of: block, decoded)
    let (a, b) = unsafe (decoded[first], decoded[seed / 7 % block.rowCount])
    if !a.isMissing, !b.isMissing {
      unsafe try compare(ValueRange(min(a, b)...max(a, b)), among: RowMask(first: block.rowCount), of: block, decoded)
    }
    unsafe try measure(BlockRows(all: block.rowCount), of: block, decoded)
    unsafe try measure(BlockRows(mask, of: block.rowCount), of: block, decoded)
  }

  /// Whether a column of these values can have such a block. Of others only memory has to be safe: days are whole numbers,
  /// whole numbers are not scaled by powers of ten, nor missing, float64 values only from integers that float64 counts exactly, and
  /// products are rounded to the digits that a writer tries: rounded to fewer, they don't rise as their sources do.
  private static func isOfItsType(_ block: EncodedBlock, areIntegers: Bool) -> Bool {
    let header = block.header
    switch header.encoding {
    case .constant, .runs, .plain: return true
    case .derived:
      let roundings = DerivedCodec.roundings + [.whole]
      guard roundings.contains(where: { $0.digits == header.exponent }), let source = try? block.source() else {
        return false
      }
      return isOfItsType(source, areIntegers: DerivedCodec.isOfIntegers(header))
    case .daySet: return areIntegers && Int64(bits: header.base).magnitude < 1 << 40
    case .scaled:
      let base = Int64(bits: header.base)
      let last = base &+ Int64(bitPattern: UInt64(header.largestOffset) &* UInt64(header.step))
      return areIntegers
        ? header.exponent == 0 && base != .missing : max(base.magnitude, last.magnitude) <= 1 << 53
    }
  }

  private func gather(_ mask: RowMask, of block: EncodedBlock, _ decoded: UnsafeBufferPointer<Value>) throws {
    var count = 0
    mask.forEachRow { row in
      unsafe rows[count] = UInt16(row)
      count += 1
    }
    let output = unsafe UnsafeMutableBufferPointer(rebasing: gathered[..<count])
    let result: Result<Void, Damage> = unsafe withUnsafePointer(to: mask) { mask in
      Result { () throws(Damage) in
        unsafe try block.gather(
          RowList(UnsafeBufferPointer(rebasing: rows[..<count]), mask), into: output, scratch)
      }
    }
    try result.get()
    for index in 0..<count {
      unsafe try agree(output[index].bits == decoded[Int(rows[index])].bits, "row \(rows[index]) gathered and decoded")
    }
  }

  private func compare(
    _ range: ValueRange<Value>, among wanted: RowMask, of block: EncodedBlock, _ decoded: UnsafeBufferPointer<Value>
  ) throws {
    let found = try block.rows(in: range, among: wanted, scratch)
    for row in 0..<block.rowCount where wanted[row] {
      unsafe try agree(
        found[row] == range.contains(decoded[row]),
        "row \(row), \(decoded[row]), in \(range.lowerBound)...\(range.upperBound): \(found[row])")
    }
  }

  private func measure(
    _ selection: BlockRows, of block: EncodedBlock, _ decoded: UnsafeBufferPointer<Value>
  ) throws {
    guard !selection.mask.isEmpty else { return }
    segments.setWhole(rowCount: block.rowCount)
    try totals.measure(measures, block, selection)
    var (extremes, ends) = (Extremes<Value>(), (first: Value.missing, last: Value.missing))
    var sum = Int128(0)
    selection.mask.forEachRow { row in
      let value = unsafe decoded[row]
      extremes.include(value)
      guard !value.isMissing else { return }
      if ends.first.isMissing { ends.first = value }
      ends.last = value
      if let value = value as? Int64 { sum += Int128(value) }
    }
    let count = selection.mask.count - extremes.missingCount
    unsafe try agree(totals.counts[0] == Int64(count), "\(totals.counts[0]) values measured, \(count) there")
    guard count > 0 else { return }
    unsafe try agree(totals.minima[0] == extremes.minimum, "minimum \(totals.minima[0]), not \(extremes.minimum)")
    unsafe try agree(totals.maxima[0] == extremes.maximum, "maximum \(totals.maxima[0]), not \(extremes.maximum)")
    unsafe try agree(totals.firsts[0] == ends.first, "first \(totals.firsts[0]), not \(ends.first)")
    unsafe try agree(totals.lasts[0] == ends.last, "last \(totals.lasts[0]), not \(ends.last)")
    if let measured = unsafe totals.sums[0] as? Int128 { try agree(measured == sum, "sum \(measured), not \(sum)") }
  }
}

extension BlockReader where Value == Int64 {
  /// Divides a block of days into months.
  func divide(_ block: EncodedBlock) throws {
    try segments.divide(block, by: months, near: 0, scratch)
  }
}

private let months = Periods(.month, over: "1950-03-07"..."2049-11-30")
