/// Takes JSON tokens off a line.
struct LineScanner {
  private let line: TextView
  private var offset = 0

  init(_ line: TextView) { self.line = line }

  @inline(__always)
  private mutating func skipSpace() {
    if offset < line.count, line[offset] <= UInt8(ascii: " ") { skipSpaces() }
  }

  private mutating func skipSpaces() {
    while offset < line.count, line[offset] <= UInt8(ascii: " ") { offset += 1 }
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return offset == line.count
    }
  }

  @inline(__always)
  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard offset < line.count, line[offset] == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  var isAtText: Bool {
    mutating get {
      skipSpace()
      return offset < line.count && line[offset] == UInt8(ascii: "\"")
    }
  }

  /// The text between two quotation marks, with its escapes as they are.
  mutating func takeText() -> TextView? {
    guard take("\"") else { return nil }
    let start = offset
    while offset < line.count, line[offset] != UInt8(ascii: "\"") {
      offset += line[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard offset < line.count else { return nil }
    offset += 1
    return line.part(start..<offset - 1)
  }

  /// This text between two quotation marks; nil if something else comes next.
  @inline(__always)
  mutating func takeText(equalTo text: [UInt8]) -> TextView? {
    skipSpace()
    let (start, end) = (offset + 1, offset + 1 + text.count)
    guard end < line.count, line[offset] == UInt8(ascii: "\""), line[end] == UInt8(ascii: "\"") else { return nil }
    let found = line.part(start..<end)
    guard found.isEqual(to: text) else { return nil }
    offset = end + 1
    return found
  }

  /// A number or a word such as `null`; nil for an object, an array and the line's end.
  mutating func takeWord() -> TextView? {
    skipSpace()
    let start = offset
    guard offset < line.count, line[start] != UInt8(ascii: "{"), line[start] != UInt8(ascii: "[") else { return nil }
    while offset < line.count, !Self.endsWord(line[offset]) { offset += 1 }
    return offset > start ? line.part(start..<offset) : nil
  }

  /// An array or an object, whatever is in it; nil if there is none.
  mutating func takeContainer() -> TextView? {
    skipSpace()
    guard offset < line.count, JSONNode.isContainer(line.part(from: offset)) else { return nil }
    var checker = JSONChecker(line, from: offset)
    do throws(JSONFault) { try checker.checkValue() } catch { return nil }
    defer { offset = checker.offset }
    return line.part(offset..<checker.offset)
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
  }

  /// The line from the next value on, or nil at the line's end.
  var rest: TextView? {
    mutating get {
      skipSpace()
      return offset < line.count ? line.part(from: offset) : nil
    }
  }

  /// Passes over a value of this length. If the value doesn't end there, returns false and stays.
  mutating func skipValue(_ byteCount: Int) -> Bool {
    guard offset + byteCount < line.count, Self.endsWord(line[offset + byteCount]) else { return false }
    offset += byteCount
    return true
  }
}
