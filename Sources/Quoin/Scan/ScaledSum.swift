// The sum of some rows of a scaled block, without decoding it.
//
// Of int64 values: the sum of the rows' offsets in integers, times the step, and the base once for each row.
//
// Of float64 values a sum of integers will not do, for each value has been rounded. But the rounding can be added up apart:
// with the reciprocal in two parts (ScaledDecoding.swift) and n for the rows' integers,
//
//     value = n * high + l          n * high is exact, and l small: below 2^-20 of the value
//     sum   = high * (sum of n) + (sum of l)
//
// The sum of n is one of integers. If all values of the block lie within 2^e and 2^(e+10), the l are multiples of 2^(e-53)
// below 2^(e-10), so that 1,024 of them add up without rounding, in any order.

/// A bit for each row of a group of eight, as a lane of ones or zeros.
@inline(__always)
func lanes(_ bits: UInt64) -> SIMD8<Int32> {
  let places = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
  let isSet = (SIMD8(repeating: Int32(truncatingIfNeeded: bits)) & places) .== places
  return SIMD8<Int32>.zero.replacing(with: SIMD8(repeating: -1), where: isSet)
}

extension RowMask {
  /// Calls `eight` with the first row of each group of eight that has surviving rows, and their bits, and `one` with the
  /// surviving rows at the end that make up no eight.
  @inline(__always)
  func forEachEight(of rowCount: Int, _ eight: (Int, UInt64) -> Void, one: (Int) -> Void) {
    let wholeCount = rowCount & ~7
    for word in 0..<((wholeCount + 63) >> 6) where words[word] != 0 {
      let bits = words[word]
      for group in 0..<min(8, (wholeCount - word << 6) >> 3) {
        eight(word << 6 | group << 3, bits >> UInt64(group << 3))
      }
    }
    for row in wholeCount..<rowCount where self[row] { one(row) }
  }
}

/// A sum that can be had from the offsets of a scaled block.
protocol ScaledSum: ValueSum {
  /// The sum of the rows `rows` of a scaled block, none of them an exception, of which there are `count`; nil when the
  /// values have to be looked at.
  init?(_ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int)

  /// Whether sums are those of offsets.
  static var isOfOffsets: Bool { get }

  /// The sum of `count` rows whose offsets add up to `offsets`, where sums are those of offsets.
  init(offsets: UInt64, step: UInt32, base: Int64, count: Int)
}

extension Int128: ScaledSum {
  static var isOfOffsets: Bool { true }

  @inline(__always)
  init(offsets: UInt64, step: UInt32, base: Int64, count: Int) {
    // Neither product needs more than 75 bits, and their sum is that of values.
    self = Int128(base) * Int128(count) + Int128(offsets) * Int128(step)
  }

  /// The sum of the rows `rows`, none of them an exception, of which there are `count`.
  init(_ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int) {
    let offsets = unsafe block.offsetSum(payload, rows)
    self.init(offsets: offsets, step: block.header.step, base: Int64(bits: block.header.base), count: count)
  }
}

extension EncodedBlock {
  /// The sum of a scaled payload's offsets in some rows.
  fileprivate func offsetSum(_ payload: UnsafeRawBufferPointer, _ rows: RowMask) -> UInt64 {
    // 128 offsets of 3 bytes add up in 32 bits.
    var sums = SIMD8<UInt32>.zero
    var rest: UInt64 = 0
    if header.width == 4 {
      rows.forEachRow { rest += unsafe UInt64(offset($0, payload)) }
    } else if header.width > 0 {
      unsafe forEachEightOffsets(payload, rows) { offsets, bits in
        sums &+= offsets & SIMD8<UInt32>(truncatingIfNeeded: lanes(bits))
      } one: {
        rest += UInt64($0)
      }
    }
    for lane in 0..<8 { rest += UInt64(sums[lane]) }
    return rest
  }

