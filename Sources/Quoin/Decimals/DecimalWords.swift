// Reads a cell such as `86.9`, `1373400.0` or `81.602653510676` eight characters at a time. The first rung of the ladder
// (DecimalParser.swift).
//
//   word     eight characters xor '0': digits are 0 ... 9, everything else is larger
//   marks    the highest bit of each byte that is no digit; the lowest mark is the point or the cell's end, and if it is
//            the point, the next mark is the cell's end
//   digits   the bytes below the point move up by one, over it; then all move up, until the last digit is in the highest
//            byte, so the free bytes below are leading zeros
//   value    eight digits become a number by three multiplications: pairs, fours, eights
//
// There is no loop over characters, whose end the processor can't predict, and nothing is looked at twice: between the marks
// are digits. Ideas: Daniel Lemire's fast_float and simdjson.

/// A plain decimal without a sign, of up to 15 characters, of which at most 7 come before the point.
struct DecimalWords {
  /// The number of bytes that must be readable from a cell's start on.
  static let readableByteCount = 16

  /// The digits as one number, at most 14 of them.
  let significand: UInt64
  let fractionDigitCount: Int
  /// The number of the cell's bytes. The byte after it isn't a digit, and the caller has to check it.
  let byteCount: Int

  /// The cell at `start`; nil if it isn't plain.
  @inline(__always)
  init?(at start: UnsafeRawPointer, _ powers: PowersOfTen) {
    let word = unsafe Self.word(start)
    let marks = Self.marks(word)
    guard marks != 0 else { return nil }
    let pointIndex = marks.trailingZeroBitCount &>> 3
    guard unsafe start.load(fromByteOffset: pointIndex, as: UInt8.self) == UInt8(ascii: ".") else {
      guard pointIndex > 0 else { return nil }
      self.init(Self.value(word, first: pointIndex), fractionDigitCount: 0, byteCount: pointIndex)
      return
    }
    let upToPoint = marks ^ (marks &- 1)
    let closed = (word & upToPoint &>> 8) &<< 8 | word & ~upToPoint
    let later = marks & (marks &- 1)
    if later != 0 {
      let end = later.trailingZeroBitCount &>> 3
      guard end > 1 else { return nil }
      self.init(
        Self.value(closed, first: end), fractionDigitCount: end &- pointIndex &- 1, byteCount: end)
    } else {
      // Seven digits, and as many as the next word begins with.
      let next = unsafe Self.word(start + 8)
      let nextMarks = Self.marks(next)
      guard nextMarks != 0 else { return nil }
      let count = nextMarks.trailingZeroBitCount &>> 3
      let significand =
        Self.value(closed) &* powers.integer(count) &+ Self.value((next &<< 8) &<< UInt64(56 &- 8 &* count))
      self.init(significand, fractionDigitCount: 7 &- pointIndex &+ count, byteCount: 8 &+ count)
    }
  }

  @inline(__always)
  private init(_ significand: UInt64, fractionDigitCount: Int, byteCount: Int) {
    self.significand = significand
    self.fractionDigitCount = fractionDigitCount
    self.byteCount = byteCount
  }

  /// The number as float64: 14 digits and a power of ten up to 10^14 are exact, so the division rounds correctly.
  @inline(__always)
  func double(_ powers: PowersOfTen) -> Double {
    Double(Int64(truncatingIfNeeded: significand)) / powers.double(fractionDigitCount)
  }

  /// A plain number of shares, of up to 7 digits, perhaps followed by `.0`; nil if the cell isn't one.
  @inline(__always)
  static func volume(at start: UnsafeRawPointer) -> (value: Int64, byteCount: Int)? {
    let word = unsafe word(start)
    let marks = marks(word)
    guard marks != 0 else { return nil }
    let count = marks.trailingZeroBitCount &>> 3
    guard count > 0 else { return nil }
    let value = Int64(truncatingIfNeeded: value(word, first: count))
    guard unsafe start.load(fromByteOffset: count, as: UInt8.self) == UInt8(ascii: ".") else { return (value, count) }
    guard unsafe start.load(fromByteOffset: count &+ 1, as: UInt8.self) == UInt8(ascii: "0") else { return nil }
    return (value, count &+ 2)
  }

  @inline(__always)
  private static func word(_ start: UnsafeRawPointer) -> UInt64 {
    // Sound: callers have `readableByteCount` bytes at the cell.
    unsafe UInt64(littleEndian: start.loadUnaligned(as: UInt64.self)) ^ 0x3030_3030_3030_3030
  }

  /// The lowest mark is right. Marks above a byte that is no ASCII character may be wrong, but that byte is marked.
  @inline(__always)
  private static func marks(_ word: UInt64) -> UInt64 {
    ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
  }

  /// The first `count` bytes, 1 ... 7, as a number.
  @inline(__always)
  private static func value(_ digits: UInt64, first count: Int) -> UInt64 {
    value(digits &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count))
  }

  /// Eight digits, the first in the lowest byte, as a number.
  @inline(__always)
  private static func value(_ digits: UInt64) -> UInt64 {
    let pairs = (digits &* (1 + 10 << 8)) &>> 8 & 0x00FF_00FF_00FF_00FF
    let fours = (pairs &* (1 + 100 << 16)) &>> 16 & 0x0000_FFFF_0000_FFFF
    return (fours &* (1 + 10_000 << 32)) &>> 32
  }
}
