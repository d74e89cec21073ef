extension NumberParts {
  /// The number in digits with a point, if `decimal` stands before the fraction; nil if the number isn't written so.
  ///
  /// - Parameter grouping: the only sign that may group digits; nil for any.
  func plain(_ decimal: NumberStyle.Mark, grouping: UInt8?) -> NumberText? {
    var (mantissa, power) = (body[...], exponent)
    if let letter = body.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) {
      guard let written = Int(String(decoding: body[(letter + 1)...], as: UTF8.self)), abs(written) < 10_000 else {
        return nil
      }
      (mantissa, power) = (body[..<letter], power + written)
    }
    let parts = mantissa.split(separator: decimal.rawValue, omittingEmptySubsequences: false)
    guard parts.count <= 2, let whole = Self.ungrouped(parts[0], decimal, grouping) else { return nil }
    var digits = whole
    if parts.count == 2 {
      guard parts[1].allSatisfy(Self.isDigit), !(whole.isEmpty && parts[1].isEmpty) else { return nil }
      digits += parts[1]
      power -= parts[1].count
    }
    guard !digits.isEmpty else { return nil }
    if let fraction { return plain(digits, power, fraction) }
    let text = (isNegative ? "-" : "") + Self.shifted(digits, power)
    return NumberText(plain: Array(text.utf8), isRounded: hasSuffix)
  }

  /// The number with a fraction added that is a power of two, so that its decimals end.
  private func plain(
    _ digits: [UInt8], _ power: Int, _ fraction: (numerator: UInt64, denominator: UInt64)
  ) -> NumberText? {
    guard power == 0 else { return nil }
    // 1/2^n has n decimals.
    let places = fraction.denominator.trailingZeroBitCount
    var scale: UInt64 = 1
    for _ in 0..<places { scale *= 10 }
    let decimals = fraction.numerator * (scale / fraction.denominator)
    let text = String(decimals)
    let zeros = String(repeating: "0", count: places - text.count)
    let whole = String(decoding: digits, as: UTF8.self)
    return NumberText(plain: Array("\(isNegative ? "-" : "")\(whole).\(zeros)\(text)".utf8), isRounded: false)
  }

  /// The digits with the point moved by a power of ten.
  private static func shifted(_ digits: [UInt8], _ power: Int) -> String {
    let text = String(decoding: digits, as: UTF8.self)
    if power == 0 { return text }
    guard abs(power) <= 32 else { return "\(text)e\(power)" }
    if power > 0 { return text + String(repeating: "0", count: power) }
    let padded = String(repeating: "0", count: max(0, 1 - power - text.count)) + text
    return "\(padded.dropLast(-power)).\(padded.suffix(-power))"
  }

  /// Whether digits are grouped by the sign that isn't the decimal mark.
  func hasGroups(_ decimal: NumberStyle.Mark) -> Bool { body.contains(decimal.other.rawValue) }

  /// The sign that groups the digits before the fraction; nil if none does.
  func groupSign(_ decimal: NumberStyle.Mark) -> UInt8? {
    body.prefix { $0 != decimal.rawValue && $0 | 0x20 != UInt8(ascii: "e") }.first { !Self.isDigit($0) }
  }

  /// The digits before the fraction without the signs that group them; nil if they aren't grouped by threes, or as in India.
  private static func ungrouped(_ text: ArraySlice<UInt8>, _ decimal: NumberStyle.Mark, _ grouping: UInt8?) -> [UInt8]?
  {
    guard let sign = text.first(where: { !isDigit($0) }) else { return Array(text) }
    let signs = [decimal.other.rawValue, UInt8(ascii: "'"), UInt8(ascii: " ")]
    guard signs.contains(sign), grouping == nil || grouping == sign else { return nil }
    let groups = text.split(separator: sign, omittingEmptySubsequences: false)
    guard groups.count > 1, groups.allSatisfy({ $0.allSatisfy(isDigit) }), let first = groups.first,
      let last = groups.last,
      1...3 ~= first.count, last.count == 3, first.first != UInt8(ascii: "0")
    else { return nil }
    let middle = groups[1..<(groups.count - 1)]
    let isIndian = sign == UInt8(ascii: ",") && first.count <= 2 && middle.allSatisfy { $0.count == 2 }
    guard middle.allSatisfy({ $0.count == 3 }) || isIndian else { return nil }
    return groups.flatMap { $0 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Whether apostrophes group the digits and there is no fraction: `112'165` may be a price in 32nds.
  var maySpell32nds: Bool {
    body.contains(UInt8(ascii: "'")) && !body.contains(UInt8(ascii: ".")) && !body.contains(UInt8(ascii: ","))
  }

  /// Whether the number has four digits and more before its fraction, and nothing groups them.
  func isLargeUngrouped(_ decimal: NumberStyle.Mark) -> Bool {
    body.prefix { $0 != decimal.rawValue && $0 | 0x20 != UInt8(ascii: "e") }.count(where: Self.isDigit) >= 4
      && body.prefix { $0 != decimal.rawValue }.allSatisfy { Self.isDigit($0) }
  }
}
