/// Why a text isn't a predicate or a list of aggregates, and where the error is.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  /// What is wrong and, if known, what to write instead.
  public let message: String
  /// The place in `text`, in UTF-8 bytes from its start.
  public let offset: Int
  /// The whole text.
  public let text: String
  /// The word of another language for which there is a field of its own: `order`. Each way of asking spells that its own way.
  package var clause: String?

  /// An error at `offset`, in UTF-8 bytes from the start of `text`.
  public init(message: String, offset: Int, text: String) {
    self.message = message
    self.offset = offset
    self.text = text
  }
}

extension PredicateSyntaxError: CustomStringConvertible {
  private static let shownCharacterCount = 50

  /// Three lines: the message, the line of the text with the error, and a caret below the place.
  ///
  /// A long line is cut to 50 characters on either side. Control characters are shown as spaces, so that no text can send
  /// commands to a terminal.
  public var description: String {
    let bytes = Array(text.utf8)
    let place = min(max(offset, 0), bytes.count)
    let isLineEnd = { (byte: UInt8) in byte == 10 || byte == 13 }
    let start = bytes[..<place].lastIndex(where: isLineEnd).map { $0 + 1 } ?? 0
    let end = bytes[place...].firstIndex(where: isLineEnd) ?? bytes.count
    let before = Self.shown(bytes[start..<place])
    let after = Self.shown(bytes[place..<end])
    let head = before.count > Self.shownCharacterCount ? "..." + before.suffix(Self.shownCharacterCount) : before
    let tail = after.count > Self.shownCharacterCount ? after.prefix(Self.shownCharacterCount) + "..." : after
    return "\(message)\n  \(head)\(tail)\n  \(String(repeating: " ", count: head.count))^"
  }

  /// The text without control characters.
  private static func shown(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).replacing(controlsWith: " ")
  }

  /// A part of the text for a message: without control characters, and not too long.
  static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let start = shown(bytes.prefix(shownCharacterCount))
    return bytes.count > shownCharacterCount ? "'\(start)...'" : "'\(start)'"
  }
}
