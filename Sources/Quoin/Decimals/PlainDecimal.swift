/// The powers of ten that are exact: float64 up to 10^22, 64-bit integers up to 10^19.
///
/// The tables are made once and never freed, so that a pointer to them is always good.
@safe struct PowersOfTen: @unchecked Sendable {
  static let shared = PowersOfTen()

  private let doubles: UnsafeMutablePointer<Double>
  private let integers: UnsafeMutablePointer<UInt64>

  private init() {
    unsafe doubles = .allocate(capacity: 23)
    unsafe integers = .allocate(capacity: 20)
    var (double, integer): (Double, UInt64) = (1, 1)
    for power in 0..<23 {
      unsafe (doubles + power).initialize(to: double)
      double *= 10
      if power < 20 {
        unsafe (integers + power).initialize(to: integer)
        integer = integer &* 10
      }
    }
  }

  /// 10^power, for 0...22.
  @inline(__always) func double(_ power: Int) -> Double {
    // Sound: callers keep to these powers, and debug builds make sure.
    assert(power >= 0 && power <= 22)
    return unsafe doubles[power]
  }

  /// 10^power, for 0...19.
  @inline(__always) func integer(_ power: Int) -> UInt64 {
    assert(power >= 0 && power <= 19)
    return unsafe integers[power]
  }
}

/// The fast reading of a cell such as `-86.9` or `1373400.0`.
///
/// It stops at the first byte that belongs to no plain number; whoever calls it makes sure that such a byte comes
/// within the readable memory. What it cannot read `DecimalParser` can.
///
/// A loop over single digits: reading eight of them at a time as one word was 10 % slower on the WIKI table, most of
/// whose cells have four digits or fewer, and 4 % faster when only the fractions were read so.
struct PlainDecimal {
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

  /// The number as float64, or nil when it takes more than one rounding (or there is no digit).
  @inline(__always)
  func double(_ powers: PowersOfTen) -> Double? {
    // At most 19 digits are below 2^64, so that nothing here overflows.
    guard digitCount &- 1 < 19, digitCount > 0 else { return nil }
    let significand = integer &* powers.integer(fractionDigitCount) &+ fraction
    guard significand <= 1 << 53 else { return nil }
    let magnitude = Double(Int64(truncatingIfNeeded: significand)) / powers.double(fractionDigitCount)
    return isNegative ? -magnitude : magnitude
  }

  /// The number as a count of shares, or nil when it is none (or larger than the fast way reads).
  @inline(__always)
  var volume: Int64? {
    guard digitCount &- 1 < 18, digitCount > 0, fraction == 0, !isNegative else { return nil }
    return Int64(truncatingIfNeeded: integer)
  }

  /// Reads the digits at `at`. Their value has wrapped around when there are more than 19.
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
