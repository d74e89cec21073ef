/// Checks in one pass that a text is JSON, so that what reads it afterwards needn't doubt it.
///
/// It also takes the words that Python and others write for float64 values that JSON lacks: `NaN`, `Infinity`, `nan`, `inf`.
///
/// A text may come in pieces. Then it is checked step by step, and a step that the end of a piece cuts off is taken back: the next
/// piece begins with it.
struct JSONChecker {
  /// An array or object that isn't closed yet.
  struct Level {
    let isObject: Bool
    /// How many elements or members have begun.
    var count = 0
    var close: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }
  }

  /// A guard: what reads documents walks down their levels.
  static let levelCountMax = 100

  let text: TextView
  var offset: Int
  private(set) var levels: [Level] = []
  /// The bytes of the text before this piece of it, and whether there are others behind it.
  let byteCountBefore: Int
  private let goesOn: Bool

  /// - Parameter offset: where the first value begins, or spaces before it.
  init(_ text: TextView, from offset: Int = 0) {
    (self.text, self.offset, byteCountBefore, goesOn) = (text, offset, 0, false)
  }

  /// Goes on where a piece before has ended.
  init(_ piece: TextView, from offset: Int, in levels: [Level], after byteCount: Int, goesOn: Bool) {
    (text, self.offset, self.levels) = (piece, offset, levels)
    (byteCountBefore, self.goesOn) = (byteCount, goesOn)
  }

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

  /// Takes the beginning or the end of an array or object, or a value that is neither.
  ///
  /// - Returns: false if the text ends, or a piece of it does.
  @inline(__always)
  mutating func step() throws(JSONFault) -> Bool {
    let (start, level) = (offset, levels.last)
    do throws(JSONFault) {
      if let level {
        try goOn(level)
      } else {
        guard skipSpaces() else { return false }
        try beginValue()
      }
      // A number or word may go on in the next piece.
      if !goesOn || offset < text.count || !JSONNode.isInWord(text[offset - 1]) { return true }
    } catch { guard goesOn, offset == text.count else { throw error } }
    offset = start
    if let level { levels[levels.count - 1] = level }
    return false
  }

  /// Checks one value, and stays behind it.
  mutating func checkValue() throws(JSONFault) {
    try beginValue()
    while let level = levels.last { try goOn(level) }
  }

  /// Whether there is something after the spaces.
  @inline(__always)
  mutating func skipSpaces() -> Bool {
    if offset < text.count, text[offset] > UInt8(ascii: " ") { return true }
    return skipSomeSpaces()
  }

  private mutating func skipSomeSpaces() -> Bool {
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

  func fault(_ reason: String) -> JSONFault { JSONFault(offset: byteCountBefore + offset, reason: reason) }

  func ending(_ reason: String) -> JSONFault {
    JSONFault(offset: byteCountBefore + offset, reason: reason, row: row, isEnd: true)
  }

  /// The number of the row that isn't complete: an element of an array of arrays, or of an array of objects.
  private var row: Int? {
    guard let index = levels.lastIndex(where: { !$0.isObject }) else { return nil }
    if index > 0, !levels[index - 1].isObject { return levels[index - 1].count }
    return max(levels[index].count, 1)
  }
}
