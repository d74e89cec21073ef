extension JSONNode {
  static let shownContainer = "a list or an object"

  /// Calls `body` with a value's text: what a text says, or a number or word as it stands.
  @inline(__always)
  func withText<Result>(_ body: (TextView) -> Result) -> Result {
    if isContainer { return TextView.with(Self.shownContainer, body) }
    let end = end
    guard text[start] == UInt8(ascii: "\"") else { return body(text.part(start..<end)) }
    let inside = text.part((start + 1)..<(end - 1))
    guard inside.contains(UInt8(ascii: "\\")) else { return body(inside) }
    return TextView.with(Self.unescaped(inside), body)
  }

  /// A value's text.
  var string: String { withText { String(decoding: $0, as: UTF8.self) } }

  /// Whether a value has this text.
  @inline(__always)
  func hasText(_ other: [UInt8]) -> Bool {
    let last = start + 1 + other.count
    if last < text.count, text[last] == UInt8(ascii: "\""), text[start] == UInt8(ascii: "\""),
      text.part((start + 1)..<last).isEqual(to: other), !other.contains(UInt8(ascii: "\\"))
    {
      return true
    }
    return withText { $0.isEqual(to: other) }
  }

  /// Whether both have the same text.
  func isSame(as other: JSONNode) -> Bool { withText { text in other.withText { $0.elementsEqual(text) } } }

  /// The text of a text or number; nil of anything else, and of an empty text.
  var scalar: String? {
    guard kind == .text || kind == .number else { return nil }
    let text = string
    return text.isEmpty ? nil : text
  }

  /// Whether a text or number is a plain number.
  var isNumber: Bool { scalar.map { DecimalText($0.utf8) != nil } ?? false }

  /// Whether a text or number by itself is a time since 1970.
  var isTime: Bool { scalar.map { EpochSurvey.isTime(Array($0.utf8)) } ?? false }

  /// A text between quotation marks without its escapes. A half of a surrogate pair becomes the replacement character.
  static func unescaped(_ text: TextView) -> String {
    var units: [UInt8] = []
    var offset = 0
    while offset < text.count {
      guard text[offset] == UInt8(ascii: "\\"), offset + 1 < text.count else {
        units.append(text[offset])
        offset += 1
        continue
      }
      units += escaped(text, &offset)
    }
    return String(decoding: units, as: UTF8.self)
  }

  /// The bytes of the escape at `offset`, which is moved behind it.
  private static func escaped(_ text: TextView, _ offset: inout Int) -> [UInt8] {
    let letter = text[offset + 1]
    guard letter == UInt8(ascii: "u") else {
      offset += 2
      return [plainEscapes[letter] ?? letter]
    }
    var units: [UInt16] = []
    while let unit = unit(text, offset) {
      units.append(unit)
      offset += 6
      // Only the first half of a pair needs what follows.
      if !UTF16.isLeadSurrogate(unit) { break }
    }
    if units.isEmpty { offset += 2 }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  private static let plainEscapes: [UInt8: UInt8] = [
    UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]

  /// The UTF-16 unit of `\u20AC`; nil if there is no such escape.
  private static func unit(_ text: TextView, _ offset: Int) -> UInt16? {
    guard offset + 6 <= text.count, text[offset] == UInt8(ascii: "\\"), text[offset + 1] == UInt8(ascii: "u") else {
      return nil
    }
    let digits = text[(offset + 2)..<(offset + 6)].map(hexValue)
    return digits.contains(nil) ? nil : digits.compactMap(\.self).reduce(0) { $0 << 4 | UInt16($1) }
  }

  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "A")...UInt8(ascii: "F"):
      (byte | 0x20) - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
