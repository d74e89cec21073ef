/// Takes JSON tokens off a line.
///
/// All offsets stay within the line. The pointer to a value is for `PlainDecimal`, which may also read the line feed.
@safe struct LineScanner {
  // Sound: each offset is compared with the line's count before it is used.

  private let line: UnsafeRawBufferPointer
  private var offset = 0

  init(_ line: UnsafeRawBufferPointer) { unsafe self.line = unsafe line }

  private mutating func skipSpace() {
    while unsafe offset < line.count, unsafe line[offset] <= UInt8(ascii: " ") { offset += 1 }
  }

  var isAtEnd: Bool {
    mutating get {
      skipSpace()
      return unsafe offset == line.count
    }
  }

  mutating func take(_ mark: Unicode.Scalar) -> Bool {
    skipSpace()
    guard unsafe offset < line.count, unsafe line[offset] == UInt8(ascii: mark) else { return false }
    offset += 1
    return true
  }

  var isAtText: Bool {
    mutating get {
      skipSpace()
      return unsafe offset < line.count && line[offset] == UInt8(ascii: "\"")
    }
  }

  /// The text between two quotation marks, with its escapes as they are.
  mutating func takeText() -> UnsafeRawBufferPointer? {
    guard take("\"") else { return nil }
    let start = offset
    while unsafe offset < line.count, unsafe line[offset] != UInt8(ascii: "\"") {
      unsafe offset += line[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard unsafe offset < line.count else { return nil }
    offset += 1
    return unsafe UnsafeRawBufferPointer(rebasing: line[start..<offset - 1])
  }

  /// A number or a word such as `null`; nil for an object, an array and the line's end.
  mutating func takeWord() -> UnsafeRawBufferPointer? {
    skipSpace()
    let start = offset
    while unsafe offset < line.count, unsafe !Self.endsWord(line[offset]) { offset += 1 }
    guard offset > start, unsafe line[start] != UInt8(ascii: "{"), unsafe line[start] != UInt8(ascii: "[") else {
      return nil
    }
    return unsafe UnsafeRawBufferPointer(rebasing: line[start..<offset])
  }

  private static func endsWord(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}")
  }

  /// Where the next value starts, or nil at the line's end.
  var valueStart: UnsafePointer<UInt8>? {
    mutating get {
      skipSpace()
      guard unsafe offset < line.count else { return nil }
      return unsafe line.baseAddress.map { unsafe $0.assumingMemoryBound(to: UInt8.self) + offset }
    }
  }

  /// Passes over a value of this length. If the value doesn't end there, returns false and stays.
  mutating func skipValue(_ byteCount: Int) -> Bool {
    guard unsafe offset + byteCount < line.count, unsafe Self.endsWord(line[offset + byteCount]) else { return false }
    offset += byteCount
    return true
  }
}
