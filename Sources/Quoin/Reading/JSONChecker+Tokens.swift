// The names, texts, numbers and words of a text.

extension JSONChecker {
  private static let words = ["true", "false", "null", "NaN", "nan", "Infinity", "inf"].map { Array($0.utf8) }

  mutating func takeKey() throws(JSONFault) {
    guard skipSpaces() else { throw ending("a name is missing") }
    guard text[offset] == UInt8(ascii: "\"") else { throw fault("a name in quotation marks is missing") }
    try takeText()
    guard skipSpaces() else { throw ending("a colon is missing") }
    guard text[offset] == UInt8(ascii: ":") else { throw fault("a colon is missing") }
    offset += 1
  }

  mutating func takeText() throws(JSONFault) {
    let start = offset
    offset += 1
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: "\""):
        offset += 1
        return
      case UInt8(ascii: "\\"): try takeEscape()
      case 0..<0x20: throw fault("a text has a line break or another control character")
      default: offset += 1
      }
    }
    throw ending("the text that begins at byte \(byteCountBefore + start) has no end")
  }

  private mutating func takeEscape() throws(JSONFault) {
    let length = offset + 1 < text.count && text[offset + 1] == UInt8(ascii: "u") ? 6 : 2
    guard offset + length <= text.count else {
      offset = text.count
      throw ending("a text has no end")
    }
    let isKnown =
      length == 2
      ? "\"\\/bfnrt".utf8.contains(text[offset + 1])
      : text[(offset + 2)..<(offset + 6)].allSatisfy { JSONNode.hexValue($0) != nil }
    guard isKnown else { throw fault("a backslash begins nothing that JSON knows") }
    offset += length
  }

  mutating func takeNumber() throws(JSONFault) {
    let start = offset
    if text[offset] == UInt8(ascii: "-") { offset += 1 }
    let first = offset
    var isNumber = takeDigits() && (text[first] != UInt8(ascii: "0") || offset == first + 1)
    if take(".") { isNumber = takeDigits() && isNumber }
    if take("e") || take("E") {
      if !take("-") { _ = take("+") }
      isNumber = takeDigits() && isNumber
    }
    if isNumber, offset == text.count || !JSONNode.isInWord(text[offset]) { return }
    try refuseWord(from: start)
  }

  @inline(__always)
  private mutating func takeDigits() -> Bool {
    let start = offset
    while offset < text.count, text[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    return offset > start
  }

  @inline(__always)
  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  mutating func takeWord() throws(JSONFault) {
    let start = offset
    let isNegative = text[offset] == UInt8(ascii: "-")
    while offset < text.count, JSONNode.isInWord(text[offset]) { offset += 1 }
    let word = text.part((isNegative ? start + 1 : start)..<offset)
    let isKnown = Self.words.dropFirst(isNegative ? 3 : 0).contains { word.isEqual(to: $0) }
    if !isKnown { try refuseWord(from: start) }
  }

  /// Throws the fault of what begins at `start` and is neither a number nor a word of JSON.
  private mutating func refuseWord(from start: Int) throws(JSONFault) {
    while offset < text.count, JSONNode.isInWord(text[offset]) { offset += 1 }
    if offset == text.count, !levels.isEmpty { throw ending("a value breaks off") }
    let word = text.part(start..<max(offset, start + 1))
    throw JSONFault(offset: byteCountBefore + start, reason: "'\(ShownText.sanitized(word))' is no value of JSON")
  }
}
