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
    assert(power >= 0 && power <= 22)
    return unsafe doubles[power]
  }

  /// 10^power, for 0...19.
  @inline(__always) func integer(_ power: Int) -> UInt64 {
    assert(power >= 0 && power <= 19)
    return unsafe integers[power]
  }
}

/// The fast reading of a cell such as `-86.9` or `1373400.0`, eight digits at a time.
///
/// `PlainDecimal(at:powers:)` reads at most 48 bytes from its start on, and stops at the first byte that belongs to no
/// plain number. Whoever calls it makes sure that a byte other than a digit comes within the readable memory and that
/// `readAheadByteCount` bytes after that one can be read. What it cannot read `DecimalParser` can.
struct PlainDecimal {
  static let readAheadByteCount = 16

  let isNegative: Bool
  let integer: UInt64
  let fraction: UInt64
  let fractionDigitCount: Int
  /// Digits on both sides of the point.
  let digitCount: Int
  /// Bytes read.
  let byteCount: Int

  @inline(__always)
  init(at start: UnsafePointer<UInt8>, powers: PowersOfTen) {
    isNegative = unsafe start.pointee == UInt8(ascii: "-")
    var at = unsafe start + (isNegative ? 1 : 0)
    let integerPart = unsafe Self.digits(&at, powers)
    integer = integerPart.value
    if unsafe at.pointee == UInt8(ascii: ".") {
      unsafe at += 1
      (fraction, fractionDigitCount) = unsafe Self.digits(&at, powers)
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

  /// Reads the digits at `at`, up to 24 of them. Their value has wrapped around when there are more than 19.
  @inline(__always)
  private static func digits(
    _ at: inout UnsafePointer<UInt8>, _ powers: PowersOfTen
  ) -> (value: UInt64, count: Int) {
    var (value, count) = unsafe eightDigits(at)
    unsafe at += count
    guard count == 8 else { return (value, count) }
    for _ in 0..<2 {
      let (more, moreCount) = unsafe eightDigits(at)
      value = value &* powers.integer(moreCount) &+ more
      count += moreCount
      unsafe at += moreCount
      if moreCount < 8 { break }
    }
    return (value, count)
  }

  /// The value and the count of the digits, 8 at most, that the next 8 bytes begin with.
  ///
  /// The bytes are one word; its lowest byte is the first digit. The word is shifted until the last digit is its
  /// highest byte, then pairs, quadruples and all eight are added up by three multiplications.
  @inline(__always)
  private static func eightDigits(_ at: UnsafePointer<UInt8>) -> (value: UInt64, count: Int) {
    let word = unsafe UInt64(littleEndian: UnsafeRawPointer(at).loadUnaligned(as: UInt64.self))
    var digits = word ^ 0x3030_3030_3030_3030
    // A carry can come only out of a byte that is no digit, and reaches only the bytes after it.
    let others = ((digits &+ 0x7676_7676_7676_7676) | digits) & 0x8080_8080_8080_8080
    let count = others.trailingZeroBitCount >> 3
    let halfShift = UInt64(truncatingIfNeeded: 32 &- 4 &* count)
    digits = (digits &<< halfShift) &<< halfShift
    digits = ((digits &* 2561) &>> 8) & 0x00FF_00FF_00FF_00FF
    digits = ((digits &* 6_553_601) &>> 16) & 0x0000_FFFF_0000_FFFF
    return ((digits &* 42_949_672_960_001) &>> 32, count)
  }
}
