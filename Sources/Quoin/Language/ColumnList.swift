/// A column that a list such as `date, close, mean(close, 20) as ma` asks for.
package enum ListedColumn {
  /// A name by itself, as it was written. Whoever has columns of names knows what it means.
  case named(String)
  /// What is computed, and the column's name.
  case computed(String, QuoteExpression)

  /// The columns that `text` lists, with commas between them. Expressions may use the definitions, and have the name that
  /// follows `as`, else their text.
  ///
  /// - Throws: `PredicateSyntaxError` for what is no expression.
  package static func list(
    parsing text: String, _ definitions: Definitions = Definitions()
  ) throws(PredicateSyntaxError) -> [ListedColumn] {
    var columns: [ListedColumn] = []
    for part in text.partsBetweenCommas {
      columns.append(try column(String(part.drop { $0 == " " }), definitions))
    }
    return columns
  }

  private static func column(_ text: String, _ definitions: Definitions) throws(PredicateSyntaxError) -> ListedColumn {
    let name = text.lowercased()
    let isName = text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") || " _-.".utf8.contains($0) }
    if Attribute(named: text) != nil
      || isName && definitions.phrases[name] == nil && !text.contains("-") && !text.contains(" ")
    {
      return .named(text)
    }
    var parser = try PredicateParser(text, definitions)
    let (expression, given) = try parser.namedExpression()
    return .computed(given ?? text, expression)
  }
}

extension PredicateParser {
  /// An expression and the name after `as`, as it was written.
  fileprivate mutating func namedExpression() throws(PredicateSyntaxError) -> (QuoteExpression, String?) {
    let start = token
    let phrase = try phrase()
    let expression = try expression(phrase, from: start)
    guard token.isWord("as") else {
      guard token.kind == .end else { throw expected("a comma, 'as' and a name, or the end", among: ["as"]) }
      return (expression, nil)
    }
    advance()
    guard case .word = token.kind else { throw expected("a name after 'as'") }
    let name = spelling(advance())
    guard token.kind == .end else { throw expected("a comma or the end") }
    return (expression, name)
  }
}

extension String {
  /// What stands between commas outside parentheses.
  package var partsBetweenCommas: [Substring] {
    var parts: [Substring] = []
    var (depth, start) = (0, startIndex)
    for index in indices {
      switch self[index] {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      case "," where depth <= 0:
        parts.append(self[start..<index])
        start = self.index(after: index)
      default: break
      }
    }
    return parts + [self[start...]]
  }
}
