/// Why a text is no predicate, or no list of aggregates, and where it stops being one.
public struct PredicateSyntaxError: Error, Hashable, Sendable {
  /// What is wrong and, where it can be told, what to write instead.
  public let message: String
  /// Where in `text`, in UTF-8 bytes from its start.
  public let offset: Int
  /// The whole text.
  public let text: String

  /// An error at `offset`, in UTF-8 bytes from the start of `text`.
  public init(message: String, offset: Int, text: String) {
    self.message = message
    self.offset = offset
    self.text = text
  }
}

extension PredicateSyntaxError: CustomStringConvertible {
  private static let shownCharacterCount = 50

  /// The message, below it the line of the text in question, and below that a caret under the place.
  ///
  /// Of a long line only the 50 characters on either side are shown; control characters are shown as spaces, so that
  /// no text can command the terminal it is shown on.
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

  /// The text as it may be shown on a terminal.
  private static func shown(_ bytes: some Sequence<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: Array(bytes), as: UTF8.self).unicodeScalars {
      text.append(scalar.properties.generalCategory == .control ? " " : scalar)
    }
    return String(text)
  }

  /// A part of the text for a message: as it may be shown, and not too long.
  static func quoted(_ bytes: some Collection<UInt8>) -> String {
    let start = shown(bytes.prefix(shownCharacterCount))
    return bytes.count > shownCharacterCount ? "'\(start)...'" : "'\(start)'"
  }
}
