// Scaled integers with a frame of reference: value = (base + offset * step) / 10^exponent, offset in 0 ... 4 bytes.
//
// Prices are decimals: a division by a power of ten, correctly rounded, gives back every price of up to 15 digits to
// the last bit (a multiplication by 0.01 would not). Int64 values have exponent 0. The step is the greatest common
// divisor of the block's offsets: volumes in round lots of 100, prices in eighths. The map from offset to value is
// monotone, so a range of values is a range of offsets and a scan compares offsets without decoding.
//
// Payload by width: 1, 2 and 4 bytes are arrays of that integer; 3 bytes are an array of the low 16 bits and then
// an array of the high 8. Idea: DuckDB's ALP (Afroozeh, Kuffo and Boncz 2023) and its patched frames of reference
// (PFOR, Zukowski et al. 2006).

/// How a column's values become small integers.
enum ScaledCodec<Value: BlockValue> {
  /// The cheapest way to scale these values; nil when hardly any of them is a decimal.
  static func analyze(_ values: UnsafeBufferPointer<Value>) -> BlockPlan<Value>? {
    var best: BlockPlan<Value>?
    for exponent in Value.exponents {
      guard let plan = unsafe analyze(values, exponent: exponent) else { continue }
      if plan.byteCount < best?.byteCount ?? .max { best = plan }
      // Nothing is left to gain from a finer scale once every value fits this one.
      if plan.exceptionRows.isEmpty { break }
    }
    return best
  }

  private static func analyze(_ values: UnsafeBufferPointer<Value>, exponent: Int) -> BlockPlan<Value>? {
    var integers = [Int64](repeating: 0, count: values.count)
    var unscalable = [Bool](repeating: false, count: values.count)
    var (smallest, largest, exceptionCount) = (Int64.max, Int64.min, 0)
    // Half the rows as exceptions cost more than plain storage does.
    let exceptionLimit = values.count / 2
    for row in values.indices {
      if unsafe !values[row].isMissing, let integer = unsafe values[row].scaled(exponent: exponent) {
        integers[row] = integer
        smallest = min(smallest, integer)
        largest = max(largest, integer)
      } else {
        unscalable[row] = true
        exceptionCount += 1
        if exceptionCount > exceptionLimit { return nil }
      }
    }
    guard smallest <= largest else { return nil }
    let step = step(of: integers, except: unscalable, above: smallest)
    let offsets = integers.indices.map { row in
      unscalable[row] ? 0 : UInt64(bitPattern: integers[row] &- smallest) / UInt64(step)
    }
    return cheapestWidth(offsets, unscalable, base: smallest, step: step, exponent: exponent)
  }

  /// The greatest common divisor of the distances to `base`; 1 when it is too large to store.
  private static func step(of integers: [Int64], except unscalable: [Bool], above base: Int64) -> UInt32 {
    var divisor: UInt64 = 0
    for row in integers.indices where !unscalable[row] {
      var remainder = UInt64(bitPattern: integers[row] &- base)
      while remainder != 0 { (divisor, remainder) = (remainder, divisor % remainder) }
      if divisor == 1 { break }
    }
    return UInt32(exactly: divisor).map { max($0, 1) } ?? 1
  }

  /// The plan with the fewest bytes: at each width, rows whose offset doesn't fit are exceptions too.
  private static func cheapestWidth(
    _ offsets: [UInt64], _ unscalable: [Bool], base: Int64, step: UInt32, exponent: Int
  ) -> BlockPlan<Value>? {
    var header = BlockHeader(encoding: .scaled, rowCount: offsets.count)
    header.base = base.bits
    header.step = step
    header.exponent = exponent
    let counts = exceptionCounts(offsets, unscalable)
    let costs = (0...largestWidth).map { width in
      header.width = width
      header.exceptionCount = counts[width]
      return header.payloadByteCount + header.exceptionByteCount
    }
    header.width = costs.indices.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
    let width = header.width
    let exceptions = offsets.indices.filter { unscalable[$0] || byteWidth(offsets[$0]) > width }
    let plan = BlockPlan<Value>(header: header, exceptionRows: exceptions, offsets: offsets)
    return plan.header.isConsistent ? plan : nil
  }

  /// How many rows are exceptions at each width.
  private static func exceptionCounts(_ offsets: [UInt64], _ unscalable: [Bool]) -> [Int] {
    var counts = Array(repeating: 0, count: largestWidth + 1)
    for row in offsets.indices {
      for width in 0..<(unscalable[row] ? counts.count : min(byteWidth(offsets[row]), counts.count)) {
        counts[width] += 1
      }
    }
    return counts
  }

  /// Bytes that an offset takes.
  private static func byteWidth(_ offset: UInt64) -> Int { (71 - offset.leadingZeroBitCount) / 8 }

  private static var largestWidth: Int { 4 }

  static func payload(_ offsets: [UInt64], exceptionRows: [Int], width: Int) -> [UInt8] {
    var offsets = offsets
    for row in exceptionRows { offsets[row] = 0 }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(offsets.count * width)
    switch width {
    case 1: for offset in offsets { bytes.append(UInt8(truncatingIfNeeded: offset)) }
    case 2: for offset in offsets { bytes.append(littleEndian: UInt16(truncatingIfNeeded: offset)) }
    case 3:
      for offset in offsets { bytes.append(littleEndian: UInt16(truncatingIfNeeded: offset)) }
      for offset in offsets { bytes.append(UInt8(truncatingIfNeeded: offset >> 16)) }
    case 4: for offset in offsets { bytes.append(littleEndian: UInt32(truncatingIfNeeded: offset)) }
    default: break
    }
    return bytes
  }
}
