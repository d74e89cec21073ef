extension DecimalFormatter {
  /// Writes the integer's digits.
  @inline(__always)
  static func write(_ value: Int64, to out: inout MutableRawSpan, at start: Int) -> Int {
    guard value < 0 else { return write(digitsOf: value.magnitude, to: &out, at: start) }
    out.storeBytes(of: UInt8(ascii: "-"), toByteOffset: start, as: UInt8.self)
    return write(digitsOf: value.magnitude, to: &out, at: start &+ 1)
  }

  /// Writes the day as `YYYY-MM-DD`.
  @inline(__always)
  static func write(_ day: TradingDay, to out: inout MutableRawSpan, at start: Int) -> Int {
    let (year, month, day) = day.components
    let digits = eightDigits(UInt64(truncatingIfNeeded: year &* 10_000 &+ month &* 100 &+ day)) | asciiZeros
    let dash = UInt64(UInt8(ascii: "-"))
    let text = digits & 0xffff_ffff | dash << 32 | (digits >> 32 & 0xffff) << 40 | dash << 56
    out.storeBytes(of: text.littleEndian, toByteOffset: start, as: UInt64.self)
    out.storeBytes(of: UInt16(truncatingIfNeeded: digits >> 48).littleEndian, toByteOffset: start &+ 8, as: UInt16.self)
    return start &+ 10
  }

  /// Writes the ticker's spelling.
  @inline(__always)
  static func write(_ ticker: TickerSymbol, to out: inout MutableRawSpan, at start: Int) -> Int {
    out.storeBytes(of: ticker.words.0.bigEndian, toByteOffset: start, as: UInt64.self)
    if ticker.words.1 != 0 { writeRest(of: ticker, to: &out, at: start &+ 8) }
    return start &+ ticker.byteCount
  }

  @inline(never)
  private static func writeRest(of ticker: TickerSymbol, to out: inout MutableRawSpan, at start: Int) {
    out.storeBytes(of: ticker.words.1.bigEndian, toByteOffset: start, as: UInt64.self)
    out.storeBytes(of: ticker.words.2.bigEndian, toByteOffset: start &+ 8, as: UInt64.self)
    out.storeBytes(of: ticker.words.3.bigEndian, toByteOffset: start &+ 16, as: UInt64.self)
  }

  /// Writes the number's digits, at least one.
  @inline(__always)
  static func write(digitsOf value: UInt64, to out: inout MutableRawSpan, at start: Int) -> Int {
    if value < 100_000_000 { return write(upToEightDigits: value, to: &out, at: start) }
    return write(manyDigits: value, to: &out, at: start)
  }

  @inline(never)
  private static func write(manyDigits value: UInt64, to out: inout MutableRawSpan, at start: Int) -> Int {
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    let end = write(digitsOf: high, to: &out, at: start)
    out.storeBytes(of: (eightDigits(low) | asciiZeros).littleEndian, toByteOffset: end, as: UInt64.self)
    return end &+ 8
  }

  @inline(__always)
  private static func write(upToEightDigits value: UInt64, to out: inout MutableRawSpan, at start: Int) -> Int {
    let digits = eightDigits(value)
    let leadingZeroCount = min(digits.trailingZeroBitCount / 8, 7)
    let text = (digits | asciiZeros) >> UInt64(8 * leadingZeroCount)
    out.storeBytes(of: text.littleEndian, toByteOffset: start, as: UInt64.self)
    return start &+ 8 &- leadingZeroCount
  }

  static let asciiZeros: UInt64 = 0x3030_3030_3030_3030

  /// The digits of a number below 10^8 as the bytes of a word, the first in the lowest byte.
  ///
  /// The number is halved into two numbers of 4 digits, these into four of 2, and these into eight of 1; each step works on
  /// all parts at once. 10486 / 2^20 and 103 / 2^10 stand for 1/100 and 1/10. The idea is Paul Khuong's "How to print
  /// integers really fast".
  @inline(__always)
  static func eightDigits(_ value: UInt64) -> UInt64 {
    let (high, low) = value.quotientAndRemainder(dividingBy: 10_000)
    let fours = high | low << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x0000_007f_0000_007f
    let twos = hundreds | (fours &- 100 &* hundreds) << 16
    let tens = (twos &* 103) >> 10 & 0x000f_000f_000f_000f
    return tens | (twos &- 10 &* tens) << 8
  }
}
