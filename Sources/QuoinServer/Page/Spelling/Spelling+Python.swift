import Quoin

extension Spelling {
  /// A program in Python that prints the rows.
  ///
  /// - Parameter store: its path.
  func python(store: String) -> SpelledQuestion {
    var arguments: [(name: String, value: String)] = []
    if !tickers.isEmpty {
      arguments.append(("tickers", "[\(tickers.map { "\($0)".pythonLiteral }.joined(separator: ", "))]"))
    }
    if let condition { arguments.append(("where", condition.pythonLiteral)) }
    for (name, text) in texts where name != .tickers && name != .where {
      arguments.append((Self.argument(name), Self.literal(text, QuestionField.named(name).kind)))
    }
    let lines = arguments.map { "    \($0)=\($1),\n" }.joined()
    return .text(
      """
      import quoindb

      store = quoindb.open(\(store.pythonLiteral), read_only=True)
      rows = store.\(question.groups == nil ? "scan" : "aggregate")(\(lines.isEmpty ? "" : "\n" + lines))
      print(rows)
      """)
  }

  private static func argument(_ name: QuestionField.Name) -> String {
    switch name {
    case .from: "start"
    case .to: "end"
    default: name.rawValue
    }
  }

  private static func literal(_ text: String, _ kind: QuestionField.Kind) -> String {
    switch kind {
    case .count: text
    case .flag: Bool(flag: text) == true ? "True" : "False"
    case .tickers, .language, .day, .dayMark, .words: text.pythonLiteral
    }
  }
}
