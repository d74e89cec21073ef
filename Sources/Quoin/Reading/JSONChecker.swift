/// Checks in one pass that a text is JSON, so that what reads it afterwards needn't doubt it.
///
/// It also takes the words that Python and others write for float64 values that JSON lacks: `NaN`, `Infinity`, `nan`, `inf`.
struct JSONChecker {
  /// An array or object that isn't closed yet.
  private struct Level {
    let isObject: Bool
    /// How many elements or members have begun.
    var count = 0
    var close: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  /// A guard: what reads documents walks down their levels.
  static let levelCountMax = 100
  private static let words = ["true", "false", "null", "NaN", "nan", "Infinity", "inf"].map { Array($0.utf8) }

  private let text: TextView
  private(set) var offset: Int
  private var levels: [Level] = []

  /// - Parameter offset: where the first value begins, or spaces before it.
  init(_ text: TextView, from offset: Int = 0) { (self.text, self.offset) = (text, offset) }

  /// Checks a text of one or several values, after a byte-order mark if there is one.
  ///
  /// - Returns: the number of values, each of which begins after those before it.
  mutating func checkAll() throws(JSONFault) -> Int {
    offset = text.count - CSVHeader.withoutMark(text).count
    var count = 0
    while skipSpaces() {
      try checkValue()
      count += 1
    }
    return count
  }

  /// Checks one value, and stays behind it.
  mutating func checkValue() throws(JSONFault) {
    try beginValue()
    while let level = levels.last { try goOn(level) }
  }

  /// Whether there is something after the spaces.
  private mutating func skipSpaces() -> Bool {
    while offset < text.count, text[offset] <= UInt8(ascii: " ") {
      guard "\n\r\t ".utf8.contains(text[offset]) else { return true }
      offset += 1
    }
    return offset < text.count
  }

  private mutating func beginValue() throws(JSONFault) {
    guard skipSpaces() else { throw ending("a value is missing") }
    switch text[offset] {
    case UInt8(ascii: "{"): try open(isObject: true)
    case UInt8(ascii: "["): try open(isObject: false)
    case UInt8(ascii: "\""): try takeText()
    case UInt8(ascii: "0")...UInt8(ascii: "9"): try takeNumber()
    case UInt8(ascii: "-"):
      if offset + 1 < text.count, JSONNode.isLetter(text[offset + 1]) { try takeWord() } else { try takeNumber() }
    default: try takeWord()
    }
  }

  private mutating func open(isObject: Bool) throws(JSONFault) {
    guard levels.count < Self.levelCountMax else { throw fault("more than \(Self.levelCountMax) levels") }
    levels.append(Level(isObject: isObject))
    offset += 1
  }

  /// Takes the end of the innermost array or object, or its next element up to where that has elements of its own.
  private mutating func goOn(_ level: Level) throws(JSONFault) {
    guard skipSpaces() else { throw ending(Self.missing(level)) }
    if text[offset] == level.close {
      levels.removeLast()
      offset += 1
      return
    }
    if level.count > 0 {
      guard text[offset] == UInt8(ascii: ",") else { throw fault(Self.missing(level)) }
      offset += 1
    }
    levels[levels.count - 1].count += 1
    if level.isObject { try takeKey() }
    try beginValue()
  }

  private static func missing(_ level: Level) -> String {
    "\(level.count > 0 ? "a comma or " : "")\(level.isObject ? "a closing brace" : "a closing bracket") is missing"
  }

  private mutating func takeKey() throws(JSONFault) {
    guard skipSpaces() else { throw ending("a name is missing") }
    guard text[offset] == UInt8(ascii: "\"") else { throw fault("a name in quotation marks is missing") }
    try takeText()
    guard skipSpaces() else { throw ending("a colon is missing") }
    guard text[offset] == UInt8(ascii: ":") else { throw fault("a colon is missing") }
    offset += 1
  }

  private mutating func takeText() throws(JSONFault) {
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
    throw JSONFault(offset: offset, reason: "the text that begins at byte \(start) has no end", row: row, isEnd: true)
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

  private mutating func takeNumber() throws(JSONFault) {
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

  private mutating func takeDigits() -> Bool {
    let start = offset
    while offset < text.count, text[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
    return offset > start
  }

  private mutating func take(_ mark: Unicode.Scalar) -> Bool {
    guard offset < text.count, text[offset] == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  private mutating func takeWord() throws(JSONFault) {
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
    throw JSONFault(offset: start, reason: "'\(ShownText.sanitized(word))' is no value of JSON")
  }

  private func fault(_ reason: String) -> JSONFault { JSONFault(offset: offset, reason: reason) }

  private func ending(_ reason: String) -> JSONFault {
    JSONFault(offset: offset, reason: reason, row: row, isEnd: true)
  }

  /// The number of the row that isn't complete: an element of an array of arrays, or of an array of objects.
  private var row: Int? {
    guard let index = levels.lastIndex(where: { !$0.isObject }) else { return nil }
    if index > 0, !levels[index - 1].isObject { return levels[index - 1].count }
    return max(levels[index].count, 1)
  }
}
