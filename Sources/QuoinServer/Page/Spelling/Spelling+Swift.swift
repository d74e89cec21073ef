import Quoin

extension Spelling {
  /// A program in Swift that prints the rows as CSV.
  ///
  /// - Parameter store: its path.
  func swift(store: String) -> SpelledQuestion {
    let fields = texts.map { name, text in "  .\(name): \(text.swiftLiteral),\n" }.joined()
    return .text(
      """
      import Quoin

      let store = try QuoteStore(at: \(store.swiftLiteral), mustExist: true)
      let question = try QuoteQuestion([\(fields.isEmpty ? ":" : "\n\(fields)")])
      try store.answer(question).write(.csv) { bytes in
        bytes.withUnsafeBytes { print(String(decoding: $0, as: UTF8.self), terminator: "") }
      }
      """)
  }
}
