/// The part of an answer that a `range` header asks for.
enum ByteRange: Hashable, Sendable {
  /// The bytes from an offset on, up to another one inclusive if there is one.
  case from(Int, through: Int?)
  /// So many bytes at the end.
  case last(Int)

  /// - Parameter header: such as `bytes=1000-` or `bytes=-500`. Anything else, several ranges too, asks for nothing in
  ///   particular: the answer then comes whole, as HTTP allows.
  init?(_ header: String) {
    let parts = header.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let ends = parts[1].split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]) else { return nil }
    switch (first, last) {
    case (nil, nil): return nil
    case (nil, let count?): self = .last(count)
    case (let first?, let last):
      guard last ?? .max >= first else { return nil }
      self = .from(first, through: last)
    }
  }

  /// The number that a text is, nil inside for an empty one; nil if it is no number.
  private static func number(_ text: Substring) -> Int?? {
    guard !text.isEmpty else { return .some(nil) }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    // Beyond the end of every answer.
    return .some(Int(text) ?? .max)
  }

  /// The bytes of an answer of `byteCount` bytes; nil if it has none of these.
  func bytes(of byteCount: Int) -> Range<Int>? {
    switch self {
    case .from(let first, let last):
      first < byteCount ? first..<(last.map { min($0, byteCount - 1) + 1 } ?? byteCount) : nil
    case .last(let count):
      count > 0 && byteCount > 0 ? max(0, byteCount - count)..<byteCount : nil
    }
  }
}
