/// A zone map: the extremes, the sum and the missing cells of a block. They can prove that no row, or every row, lies in a
/// range, and they are the aggregates of a whole block.
///
/// The extremes are those of the values that are not missing, with zeros widened (a minimum of 0 is -0.0, a maximum +0.0). A
/// block without values has empty extremes, which lie in no range.
struct BlockStatistics<Value: BlockValue>: Equatable, Sendable {
  let extremes: Extremes<Value>
  let sum: BlockSum

  init(_ values: UnsafeBufferPointer<Value>) {
    extremes = unsafe Value.extremes(values)
    sum = unsafe Value.Total(values, within: (extremes.minimum, extremes.maximum)).words
  }

  /// Of one value.
  init(_ value: Value) {
    // Sound: the pointer is to one value, for the call.
    self = unsafe withUnsafePointer(to: value) { unsafe BlockStatistics(UnsafeBufferPointer(start: $0, count: 1)) }
  }

  var minimum: Value { extremes.minimum }
  var maximum: Value { extremes.maximum }
  var missingCount: Int { extremes.missingCount }
}

/// The smallest and the largest of some values, and the number of missing cells among them.
struct Extremes<Value: BlockValue>: Equatable, Sendable {
  var minimum = Value.emptyMinimum
  var maximum = Value.emptyMaximum
  var missingCount = 0

  @inline(__always)
  mutating func include(_ value: Value) {
    // `Int64.min` would be a minimum, and NaN would hide one.
    if value.isMissing { missingCount += 1 } else { include(value, value, missingCount: 0) }
  }

  @inline(__always)
  mutating func include(_ minimum: Value, _ maximum: Value, missingCount: Int) {
    self.minimum = minimum < self.minimum ? minimum : self.minimum
    self.maximum = maximum > self.maximum ? maximum : self.maximum
    self.missingCount += missingCount
  }
}

extension Double {
  static func extremes(_ values: UnsafeBufferPointer<Double>) -> Extremes<Double> {
    var lanes = (SIMD8(repeating: emptyMinimum), SIMD8(repeating: emptyMaximum), SIMD8<Int64>.zero)
    let wholeCount = values.count / 8 * 8
    for row in stride(from: 0, to: wholeCount, by: 8) {
      // Sound: there are 8 values from `row` on. A NaN is neither below nor above anything.
      let value = unsafe UnsafeRawPointer(values.baseAddress! + row).loadUnaligned(as: SIMD8<Double>.self)
      lanes.0.replace(with: value, where: value .< lanes.0)
      lanes.1.replace(with: value, where: value .> lanes.1)
      lanes.2.replace(with: lanes.2 &+ 1, where: value .!= value)
    }
    var result = Extremes<Double>()
    for lane in 0..<8 { result.include(lanes.0[lane], lanes.1[lane], missingCount: Int(lanes.2[lane])) }
    for row in wholeCount..<values.count { unsafe result.include(values[row]) }
    if result.minimum == 0 { result.minimum = -0.0 }
    if result.maximum == 0 { result.maximum = 0.0 }
    return result
  }
}

extension Int64 {
  static func extremes(_ values: UnsafeBufferPointer<Int64>) -> Extremes<Int64> {
    var result = Extremes<Int64>()
    for row in values.indices { unsafe result.include(values[row]) }
    return result
  }
}

// The sums of a block's values, exactly.
//
// A sum of int64 values has 128 bits; the upper and the lower halves of the values are added up separately. Each float64 value
// is split into two parts on fixed grids, so that the parts of all rows add up without rounding, in any order and in as many
// lanes as the machine has (the error-free vector transformation of Rump, Ogita and Oishi 2008). For 1,024 values below 2^E:
//
//     C = 1.5 * 2^(E+10)
//     h = (v + C) - C       the nearest multiple of 2^(E-42); 1,024 of them stay below 2^(E+10): 52 bits
//     l = v - h             exact, at most 2^(E-43), and a multiple of the unit in v's last place
//
// 1,024 l stay below 2^(E-33), and are multiples of the unit in the last place of the smallest value that isn't zero. If that
// value is at least 2^(E-34), their sum has no more than 53 bits. That holds for prices; other values are added one by one.

extension ExactSum {
  init(_ values: UnsafeBufferPointer<Double>, within range: (minimum: Double, maximum: Double)) {
    precondition(values.count <= Limits.rowsPerBlock, "\(values.count) values to add up")
    let largest = max(range.minimum.magnitude, range.maximum.magnitude)
    let smallest = range.minimum > 0 ? range.minimum : unsafe Self.smallestMagnitude(values)
    self.init()
    if largest == 0 { return }
    if largest < 0x1p1000, largest > 0x1p-1000, Self.exponent(smallest) >= Self.exponent(largest) - 33 {
      unsafe self.init(
        Self.split(values, at: 1.5 * Double(bitPattern: UInt64(Self.exponent(largest) + 1034) << 52)))
    } else {
      for row in values.indices where unsafe !values[row].isNaN { unsafe add(values[row]) }
    }
  }

  /// The smallest magnitude that isn't zero; infinite if all are zero.
  private static func smallestMagnitude(_ values: UnsafeBufferPointer<Double>) -> Double {
    var smallest = Double.infinity
    for row in values.indices {
      let size = unsafe values[row].magnitude
      smallest = size > 0 && size < smallest ? size : smallest
    }
    return smallest
  }

  /// The exponent of a normal number; -1023 for smaller ones, and 1024 for infinity.
  @inline(__always)
  private static func exponent(_ value: Double) -> Int { Int(value.exponentBitPattern) - 1023 }

  /// The sum by parts, for values that the description above allows.
  private static func split(_ values: UnsafeBufferPointer<Double>, at grid: Double) -> DoublePair {
    var (high, low) = (SIMD8<Double>.zero, SIMD8<Double>.zero)
    let grids = SIMD8(repeating: grid)
    let wholeCount = values.count / 8 * 8
    for row in stride(from: 0, to: wholeCount, by: 8) {
      // Sound: there are 8 values from `row` on.
      let loaded = unsafe UnsafeRawPointer(values.baseAddress! + row).loadUnaligned(as: SIMD8<Double>.self)
      let value = loaded.replacing(with: 0, where: loaded .!= loaded)
      let part = (value + grids) - grids
      high += part
      low += value - part
    }
    var pair = DoublePair(high: high.sum(), low: low.sum())
    for row in wholeCount..<values.count {
      let value = unsafe values[row].isNaN ? 0 : values[row]
      let part = (value + grid) - grid
      pair.high += part
      pair.low += value - part
    }
    return pair
  }
}

extension Int128 {
  init(_ values: UnsafeBufferPointer<Int64>, within range: (minimum: Int64, maximum: Int64)) {
    precondition(values.count <= Limits.rowsPerBlock, "\(values.count) values to add up")
    // Each value plus 2^63 lies between 0, which is the missing value, and 2^64 - 1.
    var (lower, upper, count) = (UInt64(0), UInt64(0), UInt64(0))
    for row in values.indices {
      let shifted = unsafe UInt64(bitPattern: values[row]) ^ 1 << 63
      lower &+= shifted & 0xFFFF_FFFF
      upper &+= shifted >> 32
      count &+= shifted == 0 ? 0 : 1
    }
    self = Int128(lower) + Int128(upper) << 32 - Int128(count) << 63
  }
}
