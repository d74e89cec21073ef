// The sum of some rows of a scaled block, without decoding it.
//
// Of int64 values: the sum of the rows' offsets in integers, times the step, and the base once for each row.
//
// Of float64 values a sum of integers will not do, for each value has been rounded. But the rounding can be added up
// apart: with the reciprocal in two parts (ScaledDecoding.swift) and n for the rows' integers,
//
//     value = n * high + l          n * high is exact, and l small: below 2^-20 of the value
//     sum   = high * (sum of n) + (sum of l)
//
// The sum of n is one of integers. If all values of the block lie within 2^e and 2^(e+10), the l are multiples of
// 2^(e-53) below 2^(e-10), so that 1,024 of them add up without rounding, in any order.

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

/// The offsets of a scaled payload, eight at once or one.
private protocol OffsetLoader {
  func eight(_ row: Int) -> SIMD8<UInt32>
  func one(_ row: Int) -> UInt32
}

// Sound, in all three: callers pass rows of the block, for eight at once such as have seven more after them.

@safe
private struct ByteLoader: OffsetLoader {
  let start: UnsafeRawPointer

  @inline(__always)
  func eight(_ row: Int) -> SIMD8<UInt32> {
    unsafe SIMD8<UInt32>(truncatingIfNeeded: (start + row).loadUnaligned(as: SIMD8<UInt8>.self))
  }

  @inline(__always)
  func one(_ row: Int) -> UInt32 { unsafe UInt32((start + row).load(as: UInt8.self)) }
}

@safe
private struct PairLoader: OffsetLoader {
  let start: UnsafeRawPointer

  @inline(__always)
  func eight(_ row: Int) -> SIMD8<UInt32> {
    unsafe SIMD8<UInt32>(truncatingIfNeeded: (start + 2 * row).loadUnaligned(as: SIMD8<UInt16>.self))
  }

  @inline(__always)
  func one(_ row: Int) -> UInt32 { unsafe UInt32((start + 2 * row).loadUnaligned(as: UInt16.self)) }
}

@safe
private struct TripleLoader: OffsetLoader {
  let low: PairLoader
  let high: ByteLoader

  @inline(__always)
  func eight(_ row: Int) -> SIMD8<UInt32> { low.eight(row) | high.eight(row) &<< 16 }

  @inline(__always)
  func one(_ row: Int) -> UInt32 { low.one(row) | high.one(row) << 16 }
}

/// The bits of eight rows as lanes of ones or zeros.
@inline(__always)
private func lanes(_ bits: UInt64) -> SIMD8<Int32> {
  let places = SIMD8<Int32>(1, 2, 4, 8, 16, 32, 64, 128)
  let isSet = (SIMD8(repeating: Int32(truncatingIfNeeded: bits)) & places) .== places
  return SIMD8<Int32>.zero.replacing(with: SIMD8(repeating: -1), where: isSet)
}

// The loops below are written out: closures called from a shared one are not inlined, and their sums not kept in
// registers.

extension Int128: ScaledSum {
  static var isOfOffsets: Bool { true }

  @inline(__always)
  init(offsets: UInt64, step: UInt32, base: Int64, count: Int) {
    // Neither product needs more than 75 bits, and their sum is that of values.
    self = Int128(base) * Int128(count) + Int128(offsets) * Int128(step)
  }

  /// The sum of the rows `rows`, none of them an exception, of which there are `count`.
  init(_ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int) {
    // Sound: a payload of offsets isn't empty.
    let (start, rowCount) = (payload.baseAddress!, block.rowCount)
    let offsets =
      switch block.header.width {
      case 1: unsafe Self.sum(ByteLoader(start: start), rows, of: rowCount)
      case 2: unsafe Self.sum(PairLoader(start: start), rows, of: rowCount)
      case 3:
        unsafe Self.sum(
          TripleLoader(low: PairLoader(start: start), high: ByteLoader(start: start + 2 * rowCount)), rows, of: rowCount
        )
      default: unsafe Self.sum(payload, rows)
      }
    self.init(offsets: offsets, step: block.header.step, base: Int64(bits: block.header.base), count: count)
  }

