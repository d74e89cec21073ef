import Quoin

extension Spelling {
  /// A program in Python that prints the rows.
  ///
  /// - Parameter store: its path.
  func python(store: String) -> SpelledQuestion {
    var arguments: [(name: String, value: String)] = []
    func add(_ name: String, _ text: String?) {
      if let text, !text.isEmpty { arguments.append((name, text.pythonLiteral)) }
    }
    let tickers = question.tickers.map { "\($0)".pythonLiteral }
    if !tickers.isEmpty { arguments.append(("tickers", "[\(tickers.joined(separator: ", "))]")) }
    add("where", condition)
    add("start", question.first.map { "\($0)" })
    add("end", question.last.map { "\($0)" })
    let function: String
    switch subject {
    case .rows:
      function = "scan"
      add("columns", question.columns)
    case .groups:
      function = "aggregate"
      add("aggregates", question.aggregates)
      add("by", question.by)
      add("having", question.having)
    }
    add("order", question.order)
    if let limit = question.limit { arguments.append(("limit", "\(limit)")) }
    let lines = arguments.map { "    \($0)=\($1),\n" }.joined()
    return .text(
      """
      import quoin

      store = quoin.open(\(store.pythonLiteral), read_only=True)
      rows = store.\(function)(\(lines.isEmpty ? "" : "\n" + lines))
      print(rows)
      """)
  }
}
