/// A decimal number as a person wrote it, kept exactly: `digits` x 10^`exponent`.
///
/// A bound on an int64 attribute must not go through float64, which cannot tell 2^63 - 1 from 2^63.
package struct DecimalLiteral: Hashable, Sendable {
  let isNegative: Bool
  /// The significant digits, 0 to 9 each, without zeros at either end; none for zero.
  let digits: [UInt8]
  let exponent: Int

  /// Exponents beyond this are all alike: larger than any number, or smaller.
  private static let exponentMax = 1_000_000_000

  /// The number that `[+-] digits [. digits] [e [+-] digits] [K | M | B | %]` spells, or nil. At least one digit stands before
  /// or after the point, and an underscore may stand between two digits. `1M` is a million, `5%` is 0.05.
  package init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    isNegative = Self.takeSign(&rest)
    guard let whole = Self.takeDigits(&rest) else { return nil }
    var fraction: [UInt8] = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      guard let taken = Self.takeDigits(&rest) else { return nil }
      fraction = taken
    }
    guard !whole.isEmpty || !fraction.isEmpty else { return nil }
    guard var power = Self.takeExponent(&rest) else { return nil }
    if let unit = rest.first, let unitPower = Self.units[unit] {
      rest.removeFirst()
      power += unitPower
    }
    guard rest.isEmpty else { return nil }

    var significant = (whole + fraction).drop { $0 == 0 }
    var exponent = power - fraction.count
    while significant.last == 0 {
      significant.removeLast()
      exponent += 1
    }
    digits = Array(significant)
    self.exponent = digits.isEmpty ? 0 : exponent
  }

  /// The number as a predicate takes it. Compared with float64s it stands for the nearest one.
  package var exactNumber: Predicate.ExactNumber { Predicate.ExactNumber(nearest: double, integerPosition) }

  /// The nearest float64; infinite when it is beyond the largest.
  var double: Double {
    let sign = isNegative ? "-" : ""
    guard !digits.isEmpty else { return isNegative ? -0.0 : 0 }
    let text = sign + String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self) + "e\(exponent)"
    return Double(text) ?? .nan
  }

  /// Where the number lies among the int64s.
  var integerPosition: IntegerPosition {
    guard !digits.isEmpty else { return .at(0) }
    let wholeDigitCount = digits.count + exponent
    guard wholeDigitCount <= 19 else { return isNegative ? .belowAll : .aboveAll }
    var magnitude: UInt64 = 0  // 19 digits fit in 64 bits
    for index in 0..<max(0, wholeDigitCount) {
      magnitude = magnitude * 10 + UInt64(index < digits.count ? digits[index] : 0)
    }
    return IntegerPosition(magnitude: magnitude, hasFraction: digits.count > wholeDigitCount, isNegative: isNegative)
  }

  /// The powers of ten that letters after a number stand for.
  private static let units: [UInt8: Int] = Dictionary(
    uniqueKeysWithValues: [("K", 3), ("k", 3), ("M", 6), ("m", 6), ("B", 9), ("b", 9), ("%", -2)].map {
      (Array($0.0.utf8)[0], $0.1)
    })

  /// The number with the other sign.
  var negated: DecimalLiteral { DecimalLiteral(isNegative: !isNegative, digits: digits, exponent: exponent) }

  /// As a percentage.
  var timesHundred: DecimalLiteral { DecimalLiteral(isNegative: isNegative, digits: digits, exponent: exponent + 2) }

  private init(isNegative: Bool, digits: [UInt8], exponent: Int) {
    (self.isNegative, self.digits, self.exponent) = (isNegative, digits, exponent)
  }

  private static func takeSign(_ text: inout ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") else { return false }
    text.removeFirst()
    return first == UInt8(ascii: "-")
  }

  /// The values of the digits that `text` begins with, perhaps none; nil when an underscore is out of place.
  private static func takeDigits(_ text: inout ArraySlice<UInt8>) -> [UInt8]? {
    let end = text.firstIndex { !isDigit($0) && $0 != UInt8(ascii: "_") } ?? text.endIndex
    let taken = text[..<end]
    guard taken.first != UInt8(ascii: "_"), taken.last != UInt8(ascii: "_") else { return nil }
    text = text[end...]
    return taken.filter(isDigit).map { $0 - UInt8(ascii: "0") }
  }

  /// The exponent that `text` begins with, 0 when there is none; nil when it has no digits.
  private static func takeExponent(_ text: inout ArraySlice<UInt8>) -> Int? {
    guard text.first == UInt8(ascii: "e") || text.first == UInt8(ascii: "E") else { return 0 }
    text.removeFirst()
    let isNegative = takeSign(&text)
    guard let digits = takeDigits(&text), !digits.isEmpty else { return nil }
    let magnitude = digits.reduce(0) { min($0 * 10 + Int($1), exponentMax) }
    return isNegative ? -magnitude : magnitude
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
}
