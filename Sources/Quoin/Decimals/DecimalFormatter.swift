/// Writes numbers and dates as text into memory, without a String on the common paths.
///
/// Each function writes at `out` and returns where the text ends. It may use `byteCountMax` bytes from `out`, more than
/// the text itself has, as digits are stored 8 at a time.
enum DecimalFormatter {
  // Sound: no text is longer than `byteCountMax`, nor what is stored with it, and callers have that many bytes free.

  /// The bytes that must be free at `out`.
  static let byteCountMax = 48

  /// Writes the shortest decimal that reads back as `value`, in the form of Swift's `description`: `86.9`, `100.0`,
  /// `5e-05`, `1e+16`, `-0.0`, `inf`, `nan`.
  ///
  /// Quotes are decimals of few digits, and for these the digits need no search. Let `value` be the float64 nearest to
  /// n / 10^s, with |n| < 10^15 and s <= 22. Then n and 10^s are exact float64s and the division of the two, rounded
  /// once, gives just `value`; so a candidate n is proved by one division. The proof is also one of shortness: float64
  /// keeps any two decimals of up to 15 digits apart, so no other decimal of up to 15 digits reads back as `value`,
  /// and n / 10^s without zeros at its end is the shortest. And n is found by rounding value x 10^s: the division and this
  /// product err by at most 2^-53 of the result each, the addition of 0.5 by 1/16, together by less than 0.3.
  ///
  /// Two scales are tried: s = 2, as most prices are in cents, and then the s that gives n 15 digits, which finds any
  /// decimal of up to 15 digits, such as the vendor's adjusted prices with 14. What is left has 16 or 17 digits, or
  /// needs an exponent, and is written by `description`.
  @inline(__always)
  static func write(_ value: Double, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var start = unsafe out
    if value.sign == .minus && !value.isNaN {
      unsafe start.storeBytes(of: UInt8(ascii: "-"), as: UInt8.self)
      unsafe start += 1
    }
    let magnitude = value.magnitude
    if magnitude < 1e12 {  // false for NaN
      let cents = Int64(magnitude * 100 + 0.5)
      if Double(cents) / 100 == magnitude { return unsafe write(cents: UInt64(cents), to: start) }
    }
    return unsafe writeUncommon(magnitude, to: start)
  }

  private static func write(cents: UInt64, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let (whole, rest) = cents.quotientAndRemainder(dividingBy: 100)
    let (tenths, hundredths) = rest.quotientAndRemainder(dividingBy: 10)
    let end = unsafe write(digitsOf: whole, to: out)
    let fraction = UInt32(0x30302e) | UInt32(tenths) << 8 | UInt32(hundredths) << 16
    unsafe end.storeBytes(of: fraction.littleEndian, as: UInt32.self)
    return unsafe end + (hundredths == 0 ? 2 : 3)
  }

  @inline(never)
  private static func writeUncommon(_ magnitude: Double, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    guard magnitude >= 1e-4, magnitude < 1e15 else { return unsafe writeDescription(magnitude, to: out) }
    let exponent = powersOfTen.exponent(of: magnitude)
    let scale = powersOfTen[14 - exponent]
    let number = Int64(magnitude * scale + 0.5)
    guard number >= 100_000_000_000_000, number < 1_000_000_000_000_000, Double(number) / scale == magnitude else {
      return unsafe writeDescription(magnitude, to: out)
    }
    return unsafe write(UInt64(number), exponent: exponent, to: out)
  }

  /// Writes the 15-digit `number`, its first digit worth 10^`exponent` (-4...14), without zeros at the end.
  private static func write(
    _ number: UInt64, exponent: Int, to out: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    var end: UnsafeMutableRawPointer
    if exponent >= 0 {
      // 16 digits, the first of them 0: the whole part moves over it and makes room for the point.
      unsafe write(sixteenDigits: number, to: out)
      for index in 0...exponent {
        unsafe (out + index).storeBytes(of: (out + index + 1).load(as: UInt8.self), as: UInt8.self)
      }
      unsafe (out + exponent + 1).storeBytes(of: UInt8(ascii: "."), as: UInt8.self)
      unsafe end = out + 16
    } else {
      // "0." and the zeros before the first digit overwrite the leading 0 of the 16 digits.
      let zeroCount = -1 - exponent
      unsafe write(sixteenDigits: number, to: out + zeroCount + 1)
      for index in 0..<(2 + zeroCount) {
        let byte = index == 1 ? UInt8(ascii: ".") : UInt8(ascii: "0")
        unsafe (out + index).storeBytes(of: byte, as: UInt8.self)
      }
      unsafe end = out + zeroCount + 17
    }
    while unsafe (end - 1).load(as: UInt8.self) == UInt8(ascii: "0") { unsafe end -= 1 }
    if unsafe (end - 1).load(as: UInt8.self) == UInt8(ascii: ".") {
      unsafe end.storeBytes(of: UInt8(ascii: "0"), as: UInt8.self)
      unsafe end += 1
    }
    return unsafe end
  }

  private static func writeDescription(_ value: Double, to out: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    var end = unsafe out
    for byte in value.description.utf8 {
      unsafe end.storeBytes(of: byte, as: UInt8.self)
      unsafe end += 1
    }
    return unsafe end
  }

}
