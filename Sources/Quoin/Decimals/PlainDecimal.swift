/// Reads a cell such as `-86.9` or `1373400.0` fast, one digit at a time. The second rung of the ladder (DecimalParser.swift).
///
/// It stops at the first byte that belongs to no plain number. Its callers make sure that such a byte comes within the
/// readable memory.
struct PlainDecimal {
  // Sound: no byte after the first one that is neither sign, digit nor point is read, and callers have that byte.

  let isNegative: Bool
  let integer: UInt64
  let fraction: UInt64
  let fractionDigitCount: Int
  /// Digits on both sides of the point.
  let digitCount: Int
  /// Bytes read.
  let byteCount: Int

  @inline(__always)
  init(at start: UnsafePointer<UInt8>) {
    isNegative = unsafe start.pointee == UInt8(ascii: "-")
    var at = unsafe start + (isNegative ? 1 : 0)
    let integerPart = unsafe Self.digits(&at)
    integer = integerPart.value
    if unsafe at.pointee == UInt8(ascii: ".") {
      unsafe at += 1
      (fraction, fractionDigitCount) = unsafe Self.digits(&at)
    } else {
      (fraction, fractionDigitCount) = (0, 0)
    }
    digitCount = integerPart.count + fractionDigitCount
    byteCount = unsafe at - start
  }

  /// The number as float64, or nil if that takes more than one rounding (or there is no digit).
  @inline(__always)
  func double(_ powers: PowersOfTen) -> Double? {
    // At most 19 digits are below 2^64, so that nothing here overflows.
    guard digitCount &- 1 < 19, digitCount > 0 else { return nil }
    let significand = integer &* powers.integer(fractionDigitCount) &+ fraction
    guard significand <= 1 << 53 else { return nil }
    let magnitude = Double(Int64(truncatingIfNeeded: significand)) / powers.double(fractionDigitCount)
    return isNegative ? -magnitude : magnitude
  }

  /// The number as a number of shares, or nil if it isn't one, or has more than 18 digits.
  @inline(__always)
  var volume: Int64? {
    guard digitCount &- 1 < 18, digitCount > 0, fraction == 0, !isNegative else { return nil }
    return Int64(truncatingIfNeeded: integer)
  }

  /// Reads the digits at `at`. If there are more than 19, their value has wrapped around.
  @inline(__always)
  private static func digits(_ at: inout UnsafePointer<UInt8>) -> (value: UInt64, count: Int) {
    let start = unsafe at
    var value: UInt64 = 0
    while true {
      let digit = unsafe at.pointee &- UInt8(ascii: "0")
      guard digit < 10 else { return unsafe (value, at - start) }
      value = value &* 10 &+ UInt64(digit)
      unsafe at += 1
    }
  }
}
