/// Names that a user has given to expressions and predicates, for texts that use them.
package struct Definitions: Sendable {
  private(set) var phrases: [String: PredicateParser.Phrase] = [:]

  package init() {}

  /// Adds `r = close / prev(close) - 1`, which may use what was defined before; several with `;` between them.
  ///
  /// - Throws: `PredicateSyntaxError`, also for a name that means something already.
  package mutating func add(_ text: String) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text, self)
    repeat {
      let (name, phrase) = try parser.definition()
      parser.definitions.phrases[name] = phrase
      while parser.token.kind == .semicolon { parser.advance() }
    } while parser.token.kind != .end
    self = parser.definitions
  }

  /// Adds a name for an expression, unless it means something already or no text can have such a name in it.
  ///
  /// - Parameter isOverriding: whether it may be the name of another definition, which it then means no more.
  package mutating func add(_ name: String, as expression: QuoteExpression, overriding isOverriding: Bool = false) {
    let name = name.lowercased()
    let kinds = (try? PredicateLexer.tokens(of: name, names: [name]))?.map(\.kind)
    guard kinds == [.word(name), .end], !PredicateParser.isTaken(name), isOverriding || phrases[name] == nil else {
      return
    }
    phrases[name] = .value(.expression(expression))
  }
}

extension PredicateParser {
  /// Whether a name means something by itself.
  fileprivate static func isTaken(_ name: String) -> Bool {
    Attribute(named: name) != nil || name == "date" || name == "ticker" || keywords.contains(name)
  }

  fileprivate mutating func definition() throws(PredicateSyntaxError) -> (String, Phrase) {
    let start = token
    guard case .word(let name) = token.kind, following.kind == .comparison(.equal), spelling(following) == "=" else {
      throw error("a definition is a name and what it means, such as r = close / prev(close) - 1", at: token)
    }
    if Self.isTaken(name) {
      throw error("\(quoted(start)) means something already; take another name", at: start)
    }
    if definitions.phrases[name] != nil { throw error("\(quoted(start)) is defined twice", at: start) }
    advance()
    advance()
    let phrase = try phrase()
    guard token.kind == .end || token.kind == .semicolon else { throw unexpectedContinuation() }
    return (name, phrase)
  }
}