  /// Calls `eight` with eight offsets of 1 to 3 bytes and the bits of those that are among `rows`, and `one` with single
  /// ones at the end.
  @inline(__always)
  fileprivate func forEachEightOffsets(
    _ payload: UnsafeRawBufferPointer, _ rows: RowMask, _ eight: (SIMD8<UInt32>, UInt64) -> Void, one: (UInt32) -> Void
  ) {
    // Sound: the payload is rowCount * width bytes, and eight rows from each group's first one on are there.
    let start = payload.baseAddress!
    let single = { (row: Int) in unsafe one(offset(row, payload)) }
    switch header.width {
    case 1:
      rows.forEachEight(
        of: rowCount,
        { row, bits in
          let low = unsafe (start + row).loadUnaligned(as: SIMD8<UInt8>.self)
          eight(SIMD8<UInt32>(truncatingIfNeeded: low), bits)
        }, one: single)
    case 2:
      rows.forEachEight(
        of: rowCount,
        { row, bits in
          let low = unsafe (start + 2 * row).loadUnaligned(as: SIMD8<UInt16>.self)
          eight(SIMD8<UInt32>(truncatingIfNeeded: low), bits)
        }, one: single)
    default:
      rows.forEachEight(
        of: rowCount,
        { row, bits in
          let low = unsafe (start + 2 * row).loadUnaligned(as: SIMD8<UInt16>.self)
          let high = unsafe (start + 2 * rowCount + row).loadUnaligned(as: SIMD8<UInt8>.self)
          eight(SIMD8<UInt32>(truncatingIfNeeded: low) | SIMD8<UInt32>(truncatingIfNeeded: high) &<< 16, bits)
        }, one: single)
    }
  }
}

extension ExactSum: ScaledSum {
  static var isOfOffsets: Bool { false }

  init(offsets: UInt64, step: UInt32, base: Int64, count: Int) { preconditionFailure("float64 values are rounded") }

  /// The sum of the rows `rows`, none of them an exception, of which there are `count`; nil when it can't be had so.
  init?(_ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int) {
    let header = block.header
    guard let reciprocal = header.reciprocal, header.width > 0, Self.isNarrow(header, reciprocal) else { return nil }
    // 128 integers below 2^24 add up in 32 bits.
    let (base, step) = (Int32(truncatingIfNeeded: header.base), Int32(truncatingIfNeeded: header.step))
    var (integers, rests) = (SIMD8<Int32>.zero, SIMD8<Double>.zero)
    var (integer, rest) = (0, 0.0)
    unsafe block.forEachEightOffsets(payload, rows) { offsets, bits in
      let n = (SIMD8<Int32>(truncatingIfNeeded: offsets) &* step &+ base) & lanes(bits)
      integers &+= n
      let number = SIMD8<Double>(n)
      let part = number * reciprocal.high
      rests += (part + number * reciprocal.low) - part
    } one: {
      let n = Int32(truncatingIfNeeded: $0) &* step &+ base
      integer += Int(n)
      let part = Double(n) * reciprocal.high
      rest += (part + Double(n) * reciprocal.low) - part
    }
    for lane in 0..<8 { integer += Int(integers[lane]) }
    self.init()
    // Below 2^34: each half times the 21 bits of `high` is exact.
    add(Double(integer & ~0x1FFFF) * reciprocal.high)
    add(Double(integer & 0x1FFFF) * reciprocal.high)
    add(rests.sum() + rest)
  }

  /// Whether all values that the block's width allows lie within 2^e and 2^(e+10).
  private static func isNarrow(_ header: BlockHeader, _ reciprocal: Reciprocal) -> Bool {
    let integers = header.integers
    guard integers.lowerBound > 0, integers.upperBound < 1 << 24 else { return false }
    let smallest = reciprocal.quotient(Double(integers.lowerBound))
    let largest = reciprocal.quotient(Double(integers.upperBound))
    return largest.exponentBitPattern + 1 <= smallest.exponentBitPattern + 10
  }
}