  private static func sum(_ loader: some OffsetLoader, _ rows: RowMask, of rowCount: Int) -> UInt64 {
    // 128 offsets of 3 bytes add up in 32 bits.
    var sums = SIMD8<UInt32>.zero
    var sum: UInt64 = 0
    for word in 0..<((rowCount + 63) >> 6) where rows.words[word] != 0 {
      let bits = rows.words[word]
      let (first, eightCount) = (word << 6, Swift.min(8, (rowCount - word << 6) >> 3))
      for eight in 0..<eightCount {
        let isSelected = SIMD8<UInt32>(truncatingIfNeeded: lanes(bits >> UInt64(eight << 3)))
        sums &+= loader.eight(first + eight << 3) & isSelected
      }
      for row in (first + eightCount << 3)..<Swift.min(rowCount, first + 64) where bits >> UInt64(row & 63) & 1 != 0 {
        sum += UInt64(loader.one(row))
      }
    }
    for lane in 0..<8 { sum += UInt64(sums[lane]) }
    return sum
  }

  /// The sum of offsets of 4 bytes.
  private static func sum(_ payload: UnsafeRawBufferPointer, _ rows: RowMask) -> UInt64 {
    var sum: UInt64 = 0
    rows.forEachRow { unsafe sum += UInt64(payload.integer(at: 4 * $0, as: UInt32.self)) }
    return sum
  }
}

extension ExactSum: ScaledSum {
  static var isOfOffsets: Bool { false }

  init(offsets: UInt64, step: UInt32, base: Int64, count: Int) { preconditionFailure("float64 values are rounded") }

  /// The sum of the rows `rows`, none of them an exception, of which there are `count`; nil when it can't be had so.
  init?(_ block: EncodedBlock, _ payload: UnsafeRawBufferPointer, _ rows: RowMask, count: Int) {
    let header = block.header
    guard let reciprocal = header.reciprocal, header.width > 0, Self.isNarrow(header, reciprocal) else { return nil }
    // Sound: a payload of offsets isn't empty.
    let (start, rowCount) = (payload.baseAddress!, block.rowCount)
    switch header.width {
    case 1: unsafe self.init(ByteLoader(start: start), header, reciprocal, rows)
    case 2: unsafe self.init(PairLoader(start: start), header, reciprocal, rows)
    default:
      unsafe self.init(
        TripleLoader(low: PairLoader(start: start), high: ByteLoader(start: start + 2 * rowCount)), header, reciprocal,
        rows)
    }
  }

  private init(_ loader: some OffsetLoader, _ header: BlockHeader, _ reciprocal: Reciprocal, _ rows: RowMask) {
    // 128 integers below 2^24 add up in 32 bits.
    let (base, step) = (Int32(truncatingIfNeeded: header.base), Int32(truncatingIfNeeded: header.step))
    var (integers, rests) = (SIMD8<Int32>.zero, SIMD8<Double>.zero)
    var (integer, rest) = (0, 0.0)
    for word in 0..<((header.rowCount + 63) >> 6) where rows.words[word] != 0 {
      let bits = rows.words[word]
      let (first, eightCount) = (word << 6, Swift.min(8, (header.rowCount - word << 6) >> 3))
      for eight in 0..<eightCount {
        let offsets = SIMD8<Int32>(truncatingIfNeeded: loader.eight(first + eight << 3))
        let n = ((step == 1 ? offsets : offsets &* step) &+ base) & lanes(bits >> UInt64(eight << 3))
        integers &+= n
        let number = SIMD8<Double>(n)
        let part = number * reciprocal.high
        rests += (part + number * reciprocal.low) - part
      }
      for row in (first + eightCount << 3)..<Swift.min(header.rowCount, first + 64)
      where bits >> UInt64(row & 63) & 1 != 0 {
        let n = Int32(truncatingIfNeeded: loader.one(row)) &* step &+ base
        integer += Int(n)
        let part = Double(n) * reciprocal.high
        rest += (part + Double(n) * reciprocal.low) - part
      }
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
