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

/// A block's sum as the statistics store it: two words.
struct BlockSum: Hashable, Sendable, BitwiseCopyable {
  var first: UInt64
  var second: UInt64

  static let zero = BlockSum(first: 0, second: 0)
}

/// The sum of values of one kind, without rounding.
protocol ValueSum: Sendable {
  associatedtype Value
  associatedtype Result

  init()
  mutating func add(_ value: Value)
  mutating func add(_ other: Self)
  /// Adds a value `count` times, at most 1,024.
  mutating func add(_ value: Value, times count: Int)

  /// The sum of no values, which is missing rather than zero.
  static var none: Self { get }
  var isNone: Bool { get }

  /// The sum, rounded at most once; missing if it is `none`.
  var value: Result { get }
  func mean(of count: Int) -> Double

  /// The sum as the statistics store it, and back; nil if two words can't express it.
  var words: BlockSum { get }
  init?(_ words: BlockSum)

  /// The sum of at most 1,024 values. Missing ones don't count, and the others lie within `range`.
  init(_ values: UnsafeBufferPointer<Value>, within range: (minimum: Value, maximum: Value))
}

extension ValueSum {
  /// Adds another sum. Both may be `none`.
  mutating func merge(_ other: Self) {
    if isNone { self = other } else if !other.isNone { add(other) }
  }
}

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

  mutating func add(_ value: Double, times count: Int) {
    guard value.isFinite else { return add(value) }
    // 42 bits and 11 bits: each times the count is exact.
    let high = Double(bitPattern: value.bitPattern & ~0x7FF)
    guard high.magnitude < 0x1p1000 else {
      for _ in 0..<count { add(value) }
      return
    }
    add(high * Double(count))
    add((value - high) * Double(count))
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

extension Int128: ValueSum {
  static var none: Int128 { .min }
  var isNone: Bool { self == .min }

  mutating func add(_ value: Int64) { self &+= Int128(value) }
  mutating func add(_ other: Int128) { self &+= other }
  mutating func add(_ value: Int64, times count: Int) { self &+= Int128(value) * Int128(count) }

  var value: Int128 { self }
  func mean(of count: Int) -> Double { Double(self) / Double(count) }

  /// The statistics store the low word and the high word.
  var words: BlockSum {
    BlockSum(first: UInt64(truncatingIfNeeded: self), second: UInt64(truncatingIfNeeded: self >> 64))
  }

  init(_ words: BlockSum) {
    self.init(truncatingIfNeeded: UInt128(words.second) << 64 | UInt128(words.first))
  }

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
