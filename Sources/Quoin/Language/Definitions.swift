/// Names that a user has given to expressions and predicates, for texts that use them.
package struct Definitions: Sendable {
  private(set) var phrases: [String: PredicateParser.Phrase] = [:]

  package init() {}

  /// Adds `r = close / prev(close) - 1`, which may use what was defined before.
  ///
  /// - Throws: `PredicateSyntaxError`, also for a name that means something already.
  package mutating func add(_ text: String) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text, self)
    let (name, phrase) = try parser.definition()
    phrases[name] = phrase
  }
}

extension PredicateParser {
  fileprivate mutating func definition() throws(PredicateSyntaxError) -> (String, Phrase) {
    let start = token
    guard case .word(let name) = token.kind, following.kind == .comparison(.equal) else {
      throw error("a definition is a name and what it means, such as r = close / prev(close) - 1", at: token)
    }
    if Attribute(named: name) != nil || name == "date" || name == "ticker" || Self.keywords.contains(name) {
      throw error("\(quoted(start)) means something already; take another name", at: start)
    }
    if definitions.phrases[name] != nil { throw error("\(quoted(start)) is defined twice", at: start) }
    advance()
    advance()
    let phrase = try phrase()
    guard token.kind == .end else { throw unexpectedContinuation() }
    return (name, phrase)
  }
}
