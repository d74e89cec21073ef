import Quoin

extension DatabaseError {
  private static let widthMax = 100

  /// - Parameters:
  ///   - sentence: what SQLite says.
  ///   - text: the statement.
  ///   - offset: the byte of the text that the sentence is about; negative for none.
  init(_ sentence: String, in text: String, at offset: Int, _ database: Database) {
    // What comes from the store begins like this, and everything that the command complains of does.
    let prefix = "quoin: "
    let said = sentence.hasPrefix(prefix) ? String(sentence.dropFirst(prefix.count)) : sentence
    description = said + Self.advice(said, database) + Self.place(of: offset, in: text)
  }

  /// `; did you mean 'close'?`
  private static func advice(_ sentence: String, _ database: Database) -> String {
    func named(after beginning: String) -> String? {
      guard sentence.hasPrefix(beginning) else { return nil }
      return sentence.dropFirst(beginning.count).split(separator: ".").last.map(String.init)
    }
    let question: String? =
      if let name = named(after: "no such column: ") {
        Suggestion.question(for: name, among: database.columns() + database.tables)
      } else if let name = named(after: "no such table: ") {
        Suggestion.question(for: name, among: database.tables)
          ?? "there are \(database.tables.joined(separator: ", "))"
      } else if let name = named(after: "no such function: ") {
        Suggestion.question(for: name, among: database.functions)
      } else { nil }
    return question.map { "; \($0)" } ?? ""
  }

  /// The line of the statement, and a caret below the place.
  private static func place(of offset: Int, in text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.indices.contains(offset) else { return "" }
    let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
    let start = bytes[..<offset].lastIndex(where: isBreak).map { $0 + 1 } ?? 0
    let end = bytes[offset...].firstIndex(where: isBreak) ?? bytes.count
    var before = String(decoding: bytes[start..<offset], as: UTF8.self).replacing(controlsWith: " ")
    before = String(before.drop(while: \.isWhitespace))
    if before.count > widthMax / 2 { before = "..." + before.suffix(widthMax / 2) }
    let after = String(decoding: bytes[offset..<end], as: UTF8.self).replacing(controlsWith: " ")
    let cut = after.count > widthMax / 2 ? after.prefix(widthMax / 2) + "..." : after[...]
    return "\n  \(before)\(cut)\n  \(String(repeating: " ", count: before.count))^"
  }
}
