/// Which rows of one block survive: bit 1 = the row survives. A scan begins with all bits set and only clears them.
struct RowMask: Equatable, Sendable, BitwiseCopyable {
  /// Bit `row % 64` of word `row / 64`.
  var words: SIMD16<UInt64>

  static let none = RowMask(words: .zero)

  init(words: SIMD16<UInt64>) { self.words = words }

  /// The first `count` rows.
  init(first count: Int) {
    precondition(count >= 0 && count <= Limits.rowsPerBlock, "\(count) rows in a mask")
    words = .zero
    for word in 0..<(count / 64) { words[word] = ~0 }
    if count % 64 > 0 { words[count / 64] = (1 << UInt64(count % 64)) - 1 }
  }

  /// The rows `range`.
  init(rows range: Range<Int>) {
    self = RowMask(first: range.upperBound)
    subtract(RowMask(first: range.lowerBound))
  }

  var isEmpty: Bool { words == .zero }

  var count: Int {
    var sum = 0
    for word in 0..<16 { sum &+= words[word].nonzeroBitCount }
    return sum
  }

  subscript(row: Int) -> Bool {
    get { words[row >> 6] & 1 << UInt64(row & 63) != 0 }
    set {
      let bit: UInt64 = 1 << UInt64(row & 63)
      if newValue { words[row >> 6] |= bit } else { words[row >> 6] &= ~bit }
    }
  }

  mutating func formIntersection(_ other: RowMask) { words &= other.words }
  mutating func formUnion(_ other: RowMask) { words |= other.words }
  mutating func subtract(_ other: RowMask) { words &= ~other.words }

  /// Calls `body` with each surviving row, in rising order.
  @inline(__always)
  func forEachRow(_ body: (Int) -> Void) {
    for word in 0..<16 {
      var bits = words[word]
      while bits != 0 {
        body(word << 6 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }
}
