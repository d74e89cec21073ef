// From text to numbers, on a ladder of three rungs. Each reads what the rung above it leaves, more slowly:
//
//   words     DecimalWords    eight characters at a time: no sign, up to 15 characters, up to 7 before the point; the cells
//                             of the plain lines of CSV, and so of nearly all lines of the WIKI table
//   plain     PlainDecimal    one character at a time: `-86.9`, up to 19 digits that make an integer up to 2^53; also the
//                             first rung for NDJSON, and for CSV lines with something odd in them
//   careful   DecimalParser   the whole language: spaces cut off, `+`, exponents, any number of digits, words for missing
//                             cells, and the reason why a text is bad
//
// All rungs round correctly, so a number is the same float64 on each of them. The first two stop at the first byte that they
// don't know, and their callers check that the cell ends there; otherwise they try the next rung.

/// A cell's text as a value.
enum CellValue<Value> {
  case value(Value)
  case missing
  /// Not a value, and the reason.
  case bad(String)
}

extension CellValue: Equatable where Value: Equatable {}

/// Reads decimal numbers from bytes: float64 correctly rounded, int64 exactly. The last rung of the ladder.
///
/// A number is `[+-] digits [. digits] [e [+-] digits]` with a digit before or after the point. If the digits make an integer
/// up to 2^53 and the power of ten is at most 10^22, both are exact in float64, so one multiplication or division rounds
/// correctly (Clinger, "How to read floating point numbers accurately", 1990). Other numbers go to the standard library's
/// `Double(_:)`, which also rounds correctly and, unlike `strtod`, ignores the locale.
enum DecimalParser {
  static let notANumber = "not a number"
  static let tooLarge = "too large for float64"
  static let notWhole = "not a whole number"
  static let tooManyShares = "more than \(Int64.max) shares"
  static let negativeVolume = "a volume below zero"

  /// The float64 nearest to the number that the whole of `text` spells.
  static func double(_ text: some Collection<UInt8>) -> CellValue<Double> {
    guard let decimal = DecimalText(text) else { return absent(text) }
    if let exact = decimal.roundedOnce { return .value(exact) }
    guard let value = Double(String(decoding: text, as: UTF8.self)) else { return .bad(notANumber) }
    return value.isFinite ? .value(value) : .bad(tooLarge)
  }

  /// The number of shares that the whole of `text` spells: an int64 if that is what it is, else the nearest float64. A whole
  /// number beyond int64s has no more digits than a float64 tells apart, or it would be another number.
  static func exactVolume(_ text: some Collection<UInt8>) -> CellValue<VolumeCell> {
    switch volume(text) {
    case .value(let number): return .value(.whole(number))
    case .missing: return .missing
    case .bad(let reason):
      let isExact = reason == notWhole || reason == tooManyShares && DecimalText(text)?.hasFewDigits == true
      guard isExact else { return .bad(reason) }
      return switch shares(text) {
      case .value(let value): .value(.exact(value))
      case .missing: .missing
      case .bad(let reason): .bad(reason)
      }
    }
  }

  /// The number of whole shares that the whole of `text` spells: `8381600`, `8381600.0`, `3.5e6`.
  static func volume(_ text: some Collection<UInt8>) -> CellValue<Int64> {
    guard let decimal = DecimalText(text) else { return absent(text) }
    guard let magnitude = decimal.wholeMagnitude else { return .bad(notWhole) }
    if decimal.isNegative && magnitude != 0 { return .bad(negativeVolume) }
    guard let value = Int64(exactly: magnitude) else { return .bad(tooManyShares) }
    return .value(value)
  }

  /// The same in float64, which may have a fraction: `8779600.5`.
  static func shares(_ text: some Collection<UInt8>) -> CellValue<Double> {
    let cell = double(text)
    if case .value(let value) = cell, value < 0 { return .bad(negativeVolume) }
    return cell
  }

  /// The value of a text that is no number: missing or bad.
  static func absent<Value>(_ text: some Collection<UInt8>) -> CellValue<Value> {
    isMissing(text) ? .missing : .bad(notANumber)
  }

