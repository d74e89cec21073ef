/// Writes numbers, dates and tickers as text, without a String on the common paths.
///
/// Each function writes at byte `start` of `out` and returns where the text ends. It may overwrite `byteCountMax` bytes
/// from `start` on, which is more than the text itself has, because digits are stored 8 at a time. It traps where `out` has
/// fewer bytes than it stores.
enum DecimalFormatter {
  /// The bytes that must be free at `start`.
  static let byteCountMax = 48

  /// Writes the shortest decimal that reads back as `value`, in the form of Swift's `description`: `86.9`, `100.0`,
  /// `5e-05`, `1e+16`, `-0.0`, `inf`, `nan`.
  ///
  /// Quotes are decimals with few digits, and their digits need no search. Let `value` be the float64 nearest to
  /// n / 10^s, with |n| < 10^15 and s <= 22. Then n and 10^s are exact float64s, and dividing them rounds once, which
  /// gives exactly `value`. So one division proves a candidate n. It also proves that n is the shortest: float64 keeps
  /// any two decimals of up to 15 digits apart, so no other decimal of up to 15 digits reads back as `value`, and
  /// n / 10^s without trailing zeros is the shortest. The candidate n is value x 10^s, rounded: the division and this
  /// product err by at most 2^-53 of the result each, and the sum that rounds errs by 1/16, together less than 0.3.
  ///
  /// Two scales are tried. The first is s = 2, because most prices are in cents. The second is the s that gives n 15
  /// digits, which finds any decimal of up to 15 digits, such as the vendor's adjusted prices with 14. Other values have
  /// 16 or 17 digits or need an exponent, and `description` writes them.
  @inline(__always)
  static func write(
    _ value: Double, _ powers: PowersOfTen, to out: inout MutableRawSpan, at start: Int
  ) -> Int {
    var digitsStart = start
    if value.sign == .minus && !value.isNaN {
      out.storeBytes(of: UInt8(ascii: "-"), toByteOffset: start, as: UInt8.self)
      digitsStart &+= 1
    }
    let magnitude = value.magnitude
    if magnitude < 1e12 {  // false for NaN
      // From 2^52 to 2^53 the float64s are the integers, so adding 2^52 rounds. The lower bits of the sum are the integer.
      let sum = magnitude * 100 + 0x1p52
      if (sum - 0x1p52) / 100 == magnitude {
        return write(cents: sum.bitPattern & (1 << 52 - 1), to: &out, at: digitsStart)
      }
    }
    return writeUncommon(magnitude, powers, to: &out, at: digitsStart)
  }

  /// Writes a price with one or two digits after the point.
  @inline(__always)
  private static func write(cents: UInt64, to out: inout MutableRawSpan, at start: Int) -> Int {
    guard cents < 100_000_000 else { return write(manyCents: cents, to: &out, at: start) }
    // Eight digits: six of the whole part, of which zeros at the front are dropped, and two of the fraction.
    let digits = eightDigits(cents)
    let droppedCount = min(digits.trailingZeroBitCount / 8, 5)
    let text = digits | asciiZeros
    let whole = text & 0x0000_ffff_ffff_ffff | UInt64(UInt8(ascii: ".")) << 48
    out.storeBytes(of: (whole >> UInt64(8 * droppedCount)).littleEndian, toByteOffset: start, as: UInt64.self)
    let end = start &+ 7 &- droppedCount
    out.storeBytes(of: UInt16(truncatingIfNeeded: text >> 48).littleEndian, toByteOffset: end, as: UInt16.self)
    return end &+ (digits >> 56 == 0 ? 1 : 2)
  }

  @inline(never)
  private static func write(manyCents cents: UInt64, to out: inout MutableRawSpan, at start: Int) -> Int {
    let (whole, rest) = cents.quotientAndRemainder(dividingBy: 100)
    let (tenths, hundredths) = rest.quotientAndRemainder(dividingBy: 10)
    let end = write(digitsOf: whole, to: &out, at: start)
    let fraction = UInt32(0x30302e) | UInt32(tenths) << 8 | UInt32(hundredths) << 16
    out.storeBytes(of: fraction.littleEndian, toByteOffset: end, as: UInt32.self)
    return end &+ (hundredths == 0 ? 2 : 3)
  }

