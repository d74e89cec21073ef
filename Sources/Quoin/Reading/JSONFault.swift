/// The first place at which a text isn't JSON, and why.
struct JSONFault: Error, Equatable {
  /// The number of bytes before the place.
  let offset: Int
  let reason: String
  /// For a text that breaks off: the number of the row that it breaks off in, if it is in one.
  var row: Int?
  var isEnd = false

  /// The fault in words, with its place in `text`.
  func description(in text: TextView) -> String {
    guard isEnd else { return "\(place(in: text)): \(reason)" }
    let whole = row.map { "it ends in row \($0), after byte \(offset)" } ?? "it ends after byte \(offset)"
    return "\(whole), where \(reason); is it truncated?"
  }

  private func place(in text: TextView) -> String {
    var (line, start) = (1, 0)
    while true {
      let end = text.lineEnd(from: start)
      if end >= offset { return "line \(line), column \(offset - start + 1), byte \(offset)" }
      (line, start) = (line + 1, end + 1)
    }
  }
}
