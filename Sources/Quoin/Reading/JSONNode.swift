/// A value of a JSON text that was checked. It is read where it stands, again each time that it is asked.
struct JSONNode {
  enum Kind: String {
    case object = "an object"
    case array = "an array"
    case text = "a text"
    case number = "a number"
    case truth = "true or false"
    case null
  }

  let text: TextView
  let start: Int
  /// Whether it is all values of the text that follow each other, which count as an array.
  let isSequence: Bool

  init(_ text: TextView, at start: Int) { (self.text, self.start, isSequence) = (text, start, false) }

  /// All values of a text as one array.
  init(sequence text: TextView) {
    self.text = text
    start = text.count - CSVHeader.withoutMark(text).count
    isSequence = true
  }

  var kind: Kind {
    if isSequence { return .array }
    switch text[start] {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .text
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .truth
    case UInt8(ascii: "n"): return text[start + 1] == UInt8(ascii: "u") ? .null : .number
    default: return .number
    }
  }

  var isContainer: Bool { isSequence || text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") }

  /// Whether a value that is written like this is an array or an object.
  static func isContainer(_ text: TextView) -> Bool {
    text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[")
  }

  /// The offset after the value.
  var end: Int {
    switch text[start] {
    case UInt8(ascii: "\""): Self.textEnd(text, start)
    case UInt8(ascii: "{"), UInt8(ascii: "["): containerEnd
    default: wordEnd
    }
  }

  private var wordEnd: Int {
    var end = start
    while end < text.count, Self.isInWord(text[end]) { end += 1 }
    return end
  }

  private var containerEnd: Int {
    var (end, level) = (start, 0)
    repeat {
      switch text[end] {
      case UInt8(ascii: "\""): end = Self.textEnd(text, end)
      case UInt8(ascii: "{"), UInt8(ascii: "["): (end, level) = (end + 1, level + 1)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): (end, level) = (end + 1, level - 1)
      default: end += 1
      }
    } while level > 0
    return end
  }

  @inline(__always)
  private static func textEnd(_ text: TextView, _ start: Int) -> Int {
    var end = start + 1
    while text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
    return end + 1
  }

  /// The elements of an array; none of anything else.
  var elements: JSONElements { JSONElements(self) }

  /// The first element of an array.
  var firstElement: JSONNode? { elements.first { _ in true } }

  /// How many elements an array has, or members an object.
  var count: Int {
    kind == .array ? elements.reduce(0) { count, _ in count + 1 } : members.reduce(0) { count, _ in count + 1 }
  }

  /// The members of an object in their order; none of anything else.
  var members: JSONMembers { JSONMembers(self) }

  /// The value of the first member with this name.
  subscript(name: String) -> JSONNode? {
    let name = Array(name.utf8)
    return members.first { $0.key.hasText(name) }?.value
  }

  /// Whether a byte may be part of a number or of a word such as `null`.
  @inline(__always)
  static func isInWord(_ byte: UInt8) -> Bool {
    byte &- UInt8(ascii: "0") < 10 || isLetter(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
      || byte == UInt8(ascii: "+")
  }

  @inline(__always)
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
}

/// The elements of an array, one after another.
struct JSONElements: Sequence, IteratorProtocol {
  private let text: TextView
  private var offset: Int
  private let end: Int

  init(_ node: JSONNode) {
    (text, end) = (node.text, node.text.count)
    offset = node.isSequence ? node.start : node.kind == .array ? node.start + 1 : text.count
  }

  /// This value alone.
  init(only node: JSONNode) { (text, offset, end) = (node.text, node.start, node.end) }

  mutating func next() -> JSONNode? {
    while offset < end, text[offset] <= UInt8(ascii: " ") || text[offset] == UInt8(ascii: ",") { offset += 1 }
    guard offset < end, text[offset] != UInt8(ascii: "]") else {
      offset = end
      return nil
    }
    let node = JSONNode(text, at: offset)
    offset = node.end
    return node
  }
}

/// The members of an object, one after another.
struct JSONMembers: Sequence, IteratorProtocol {
  private let text: TextView
  private var offset: Int

  init(_ node: JSONNode) {
    text = node.text
    offset = node.kind == .object ? node.start + 1 : text.count
  }

  mutating func next() -> (key: JSONNode, value: JSONNode)? {
    skip(UInt8(ascii: ","))
    guard offset < text.count, text[offset] != UInt8(ascii: "}") else {
      offset = text.count
      return nil
    }
    let key = JSONNode(text, at: offset)
    offset = key.end
    skip(UInt8(ascii: ":"))
    let value = JSONNode(text, at: offset)
    offset = value.end
    return (key, value)
  }

  private mutating func skip(_ mark: UInt8) {
    while offset < text.count, text[offset] <= UInt8(ascii: " ") || text[offset] == mark { offset += 1 }
  }
}
