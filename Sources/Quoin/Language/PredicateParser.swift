extension Predicate {
  /// The predicate that `text` spells in the query language: `high > 80 and high < 83 and not (volume between 0 and 1000)`.
  ///
  /// ```
  /// predicate   = conjunction { ("or" | "||") conjunction }
  /// conjunction = negation { ("and" | "&&") negation }
  /// negation    = { "not" | "!" } ( "(" predicate ")" | "true" | "false" | comparison )
  /// comparison  = operand compare operand { compare operand }            80 < high <= 83
  ///             | attribute [ "not" ] "between" value "and" value        both ends inside
  ///             | attribute [ "not" ] "in" ("(" | "[") value "," value (")" | "]")    [ ] inside, ( ) outside
  ///             | attribute "is" [ "not" ] "missing"
  /// operand     = attribute | value
  /// compare     = "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "<>"
  /// attribute   = "date" | a name of Attribute(named:)
  /// value       = 80 | -1 | .5 | 1e6 | 3_000_000 | inf | nan | 2005-01-03 | '2005-01-03'
  /// ```
  ///
  /// Keywords and names may be in any case. A missing cell never matches a comparison, negated or not (like SQL's NULL):
  /// neither `high = 80` nor `high != 80` finds it. A number compared with a float64 attribute stands for the nearest
  /// float64. A number compared with a volume is exact, so `volume > 2.5` is `volume >= 3`. No value compares with `nan`.
  ///
  /// - Throws: `PredicateSyntaxError`, also for a text of more than 64 KiB or with more than 100 parentheses inside each
  ///   other. Complexity: O(bytes).
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text)
    self = try parser.wholePredicate()
  }
}

/// Reads a predicate from its tokens by recursive descent; `Predicate.init(parsing:)` has the grammar.
struct PredicateParser {
  let text: String
  private let tokens: [PredicateToken]
  private var index = 0
  private var depth = 0

  init(_ text: String) throws(PredicateSyntaxError) {
    self.text = text
    tokens = try PredicateLexer.tokens(of: text)
  }

  /// The next token; `.end` after the last.
  var token: PredicateToken { tokens[index] }

  /// The token after `token`.
  var following: PredicateToken { tokens[min(index + 1, tokens.count - 1)] }

  /// Takes the next token and returns it.
  @discardableResult
  mutating func advance() -> PredicateToken {
    defer { index = min(index + 1, tokens.count - 1) }
    return tokens[index]
  }

  mutating func wholePredicate() throws(PredicateSyntaxError) -> Predicate {
    if token.kind == .end { throw error("the predicate is empty; write a comparison such as high > 80", at: token) }
    let predicate = try disjunction()
    guard token.kind == .end else { throw unexpectedContinuation() }
    return predicate
  }

  private mutating func disjunction() throws(PredicateSyntaxError) -> Predicate {
    var parts = [try conjunction()]
    while token.kind == .or {
      advance()
      parts.append(try conjunction())
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func conjunction() throws(PredicateSyntaxError) -> Predicate {
    var parts = [try negation()]
    while token.kind == .and {
      advance()
      parts.append(try negation())
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Two negations cancel out, for missing cells too, so a series of them needs no depth.
  private mutating func negation() throws(PredicateSyntaxError) -> Predicate {
    var isNegated = false
    while token.kind == .not {
      isNegated.toggle()
      advance()
    }
    let predicate = try primary()
    return isNegated ? predicate.negated : predicate
  }

  private mutating func primary() throws(PredicateSyntaxError) -> Predicate {
    if token.kind == .openParenthesis { return try parenthesized() }
    if token.isWord("true") || token.isWord("false") { return advance().isWord("true") ? .all([]) : .any([]) }
    return try comparison()
  }

  private mutating func parenthesized() throws(PredicateSyntaxError) -> Predicate {
    let open = advance()
    guard depth < Limits.predicateDepth else {
      throw error("more than \(Limits.predicateDepth) parentheses inside each other", at: open)
    }
    depth += 1
    let predicate = try disjunction()
    depth -= 1
    if token.kind == .end { throw error("this parenthesis is not closed", at: open) }
    guard token.kind == .closeParenthesis else { throw unexpectedContinuation() }
    advance()
    return predicate
  }
}

extension Predicate {
  /// The negation, without a second `not` before a `not`.
  var negated: Predicate {
    if case .not(let part) = form { return part }
    return .not(self)
  }
}
