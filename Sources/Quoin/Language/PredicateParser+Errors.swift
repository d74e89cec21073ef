extension PredicateParser {
  /// The words that are no attribute.
  static let keywords: Set<String> = ["between", "in", "is", "missing", "true", "false"]
  static let tests = ["between", "in", "is", "not"]

  func error(_ message: String, at token: PredicateToken) -> PredicateSyntaxError {
    PredicateSyntaxError(message: message, offset: token.range.lowerBound, text: text)
  }

  /// The token as it is written in the text, in quotes.
  func quoted(_ token: PredicateToken) -> String {
    PredicateSyntaxError.quoted(text.utf8.dropFirst(token.range.lowerBound).prefix(token.range.count))
  }

  /// The error that the next token is not `purpose`; a misspelling of one of `words` is pointed out.
  func expected(_ purpose: String, among words: [String] = []) -> PredicateSyntaxError {
    guard token.kind != .end else { return error("expected \(purpose), found the end", at: token) }
    var message = "expected \(purpose), found \(quoted(token))"
    if case .word(let found) = token.kind, let word = Suggestion.nearestName(to: found, among: words) {
      message += "; did you mean '\(word)'?"
    }
    return error(message, at: token)
  }

  /// The error that the text goes on where a predicate may end.
  func unexpectedContinuation() -> PredicateSyntaxError {
    if token.kind == .closeParenthesis { return error("this parenthesis was not opened", at: token) }
    return expected("'and', 'or' or the end", among: ["and", "or"])
  }

  func unknownAttribute(_ name: String) -> PredicateSyntaxError {
    let names = ["date"] + AttributeName.allCases.map(\.wikiName)
    guard let nearest = Suggestion.nearestName(to: name, among: names) else {
      return error("unknown attribute \(quoted(token)); there are \(names.joined(separator: ", "))", at: token)
    }
    return error("unknown attribute \(quoted(token)); did you mean '\(nearest)'?", at: token)
  }

  /// Throws when the number that was just read goes on behind a comma: `1,000`.
  func refuseThousandsSeparator() throws(PredicateSyntaxError) {
    guard token.kind == .comma, case .number = following.kind, following.range.lowerBound == token.range.upperBound
    else { return }
    throw error("a comma does not separate thousands; write 3_000_000 or 3000000", at: token)
  }
}
