// The sums of values without rounding: of a block (BlockStatistics.swift tells how), of a segment, of a whole column.

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
}

extension Int128: ValueSum {
  static var none: Int128 { .min }
  var isNone: Bool { self == .min }

  mutating func add(_ value: Int64) { self &+= Int128(value) }
  mutating func add(_ other: Int128) { self &+= other }
  mutating func add(_ value: Int64, times count: Int) { self &+= Int128(value) * Int128(count) }

  var value: Int128 { self }
  func mean(of count: Int) -> Double {
    // Two float64s hold 106 bits, and a third the others.
    var (sum, rest) = (ExactSum(), self)
    for _ in 0..<3 {
      let part = Double(rest)
      sum.add(part)
      rest &-= Int128(part)
    }
    return sum.mean(of: count)
  }

  /// The statistics store the low word and the high word.
  var words: BlockSum {
    BlockSum(first: UInt64(truncatingIfNeeded: self), second: UInt64(truncatingIfNeeded: self >> 64))
  }

  init(_ words: BlockSum) {
    self.init(truncatingIfNeeded: UInt128(words.second) << 64 | UInt128(words.first))
  }
}
