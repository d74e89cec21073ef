// Sound: as in DecimalFormatter.swift.
extension DecimalFormatter {
  /// Writes the integer's digits.
  @inline(__always)
  static func write(_ value: Int64, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var start = unsafe out
    if value < 0 {
      unsafe start.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
      unsafe start += 1
    }
    return unsafe write(digitsOf: value.magnitude, to: start)
  }

  /// Writes the day as `YYYY-MM-DD`.
  @inline(__always)
  static func write(_ day: TradingDay, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let (year, month, day) = day.components
    let digits = eightDigits(UInt64(year * 10_000 + month * 100 + day)) | asciiZeros
    let dash = UInt8(ascii: "-")
    unsafe out.storeBytes(of: UInt32(truncatingIfNeeded: digits).littleEndian, as: UInt32.self)
    unsafe (out + 4).storeBytes(of: dash, as: UInt8.self)
    unsafe (out + 5).storeBytes(of: UInt16(truncatingIfNeeded: digits >> 32).littleEndian, as: UInt16.self)
    unsafe (out + 7).storeBytes(of: dash, as: UInt8.self)
    unsafe (out + 8).storeBytes(of: UInt16(truncatingIfNeeded: digits >> 48).littleEndian, as: UInt16.self)
    return unsafe out + 10
  }

  /// Writes the ticker's canonical spelling.
  @inline(__always)
  static func write(_ ticker: TickerSymbol, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    unsafe out.storeBytes(of: ticker.high.bigEndian, as: UInt64.self)
    unsafe (out + 8).storeBytes(of: ticker.low.bigEndian, as: UInt64.self)
    let unusedByteCount =
      ticker.low == 0 ? 8 + ticker.high.trailingZeroBitCount / 8 : ticker.low.trailingZeroBitCount / 8
    return unsafe out + (16 - unusedByteCount)
  }

  /// Writes the number's digits, at least one.
  @inline(__always)
  static func write(digitsOf value: UInt64, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    if value < 100_000_000 { return unsafe write(upToEightDigits: value, to: out) }
    return unsafe write(manyDigits: value, to: out)
  }

  @inline(never)
  private static func write(manyDigits value: UInt64, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    let end = unsafe write(digitsOf: high, to: out)
    unsafe end.storeBytes(of: (eightDigits(low) | asciiZeros).littleEndian, as: UInt64.self)
    return unsafe end + 8
  }

  @inline(__always)
  private static func write(
    upToEightDigits value: UInt64, to out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    let digits = eightDigits(value)
    let leadingZeroCount = min(digits.trailingZeroBitCount / 8, 7)
    let text = (digits | asciiZeros) >> UInt64(8 * leadingZeroCount)
    unsafe out.storeBytes(of: text.littleEndian, as: UInt64.self)
    return unsafe out + (8 - leadingZeroCount)
  }

  /// Writes 16 digits, with zeros in front, of a number below 10^16.
  @inline(__always)
  static func write(sixteenDigits value: UInt64, to out: UnsafeMutableRawPointer) {
    let (high, low) = value.quotientAndRemainder(dividingBy: 100_000_000)
    unsafe out.storeBytes(of: (eightDigits(high) | asciiZeros).littleEndian, as: UInt64.self)
    unsafe (out + 8).storeBytes(of: (eightDigits(low) | asciiZeros).littleEndian, as: UInt64.self)
  }

  private static let asciiZeros: UInt64 = 0x3030_3030_3030_3030

  /// The digits of a number below 10^8 as the bytes of a word, the first in the lowest byte.
  ///
  /// The number is halved into two of 4 digits, these into four of 2, these into eight of 1, each step for all parts
  /// at once; 10486 / 2^20 and 103 / 2^10 stand for 1/100 and 1/10. The idea is Paul Khuong's "How to print integers
  /// really fast".
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