  /// Whether the cell says that there is no value.
  static func isMissing(_ text: some Collection<UInt8>) -> Bool {
    if text.isEmpty { return true }
    // No word begins with a digit, and most cells do.
    guard text.count <= 8, let first = text.first, first &- UInt8(ascii: "0") >= 10 else { return false }
    let lowercased = text.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }
    return missingWords.contains(lowercased)
  }

  /// The words for a cell without a value: of spreadsheets, databases, R, Python and the services that give away quotes.
  static let missingWords = Set(missingTexts.map { Array($0.utf8) })

  static let missingTexts = [
    "-", "--", "---", ".", "?", "—", "–", "na", "n/a", "n.a.", "n.a", "#n/a", "#na", "#value!", "#ref!", "#div/0!",
    "#null!", "nan",
    "<na>", "nat", "null", "(null)", "<null>", "none", "nil", "\\n", "n/d", "n.d.", "nd", "missing",
  ]
}

/// The parts of a decimal number: (-1)^isNegative * significand * 10^exponent.
struct DecimalText {
  private(set) var isNegative = false
  /// The first 19 significant digits.
  private(set) var significand: UInt64 = 0
  private(set) var exponent = 0
  /// Whether no digit but 0 follows the significand's.
  private(set) var isExact = true

  /// The parts of the number that the whole of `text` spells, or nil if it isn't a number.
  init?(_ text: some Collection<UInt8>) {
    var digits = text[...]
    if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isNegative = sign == UInt8(ascii: "-")
      digits.removeFirst()
    }
    var digitCount = takeDigits(&digits, afterPoint: false)
    if digits.first == UInt8(ascii: ".") {
      digits.removeFirst()
      digitCount += takeDigits(&digits, afterPoint: true)
    }
    guard digitCount > 0, takeExponent(&digits), digits.isEmpty else { return nil }
  }

  private mutating func takeDigits<Text: Collection<UInt8>>(_ digits: inout Text, afterPoint: Bool) -> Int
  where Text.SubSequence == Text {
    let before = digits.count
    while let byte = digits.first, byte &- UInt8(ascii: "0") < 10 {
      append(UInt64(byte &- UInt8(ascii: "0")), afterPoint: afterPoint)
      digits.removeFirst()
    }
    return before - digits.count
  }

  private mutating func append(_ digit: UInt64, afterPoint: Bool) {
    if significand < 1_000_000_000_000_000_000 {
      significand = significand * 10 + digit
      if afterPoint { exponent -= 1 }
    } else {
      if digit != 0 { isExact = false }
      if !afterPoint { exponent += 1 }
    }
  }

  /// Takes the exponent, if there is one. Returns false if it has no digits.
  private mutating func takeExponent<Text: Collection<UInt8>>(_ text: inout Text) -> Bool
  where Text.SubSequence == Text {
    guard let letter = text.first, letter | 0x20 == UInt8(ascii: "e") else { return true }
    text.removeFirst()
    var isBelowZero = false
    if let sign = text.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      isBelowZero = sign == UInt8(ascii: "-")
      text.removeFirst()
    }
    guard !text.isEmpty else { return false }
    var value = 0
    while let byte = text.first, byte &- UInt8(ascii: "0") < 10 {
      value = min(value * 10 + Int(byte &- UInt8(ascii: "0")), 1 << 40)
      text.removeFirst()
    }
    exponent += isBelowZero ? -value : value
    return true
  }

  /// The number rounded to float64 by one operation on exact operands, or nil if that might not be correct.
  var roundedOnce: Double? {
    guard isExact, significand <= 1 << 53 else { return nil }
    let magnitude: Double
    if significand == 0 || exponent == 0 {
      magnitude = Double(significand)
    } else if exponent > 0, exponent <= 22 {
      magnitude = Double(significand) * powersOfTen.double(exponent)
    } else if exponent < 0, exponent >= -22 {
      magnitude = Double(significand) / powersOfTen.double(-exponent)
    } else {
      return nil
    }
    return isNegative ? -magnitude : magnitude
  }

  /// Whether the number has at most 17 significant digits, as a float64 has when a program writes it.
  var hasFewDigits: Bool {
    var digits = significand
    while digits != 0, digits % 10 == 0 { digits /= 10 }
    return isExact && digits < 100_000_000_000_000_000
  }

  /// The number without its sign: `UInt64.max` if it is larger, nil if it has a fraction.
  var wholeMagnitude: UInt64? {
    var (value, power) = (significand, exponent)
    guard value != 0 else { return isExact ? 0 : nil }
    while power < 0, value % 10 == 0 { (value, power) = (value / 10, power + 1) }
    guard power >= 0, isExact || power > 0 else { return nil }
    while power > 0 {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      if overflow { return .max }
      (value, power) = (product, power - 1)
    }
    return value
  }
}
