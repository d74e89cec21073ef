/// A number such as `-86.9` or `1373400.0`, read one digit at a time. The second rung of the ladder (DecimalParser.swift).
///
/// Reading stops at the text's end, or at the first byte that can't continue a plain number.
struct PlainDecimal {
  /// The number of bytes that have to be looked at: a sign, a point, 19 digits and a few more. A longer number has too many
  /// digits for `double` and `volume`.
  static let byteCountMax = 24

  let isNegative: Bool
  let integer: UInt64
  let fraction: UInt64
  let fractionDigitCount: Int
  /// Digits on both sides of the point.
  let digitCount: Int
  /// Bytes read.
  let byteCount: Int

  /// The number that `text` begins with.
  @inline(__always)
  init<Text: RandomAccessCollection<UInt8>>(_ text: Text) where Text.Index == Int {
    var at = text.startIndex
    isNegative = text.first == UInt8(ascii: "-")
    if isNegative { at += 1 }
    let integerPart = Self.digits(of: text, &at)
    integer = integerPart.value
    if at < text.endIndex, text[at] == UInt8(ascii: ".") {
      at += 1
      (fraction, fractionDigitCount) = Self.digits(of: text, &at)
    } else {
      (fraction, fractionDigitCount) = (0, 0)
    }
    digitCount = integerPart.count + fractionDigitCount
    byteCount = at - text.startIndex
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
  private static func digits<Text: RandomAccessCollection<UInt8>>(
    of text: Text, _ at: inout Int
  ) -> (value: UInt64, count: Int) where Text.Index == Int {
    let start = at
    var value: UInt64 = 0
    while at < text.endIndex {
      let digit = text[at] &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      value = value &* 10 &+ UInt64(digit)
      at += 1
    }
    return (value, at - start)
  }
}
