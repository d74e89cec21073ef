/// A sum of int64 values in 128 bits, which no number of rows makes overflow.
struct WideSum: ValueSum, BitwiseCopyable {
  private(set) var value: Int128 = 0

  init() {}

  init(_ value: Int128) { self.value = value }

  @inline(__always)
  mutating func add(_ value: Int64) { self.value &+= Int128(value) }

  @inline(__always)
  mutating func add(_ other: WideSum) { value &+= other.value }

  func mean(of count: Int) -> Double { Double(value) / Double(count) }

  /// The statistics hold the low word and the high word.
  var words: BlockSum {
    BlockSum(first: UInt64(truncatingIfNeeded: value), second: UInt64(truncatingIfNeeded: value >> 64))
  }

  init(_ words: BlockSum) {
    value = Int128(truncatingIfNeeded: UInt128(words.second) << 64 | UInt128(words.first))
  }
}