  @inline(never)
  private static func writeUncommon(
    _ magnitude: Double, _ powers: PowersOfTen, to out: inout MutableRawSpan, at start: Int
  ) -> Int {
    if magnitude >= 1e-4, magnitude < 1e15 {
      let exponent = powers.exponent(of: magnitude)
      let scale = powers[14 &- exponent]
      let number = Int64(magnitude * scale + 0.5)
      if number >= 100_000_000_000_000, number < 1_000_000_000_000_000, Double(number) / scale == magnitude {
        return write(fifteenDigits: UInt64(bitPattern: number), exponent: exponent, to: &out, at: start)
      }
    }
    return write(magnitude.description, to: &out, at: start)
  }

  /// Writes the 15-digit `number`, whose first digit is worth 10^`exponent` (-4...14), without trailing zeros.
  @inline(__always)
  private static func write(
    fifteenDigits number: UInt64, exponent: Int, to out: inout MutableRawSpan, at start: Int
  ) -> Int {
    // 16 digits, of which the first is 0, as the bytes of two words.
    let (upper, lower) = number.quotientAndRemainder(dividingBy: 100_000_000)
    let (high, low) = (eightDigits(upper), eightDigits(lower))
    let digitCount = low == 0 ? 8 - high.leadingZeroBitCount / 8 : 16 - low.leadingZeroBitCount / 8
    let text = UInt128(low | asciiZeros) << 64 | UInt128(high | asciiZeros)
    guard exponent >= 0 else {
      out.storeBytes(of: UInt64(0x3030_3030_3030_2e30).littleEndian, toByteOffset: start, as: UInt64.self)
      out.storeBytes(of: (text >> 8).littleEndian, toByteOffset: start &+ 1 &- exponent, as: UInt128.self)
      return start &- exponent &+ digitCount
    }
    // The whole part moves over the first digit and makes room for the point; the fraction stays where it is.
    guard exponent < 7 else { return write(text, digitCount, exponent: exponent, to: &out, at: start) }
    let wholeBits = UInt64(8 * (exponent + 1))
    let wholeMask = 1 &<< wholeBits &- 1
    let word = UInt64(truncatingIfNeeded: text)
    let whole = word >> 8 & wholeMask | UInt64(UInt8(ascii: ".")) &<< wholeBits
    let fraction = word & ~(wholeMask << 8 | 0xff)
    let split = text ^ UInt128(word ^ (whole | fraction))
    out.storeBytes(of: split.littleEndian, toByteOffset: start, as: UInt128.self)
    return start &+ max(digitCount, exponent &+ 3)
  }

  /// Writes the 16 digits of `text`, of which the first is 0 and `digitCount` are wanted, with the point after digit
  /// `exponent` + 1.
  @inline(never)
  private static func write(
    _ text: UInt128, _ digitCount: Int, exponent: Int, to out: inout MutableRawSpan, at start: Int
  ) -> Int {
    for index in 0...exponent {
      out.storeBytes(
        of: UInt8(truncatingIfNeeded: text >> (8 * (index + 1))), toByteOffset: start + index, as: UInt8.self)
    }
    out.storeBytes(of: UInt8(ascii: "."), toByteOffset: start + exponent + 1, as: UInt8.self)
    let fraction = exponent == 14 ? UInt128(UInt8(ascii: "0")) : text >> (8 * (exponent + 2))
    out.storeBytes(of: fraction.littleEndian, toByteOffset: start + exponent + 2, as: UInt128.self)
    return start &+ max(digitCount, exponent &+ 3)
  }

  /// Writes the text, which may be longer than `byteCountMax`.
  @inline(never)
  static func write(_ text: String, to out: inout MutableRawSpan, at start: Int) -> Int {
    var end = start
    for byte in text.utf8 {
      out.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
      end &+= 1
    }
    return end
  }
}
