extension PredicateParser {
  /// The words that aren't attributes.
  static let keywords: Set<String> = ["between", "in", "is", "missing", "true", "false"]
  static let tests = ["between", "in", "is", "not"]

  func error(_ message: String, at token: PredicateToken) -> PredicateSyntaxError {
    PredicateSyntaxError(message: message, offset: token.range.lowerBound, text: text)
  }

  /// The token as it is written in the text, in quotes.
  func quoted(_ token: PredicateToken) -> String {
    PredicateSyntaxError.quoted(text.utf8.dropFirst(token.range.lowerBound).prefix(token.range.count))
  }

  /// The error that the next token is not `purpose`. It points out a misspelling of one of `words`.
  func expected(_ purpose: String, among words: [String] = []) -> PredicateSyntaxError {
    guard token.kind != .end else { return error("expected \(purpose), found the end", at: token) }
    var message = "expected \(purpose), found \(quoted(token))"
    if case .word(let found) = token.kind, let question = Suggestion.question(for: found, among: words) {
      message += "; \(question)"
    }
    return error(message, at: token)
  }

  /// The error that more text follows a complete predicate.
  func unexpectedContinuation() -> PredicateSyntaxError {
    if token.kind == .closeParenthesis { return error("this parenthesis was not opened", at: token) }
    return expected("'and', 'or' or the end", among: ["and", "or"])
  }

  /// The error that the next token, `name`, is no attribute.
  func unknownAttribute(_ name: String, among names: [String]) -> PredicateSyntaxError {
    error("unknown attribute \(quoted(token)); \(Suggestion.hint(for: name, among: names))", at: token)
  }

  /// Throws when the number that was just read continues after a comma: `1,000`.
  func refuseThousandsSeparator() throws(PredicateSyntaxError) {
    guard token.kind == .comma, case .number = following.kind, following.range.lowerBound == token.range.upperBound
    else { return }
    throw error("a comma does not separate thousands; write 3_000_000 or 3000000", at: token)
  }
}
