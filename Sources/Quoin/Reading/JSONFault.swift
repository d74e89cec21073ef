/// The first place at which a text isn't JSON, and why.
struct JSONFault: Error, Equatable {
  /// How much of a text lies before a piece of it.
  struct Before {
    private(set) var byteCount = 0
    private(set) var lineCount = 0
    /// The bytes of the line in which the piece begins.
    private(set) var columnCount = 0

    /// Goes past a piece of the text.
    mutating func pass(_ text: TextView) {
      var start = 0
      while start < text.count {
        let end = text.lineEnd(from: start)
        columnCount += end - start
        if end < text.count { (lineCount, columnCount) = (lineCount + 1, 0) }
        start = end + 1
      }
      byteCount += text.count
    }
  }

  /// The number of bytes before the place.
  let offset: Int
  let reason: String
  /// For a text that breaks off: the number of the row that it breaks off in, if it is in one.
  var row: Int?
  var isEnd = false

  /// The fault in words, with its place.
  ///
  /// - Parameters:
  ///   - text: the text, or a piece of it that has the place.
  ///   - before: what lies before the piece.
  func description(in text: TextView, after before: Before = Before()) -> String {
    guard isEnd else {
      var place = before
      place.pass(text.part(0..<(offset - before.byteCount)))
      return "line \(place.lineCount + 1), column \(place.columnCount + 1), byte \(offset): \(reason)"
    }
    let whole = row.map { "it ends in row \($0), after byte \(offset)" } ?? "it ends after byte \(offset)"
    return "\(whole), where \(reason); is it truncated?"
  }
}
