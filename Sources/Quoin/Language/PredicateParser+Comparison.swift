extension PredicateParser {
  mutating func comparison() throws(PredicateSyntaxError) -> Phrase {
    let start = token
    if let key = writtenGroupKey({ parser throws(PredicateSyntaxError) in try parser.comparison() }) { return key }
    let first = try keyOrSum()
    switch token.kind {
    case .comparison: return .predicate(try chain(from: try compared(first, from: start)))
    case .not, .word("is"), .word("between"), .word("in"), .word("like"):
      return .predicate(try test(of: try compared(first, from: start)))
    default: return first
    }
  }

  /// The value that `phrase` has to be.
  private func compared(_ phrase: Phrase, from start: PredicateToken) throws(PredicateSyntaxError) -> Value {
    switch phrase {
    case .value(let value): return value
    case .predicate: throw error("a condition can't be compared; join conditions with and, or, not", at: start)
    }
  }

  private mutating func value() throws(PredicateSyntaxError) -> Value {
    let start = token
    let phrase = try keyOrSum()
    return try compared(phrase, from: start)
  }

  private mutating func keyOrSum() throws(PredicateSyntaxError) -> Phrase {
    if let key = writtenGroupKey({ parser throws(PredicateSyntaxError) in try parser.sum() }) { return key }
    return try sum()
  }

  /// `80 < high`, `80 < high <= 83`: every operator compares the operands next to it.
  private mutating func chain(from first: Value) throws(PredicateSyntaxError) -> Predicate {
    var left = first
    var links: [Link] = []
    while case .comparison(let comparison) = token.kind {
      let sign = advance()
      if case .ticker = left, case .word = token.kind {
        throw error("a ticker stands in quotes: ticker \(spelling(sign)) '\(spelling(token).uppercased())'", at: token)
      }
      let right = try value()
      noteComparison(left, right)
      links.append(Link(left: left, comparison: comparison, right: right, sign: sign))
      left = right
    }
    if let range = try range(of: links) { return range }
    var parts: [Predicate] = []
    for link in links { parts.append(try predicate(of: link)) }
    return parts.count == 1 ? parts[0] : .all(parts)
  }

  /// Whether more parentheses are opened in the text than closed.
  private var isUnclosed: Bool {
    tokens.count { $0.kind == .openParenthesis } > tokens.count { $0.kind == .closeParenthesis }
  }

  /// One comparison of a chain.
  private struct Link {
    let left: Value
    let comparison: Comparison
    let right: Value
    let sign: PredicateToken
  }

  private func predicate(of link: Link) throws(PredicateSyntaxError) -> Predicate {
    for case .expression(let side) in [link.left, link.right] { try refuseDay(side, at: link.sign) }
    if let predicate = try dayComparison(link.left, link.comparison, link.right, at: link.sign) { return predicate }
    switch (link.left, link.right) {
    case (.ticker, _), (_, .ticker): return try tickerPredicate(of: link)
    case (.number, .number), (.day, .day):
      if isUnclosed {
        throw error("expected ')' before \(quoted(link.sign)); a parenthesis isn't closed", at: link.sign)
      }
      throw error("two values cannot be compared; one side must be an attribute", at: link.sign)
    case (.date(let token), .date): throw error("the date is compared with a day such as 2005-01-03", at: token)
    default:
      let (left, comparison, right) =
        Subject(link.right) != nil && Subject(link.left) == nil
        ? (link.right, link.comparison.mirrored, link.left) : (link.left, link.comparison, link.right)
      if let subject = Subject(left), isValue(right) || subject == .date {
        let ends = ends(comparison, right)
        let range = try range(of: subject, lower: ends.lower, upper: ends.upper)
        return comparison == .notEqual ? .not(range) : range
      }
      return .comparison(
        try expression(.value(left), from: link.sign), comparison, try expression(.value(right), from: link.sign))
    }
  }

  /// A value by itself, not a column. What is missing, as 1 / 0, is none.
  private func isValue(_ value: Value) -> Bool {
    switch value {
    case .number(.double(let number), _): !number.isNaN
    case .number, .day, .text: true
    case .date, .moment, .ticker, .expression: false
    }
  }

  private func tickerPredicate(of link: Link) throws(PredicateSyntaxError) -> Predicate {
    let texts = [link.left, link.right].compactMap { if case .text(let text, _) = $0 { text } else { nil } }
    guard let text = texts.first, link.comparison == .equal || link.comparison == .notEqual else {
      throw error(
        "tickers are compared as in ticker = 'FDX', ticker in ('FDX', 'KO') and ticker like 'F%'", at: link.sign)
    }
    let predicate = Predicate.ticker(.matching(oneOf: [text]))
    return link.comparison == .equal ? predicate : .not(predicate)
  }

  /// `like 'F%'`.
  private mutating func likeTest(of value: Value) throws(PredicateSyntaxError) -> Predicate {
    let keyword = advance()
    guard case .ticker = value else {
      let form = isDate(value) ? "; the days of a year are year(date) = 2018, and of a month month(date) = 3" : ""
      throw error("only the ticker can be like a pattern: ticker like 'F%'\(form)", at: keyword)
    }
    guard case .text(let pattern) = token.kind else { throw expected("a pattern in quotes, such as 'F%'") }
    if pattern.contains(where: "*?".contains) {
      notes.append("in a pattern % stands for any letters and _ for one: ticker like 'F%'")
    }
    advance()
    return .ticker(.matching(like: pattern))
  }

  private func ends(_ comparison: Comparison, _ value: Value) -> (lower: End?, upper: End?) {
    let (inside, outside) = (End(value: value, isInclusive: true), End(value: value, isInclusive: false))
    return switch comparison {
    case .below: (nil, outside)
    case .atMost: (nil, inside)
    case .above: (outside, nil)
    case .atLeast: (inside, nil)
    case .equal, .notEqual: (inside, inside)
    }
  }

  /// Two links that bound one column from below and from above are one range; nil if these are others.
  private func range(of links: [Link]) throws(PredicateSyntaxError) -> Predicate? {
    guard links.count == 2, let subject = Subject(links[0].right), isValue(links[0].left), isValue(links[1].right)
    else {
      return nil
    }
    let (first, second) = (ends(links[0].comparison.mirrored, links[0].left), ends(links[1].comparison, links[1].right))
    for (a, b) in [(first, second), (second, first)] where a.upper == nil && b.lower == nil {
      return try range(of: subject, lower: a.lower, upper: b.upper)
    }
    return nil
  }

  /// `between`, `in`, `is missing` and their negations.
  private mutating func test(of value: Value) throws(PredicateSyntaxError) -> Predicate {
    if token.isWord("is") { return try missingTest(of: value) }
    let isNegated = token.kind == .not
    if isNegated { advance() }
    let predicate: Predicate
    if token.isWord("between") {
      predicate = try betweenRange(of: value)
    } else if token.isWord("in") {
      predicate = try membership(of: value)
    } else if token.isWord("like") {
      predicate = try likeTest(of: value)
    } else {
      throw expected("'between', 'in' or 'like'", among: Self.tests)
    }
    return isNegated ? .not(predicate) : predicate
  }

  private mutating func betweenRange(of value: Value) throws(PredicateSyntaxError) -> Predicate {
    advance()
    let lower = End(value: try self.value(), isInclusive: true)
    guard token.kind == .and else { throw expected("'and'", among: ["and"]) }
    advance()
    return try orderedRange(of: value, lower, End(value: try self.value(), isInclusive: true))
  }

  /// The error that no list follows `in`: `date in 2018`.
  private func listError(after value: Value) -> PredicateSyntaxError {
    let isNegated = place(of: token) > 1 && tokens[place(of: token) - 2].kind == .not
    let left = isDate(value) ? "year(date)" : surroundings(startingBefore: isNegated ? 2 : 1)["left"] ?? ""
    let form = "\(left) \(isNegated ? "!=" : "=") \(spelling(token))"
    guard case .number = token.kind, following.kind != .comma, canBeAsked(form) else { return expected("'(' or '['") }
    return error("expected '(' or '[', found \(quoted(token)); write \(form)", at: token)
  }

  private func isDate(_ value: Value) -> Bool { if case .date = value { true } else { false } }

  /// `in (80, 83)`, which is a list, `in [80, 83)` or `in range (80, 83)`.
  private mutating func membership(of value: Value) throws(PredicateSyntaxError) -> Predicate {
    advance()
    let saysRange = token.isWord("range")
    if saysRange { advance() }
    guard token.kind == .openParenthesis || token.kind == .openBracket else { throw listError(after: value) }
    let open = advance()
    if case .ticker = value, case .word = token.kind {
      let names = writtenArguments(of: tokens[place(of: open) - 1]).map { "'\($0.uppercased())'" }
      throw error("tickers stand in quotes: ticker in (\(names.joined(separator: ", ")))", at: token)
    }
    let values = try nested { parser throws(PredicateSyntaxError) in try parser.values() }
    guard token.kind == .closeParenthesis || token.kind == .closeBracket else { throw expected("',' or ')'") }
    let close = advance()
    if open.kind == .openParenthesis, close.kind == .closeParenthesis, !saysRange { return try list(values, value) }
    if case .ticker = value { throw error("a list stands in round brackets: ticker in ('FDX', 'KO')", at: open) }
    guard values.count == 2 else {
      throw error("a range has two ends, as in [80, 83]; a list stands in round brackets: (80, 81, 82)", at: open)
    }
    return try orderedRange(
      of: value, End(value: values[0], isInclusive: open.kind == .openBracket),
      End(value: values[1], isInclusive: close.kind == .closeBracket))
  }

  private mutating func values() throws(PredicateSyntaxError) -> [Value] {
    let wasInList = isInList
    isInList = true
    defer { isInList = wasInList }
    var values = [try value()]
    var (grouping, hasSpace): (PredicateToken?, Bool) = (nil, false)
    while token.kind == .comma {
      let comma = advance()
      if token.range.lowerBound > comma.range.upperBound { hasSpace = true }
      if grouping == nil, isLikeThousands(comma) { grouping = comma }
      values.append(try value())
    }
    // With and without spaces: (1,500, 2,500) has two numbers or four.
    if hasSpace, let grouping { throw thousandsError(grouping) }
    return values
  }

  private mutating func list(_ values: [Value], _ value: Value) throws(PredicateSyntaxError) -> Predicate {
    if values.count == 2, case .number(_, let a) = values[0], case .number(_, let b) = values[1] {
      let (low, high) = (spelling(a), spelling(b))
      notes.append(
        "in (\(low), \(high)) means one of the two values; a range is 'between \(low) and \(high)', or without its ends "
          + "'in range (\(low), \(high))'")
    }
    if case .ticker = value {
      var texts: [String] = []
      for member in values {
        guard case .text(let text, _) = member else {
          throw error("a list of tickers is written ('FDX', 'KO')", at: token)
        }
        texts.append(text)
      }
      return .ticker(.matching(oneOf: texts))
    }
    var parts: [Predicate] = []
    for member in values {
      parts.append(try predicate(of: Link(left: value, comparison: .equal, right: member, sign: token)))
    }
    return parts.count == 1 ? parts[0] : .any(parts)
  }

  private mutating func missingTest(of value: Value) throws(PredicateSyntaxError) -> Predicate {
    let keyword = advance()
    let isNegated = token.kind == .not
    if isNegated { advance() }
    if case .date = value, token.isWord("last") || token.isWord("first") {
      throw error("a day is compared with a sign: date = last", at: keyword)
    }
    guard token.isWord("missing") || token.isWord("null") || token.kind == .number(.notANumber) else {
      throw expected("'missing'", among: ["missing", "null"])
    }
    advance()
    switch value {
    case .date: throw error("a date is never missing", at: keyword)
    case .ticker: throw error("a ticker is never missing", at: keyword)
    case .moment(let expression, _): return isNegated ? .not(.isMissing(expression)) : .isMissing(expression)
    case .expression, .number, .day, .text: break
    }
    let predicate = Predicate.isMissing(try expression(.value(value), from: keyword))
    return isNegated ? .not(predicate) : predicate
  }
}
