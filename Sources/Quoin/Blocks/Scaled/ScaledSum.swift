// The sum of some rows of a scaled block, without decoding it.
//
// The sum of int64 values is the sum of the rows' offsets times the step, plus the base once for each row.
//
// For float64 values a sum of integers isn't enough, because each value was rounded. But the rounding errors can be added up
// separately: with the reciprocal in two parts (Reciprocal.swift) and n for the rows' integers,
//
//     value = n * high + l          n * high is exact, and l small: below 2^-20 of the value
//     sum   = high * (sum of n) + (sum of l)
//
// The sum of n is a sum of integers. If all values of the block lie between 2^e and 2^(e+10), the l are multiples of 2^(e-53)
// below 2^(e-10), so 1,024 of them add up without rounding, in any order.

/// A sum that can be computed from the offsets of a scaled block.
protocol ScaledSum: ValueSum {
  /// The sum of the `count` rows `rows` of a scaled block, none of which is a patch; nil if the block has to be decoded.
  init?(_ header: BlockHeader, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int)

  /// The sum of `count` rows of a scaled block whose offsets add up to `offsets`; nil if each value was rounded, so that the
  /// offsets aren't enough.
  init?(_ header: BlockHeader, offsets: UInt64, count: Int)
}

extension Int128: ScaledSum {
  @inline(__always)
  init(_ header: BlockHeader, offsets: UInt64, count: Int) {
    // Neither product needs more than 75 bits, and their sum is that of values.
    self = Int128(Int64(bits: header.base)) * Int128(count) + Int128(offsets) * Int128(header.step)
  }
}

extension ExactSum: ScaledSum {
  @inline(__always)
  init?(_ header: BlockHeader, offsets: UInt64, count: Int) { return nil }

  /// Whether all values that the block's width allows lie within 2^e and 2^(e+10).
  static func isNarrow(_ header: BlockHeader, _ reciprocal: Reciprocal) -> Bool {
    let integers = header.integers
    guard integers.lowerBound > 0, integers.upperBound < 1 << 24 else { return false }
    let smallest = reciprocal.quotient(Double(integers.lowerBound))
    let largest = reciprocal.quotient(Double(integers.upperBound))
    return largest.exponentBitPattern + 1 <= smallest.exponentBitPattern + 10
  }
}
