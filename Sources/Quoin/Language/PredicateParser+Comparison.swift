extension PredicateParser {
  /// One side of a comparison.
  private enum Operand {
    case subject(Subject)
    case value(Value)
  }

  mutating func comparison() throws(PredicateSyntaxError) -> Predicate {
    let start = token
    let first = try operand()
    if case .comparison = token.kind { return try chain(from: first) }
    guard case .subject(let subject) = first else { throw expected("a comparison after the value") }
    return try test(of: subject, named: start)
  }

  private mutating func operand() throws(PredicateSyntaxError) -> Operand {
    guard case .word(let word) = token.kind else { return .value(try value("an attribute or a value")) }
    if word == "date" {
      advance()
      return .subject(.date)
    }
    if Self.keywords.contains(word) { throw expected("an attribute or a value") }
    guard let attribute = Attribute(named: word) else {
      throw unknownAttribute(word, among: ["date"] + Attribute.allCases.map(\.wikiName))
    }
    advance()
    return .subject(.attribute(attribute))
  }

  /// A value; between the brackets of a range a comma may follow it directly.
  private mutating func value(
    _ purpose: String = "a value", beforeComma: Bool = false
  ) throws(PredicateSyntaxError) -> Value {
    let token = token
    switch token.kind {
    case .number(let number):
      advance()
      if !beforeComma { try refuseThousandsSeparator() }
      return .number(number, token)
    case .day(let day):
      advance()
      return .day(day, token)
    default: throw expected(purpose)
    }
  }

  /// `80 < high`, `80 < high <= 83`: every operator compares the operands next to it.
  private mutating func chain(from first: Operand) throws(PredicateSyntaxError) -> Predicate {
    var left = first
    var links: [Link] = []
    while case .comparison(let comparison) = token.kind {
      let sign = advance()
      let right = try operand()
      links.append(try link(left, comparison, right, at: sign))
      left = right
    }
    return try predicate(of: links)
  }

  /// One comparison of a chain, with the subject on the left.
  private struct Link {
    let subject: Subject
    let comparison: Comparison
    let value: Value

    var lower: End? {
      switch comparison {
      case .above: End(value: value, isInclusive: false)
      case .atLeast, .equal, .notEqual: End(value: value, isInclusive: true)
      case .below, .atMost: nil
      }
    }

    var upper: End? {
      switch comparison {
      case .below: End(value: value, isInclusive: false)
      case .atMost, .equal, .notEqual: End(value: value, isInclusive: true)
      case .above, .atLeast: nil
      }
    }
  }

  private func link(
    _ left: Operand, _ comparison: Comparison, _ right: Operand, at sign: PredicateToken
  ) throws(PredicateSyntaxError) -> Link {
    switch (left, right) {
    case (.subject(let subject), .value(let value)):
      return Link(subject: subject, comparison: comparison, value: value)
    case (.value(let value), .subject(let subject)):
      return Link(subject: subject, comparison: comparison.mirrored, value: value)
    case (.subject, .subject): throw error("two attributes cannot be compared; one side must be a value", at: sign)
    case (.value, .value): throw error("two values cannot be compared; one side must be an attribute", at: sign)
    }
  }

  /// Two links that bound one subject from below and from above are one range; others stand side by side.
  private func predicate(of links: [Link]) throws(PredicateSyntaxError) -> Predicate {
    if links.count == 2, links[0].subject == links[1].subject {
      for (a, b) in [(links[0], links[1]), (links[1], links[0])] where a.upper == nil && b.lower == nil {
        return try range(of: a.subject, lower: a.lower, upper: b.upper)
      }
    }
    var parts: [Predicate] = []
    for link in links {
      let range = try range(of: link.subject, lower: link.lower, upper: link.upper)
      parts.append(link.comparison == .notEqual ? .not(range) : range)
    }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// `between`, `in`, `is missing` and their negations.
  private mutating func test(of subject: Subject, named start: PredicateToken) throws(PredicateSyntaxError) -> Predicate
  {
    if token.isWord("is") { return try missingTest(of: subject) }
    let isNegated = token.kind == .not
    if isNegated { advance() }
    let range: Predicate
    if token.isWord("between") {
      range = try betweenRange(of: subject)
    } else if token.isWord("in") {
      range = try inRange(of: subject)
    } else {
      throw expected(isNegated ? "'between' or 'in'" : "a comparison after \(quoted(start))", among: Self.tests)
    }
    return isNegated ? .not(range) : range
  }

  private mutating func betweenRange(of subject: Subject) throws(PredicateSyntaxError) -> Predicate {
    advance()
    let lower = End(value: try value(), isInclusive: true)
    guard token.kind == .and else { throw expected("'and'", among: ["and"]) }
    advance()
    let upper = End(value: try value(), isInclusive: true)
    return try range(of: subject, lower: lower, upper: upper)
  }

  private mutating func inRange(of subject: Subject) throws(PredicateSyntaxError) -> Predicate {
    advance()
    guard token.kind == .openParenthesis || token.kind == .openBracket else { throw expected("'(' or '['") }
    let includesLower = advance().kind == .openBracket
    let lower = End(value: try value(beforeComma: true), isInclusive: includesLower)
    guard token.kind == .comma else { throw expected("','") }
    advance()
    let upper = try value(beforeComma: true)
    if token.kind == .comma {
      throw error("a range has two ends; write a list as high = 80 or high = 81, a number without commas", at: token)
    }
    guard token.kind == .closeParenthesis || token.kind == .closeBracket else { throw expected("')' or ']'") }
    let includesUpper = advance().kind == .closeBracket
    return try range(of: subject, lower: lower, upper: End(value: upper, isInclusive: includesUpper))
  }

  private mutating func missingTest(of subject: Subject) throws(PredicateSyntaxError) -> Predicate {
    let keyword = advance()
    let isNegated = token.kind == .not
    if isNegated { advance() }
    guard token.isWord("missing") else { throw expected("'missing'", among: ["missing"]) }
    advance()
    guard case .attribute(let attribute) = subject else { throw error("a date is never missing", at: keyword) }
    return isNegated ? .not(.isMissing(attribute)) : .isMissing(attribute)
  }
}
