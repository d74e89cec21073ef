/// A range of one column's values, prepared for many blocks.
struct ValueRange<Value: BlockValue>: Sendable {
  let lowerBound: Value
  let upperBound: Value
  /// The range in scaled integers, for the two exponents that most blocks have. Not an array: a range is handed to the codec
  /// of every block, and counting references took a twentieth of the time.
  private let known: (KnownExponent, KnownExponent)

  private struct KnownExponent {
    let exponent: Int
    let range: ClosedRange<Int64>?

    init(_ exponent: Int, _ range: ClosedRange<Value>) {
      self.exponent = exponent
      self.range = Value.scaled(range, exponent: exponent)
    }
  }

  init(_ range: ClosedRange<Value>) {
    (lowerBound, upperBound) = (range.lowerBound, range.upperBound)
    let (first, second) = (Value.exponents[0], Value.exponents.dropFirst().first)
    known = (KnownExponent(first, range), KnownExponent(second ?? first, range))
  }

  /// Missing values are in no range: comparisons say so of NaN, and no range reaches down to `Int64.min`.
  @inline(__always)
  func contains(_ value: Value) -> Bool { value >= lowerBound && value <= upperBound }

  /// The integers at an exponent whose values lie in the range; nil when none does.
  func scaled(exponent: Int) -> ClosedRange<Int64>? {
    if known.0.exponent == exponent { return known.0.range }
    if known.1.exponent == exponent { return known.1.range }
    return Value.scaled(lowerBound...upperBound, exponent: exponent)
  }
}

extension RowMask {
  /// The rows below `count` for which `matches` holds: 64 lanes at a time, without branches.
  @inline(__always)
  init(rowsBelow count: Int, where matches: (Int) -> Bool) {
    self = .none
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { lanes in
      // Sound: 64 lanes are written before 64 are read.
      let lane = lanes.baseAddress!
      for word in 0..<(count / 64) {
        for index in 0..<64 { unsafe lane[index] = matches(word * 64 + index) ? 1 : 0 }
        words[word] = unsafe Self.packed(UnsafeRawPointer(lane))
      }
    }
    for row in (count / 64 * 64)..<count where matches(row) { self[row] = true }
  }

  /// 64 bytes of 0 or 1 as the bits of a word. The multiplication moves byte i's bit to bit 56 + i.
  @inline(__always)
  private static func packed(_ lanes: UnsafeRawPointer) -> UInt64 {
    // Sound: callers have 64 lanes.
    var word: UInt64 = 0
    for group in 0..<8 {
      let bytes = UInt64(littleEndian: unsafe lanes.loadUnaligned(fromByteOffset: group * 8, as: UInt64.self))
      word |= ((bytes &* 0x0102_0408_1020_4080) >> 56) << UInt64(group * 8)
    }
    return word
  }
}
