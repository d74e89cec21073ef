/// A column that a list such as `date, close, mean(close, 20) as ma` asks for.
package struct ListedColumn: Sendable {
  /// The name after `as`, or else what was written.
  package let name: String
  /// What is computed; nil for a name by itself, whose meaning only those know who have columns of names.
  package let expression: QuoteExpression?
  /// What was written, without the name after `as`.
  package let text: String

  /// The columns that `text` lists, with commas between them. Expressions may use the definitions, and have the name that
  /// follows `as`, else their text.
  ///
  /// - Throws: `PredicateSyntaxError` for what is no expression.
  package static func list(
    parsing text: String, _ definitions: Definitions = Definitions()
  ) throws(PredicateSyntaxError) -> [ListedColumn] {
    var parser = try PredicateParser(text, definitions)
    return try parser.list { parser throws(PredicateSyntaxError) in try parser.listedColumn() }
  }
}

extension PredicateParser {
  /// What stands between commas, up to the end of the text or of a call.
  mutating func list<Item>(
    _ continuation: String = "a comma or the end", among words: [String] = ["as"], upTo end: PredicateToken.Kind = .end,
    _ item: (inout PredicateParser) throws(PredicateSyntaxError) -> Item
  ) throws(PredicateSyntaxError) -> [Item] {
    var items = [try item(&self)]
    while token.kind != end, token.kind != .end {
      guard token.kind == .comma else { throw expected(continuation, among: words) }
      advance()
      items.append(try item(&self))
    }
    return items
  }

  /// An expression of a list, and the name after `as`, as it was written.
  mutating func namedExpression() throws(PredicateSyntaxError) -> (
    expression: QuoteExpression, text: String, name: String?
  ) {
    let start = token
    let phrase = try phrase()
    let expression: QuoteExpression
    if case .predicate(let predicate) = phrase {
      // Whether it holds, as a number.
      expression = .if(predicate, 1, 0)
    } else {
      expression = try self.expression(phrase, from: start)
    }
    let text = text(from: start, upTo: token)
    return (expression, text, try nameAfterAs())
  }

  /// The name that follows `as`, as it was written, if that comes next.
  mutating func nameAfterAs() throws(PredicateSyntaxError) -> String? {
    guard token.isWord("as") else { return nil }
    advance()
    return try columnName()
  }

  /// The name after `as`: a word, or a text in quotes.
  private mutating func columnName() throws(PredicateSyntaxError) -> String {
    let name = token
    switch name.kind {
    case .word:
      advance()
      if case .arithmetic = token.kind {
        throw error("a name with signs in it stands in quotes, as in close as \"my-close\"", at: name)
      }
      return text(from: name, upTo: token)
    case .text(let text) where !text.isEmpty && text.replacing(controlsWith: " ") == text:
      advance()
      return text
    case .number(.infinity), .number(.notANumber):
      throw error("\(quoted(name)) is a number; put the name in quotes: \"\(spelling(name))\"", at: name)
    default: throw expected("a name after 'as'")
    }
  }

  fileprivate mutating func listedColumn() throws(PredicateSyntaxError) -> ListedColumn {
    if token.kind == .arithmetic(.multiply), following.kind == .comma || following.kind == .end {
      advance()
      return ListedColumn(name: "*", expression: nil, text: "*")
    }
    if let name = nameByItself() { return ListedColumn(name: name, expression: nil, text: name) }
    let (expression, text, name) = try namedExpression()
    // Later columns may use it, as those of groups may.
    if let name { definitions.add(name, as: expression) }
    return ListedColumn(name: name ?? text, expression: expression, text: text)
  }

  /// A name that isn't defined, up to a comma or the end.
  private mutating func nameByItself() -> String? {
    guard case .word(let word) = token.kind, definitions.phrases[word] == nil else { return nil }
    guard following.kind == .comma || following.kind == .end else { return nil }
    return text(from: advance(), upTo: token)
  }
}
