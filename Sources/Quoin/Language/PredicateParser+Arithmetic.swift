extension PredicateParser {
  mutating func sum() throws(PredicateSyntaxError) -> Phrase {
    try chain([.add, .subtract]) { parser throws(PredicateSyntaxError) in try parser.product() }
  }

  private mutating func product() throws(PredicateSyntaxError) -> Phrase {
    try chain([.multiply, .divide]) { parser throws(PredicateSyntaxError) in try parser.sign() }
  }

  /// Operands with operators of the same rank between them, which are applied from left to right.
  private mutating func chain(
    _ functions: [RowFunction], _ operand: (inout PredicateParser) throws(PredicateSyntaxError) -> Phrase
  ) throws(PredicateSyntaxError) -> Phrase {
    let start = token
    var phrase = try operand(&self)
    while case .arithmetic(let function) = token.kind, functions.contains(function) {
      advance()
      let rightStart = token
      let next = try operand(&self)
      if function == .add || function == .subtract,
        let days = try days(function, phrase, next, from: start, rightStart)
      {
        phrase = days
        continue
      }
      notePercent(phrase, function, next, from: start)
      let left = try number(phrase, from: start)
      phrase = folded(function, left, try number(next, from: rightStart), from: start)
    }
    return phrase
  }

  /// What was computed from two operands, the first of which began with `start`. Of two numbers it is a number, wherever numbers may
  /// stand: what is compared with it needn't be computed.
  func folded(
    _ function: RowFunction, _ x: QuoteExpression, _ y: QuoteExpression, from start: PredicateToken
  ) -> Phrase {
    guard let a = x.number, let b = y.number else { return .value(.expression(QuoteExpression(function, [x, y]))) }
    return number(.double(function.values(.number(a), .number(b), 1)[0]), from: start)
  }

  private func number(_ literal: NumberLiteral, from start: PredicateToken) -> Phrase {
    .value(.number(literal, PredicateToken(kind: .number(literal), range: range(from: start))))
  }

  /// A series of signs needs no depth.
  private mutating func sign() throws(PredicateSyntaxError) -> Phrase {
    let start = token
    var isNegated = false
    while case .arithmetic(let function) = token.kind, function == .subtract || function == .add {
      isNegated = isNegated != (function == .subtract)
      advance()
    }
    let inner = token
    let phrase = try power()
    guard inner.range != start.range else { return phrase }
    if case .value(.number(let literal, _)) = phrase {
      return number(isNegated ? literal.negated : literal, from: start)
    }
    let operand = try number(phrase, from: inner)
    return .value(.expression(isNegated ? -operand : operand))
  }

  private mutating func power() throws(PredicateSyntaxError) -> Phrase {
    let start = token
    var phrase = try atom()
    if case .value(.number) = phrase, token.isWord("of") { throw share(from: start) }
    if !isOfGroups, let ticker = try otherTicker() {
      let expression = try expression(phrase, from: start)
      if expression.isConstant {
        throw error("a number is the same for all tickers; write close of \(ticker)", at: start)
      }
      phrase = .value(.expression(expression.of(ticker, within: try days())))
    }
    guard token.kind == .arithmetic(.power) else { return phrase }
    let base = try number(phrase, from: start)
    advance()
    // The exponent may itself have a sign or be a power; what is in parentheses counts as a depth.
    let exponent = token
    let next = try nested { parser throws(PredicateSyntaxError) in try parser.sign() }
    return .value(.expression(.power(base, try number(next, from: exponent))))
  }

  /// The error that `of` follows a number: `50% of open`, or `5 of SPY`.
  private mutating func share(from start: PredicateToken) -> PredicateSyntaxError {
    let number = text(from: start, upTo: token)
    advance()
    let whole = surroundings(of: 0)["right"] ?? "close"
    guard canBeAsked("\(number) * \(whole)"), !whole.allSatisfy({ $0.isUppercase || !$0.isLetter }) else {
      return error("a number is the same for all tickers; write close of \(whole)", at: start)
    }
    return error("a part of a value is a product; write \(number) * \(whole)", at: start)
  }

  mutating func atom() throws(PredicateSyntaxError) -> Phrase {
    let token = token
    switch token.kind {
    case .openParenthesis: return try parenthesized { parser throws(PredicateSyntaxError) in try parser.phrase() }
    case .number(let literal):
      advance()
      try refuseThousandsSeparator(after: token)
      return .value(.number(literal, token))
    case .day(let day):
      advance()
      return .value(.day(.day(day), token))
    case .text(let text):
      advance()
      return .value(.text(text, token))
    case .word(let word): return try name(word)
    case .and, .or:
      guard following.kind == .openParenthesis else { throw expected("an attribute or a value") }
      let conditions = writtenArguments(of: token)
      let form = conditions.joined(separator: token.kind == .and ? " and " : " or ")
      throw error(
        "\(quoted(token)) stands between conditions; write \(canBeAsked(form) ? form : "close > 5 and open > 6")",
        at: token)
    default:
      if case .comparison = token.kind, let form = comparisonLeftOut() {
        throw error("a condition stands on each side; write \(form)", at: token)
      }
      throw expected(isOfGroups ? "an aggregate or a number" : "an attribute or a value")
    }
  }

  private mutating func name(_ word: String) throws(PredicateSyntaxError) -> Phrase {
    let token = token
    if let key = writtenGroupKey({ parser throws(PredicateSyntaxError) in try parser.atom() }) { return key }
    if following.kind == .openParenthesis, word != "in" { return try call(word) }
    if word == "true" || word == "false" {
      advance()
      return .predicate(word == "true" ? .all([]) : .any([]))
    }
    if Self.keywords.contains(word) { throw expected("an attribute or a value") }
    if isOfGroups { return .value(.expression(try groupValue(word))) }
    if let phrase = definitions.phrases[word] { return phrase.written(as: advance()) }
    if word == "date" {
      advance()
      return .value(.date(token))
    }
    if word == "ticker" {
      advance()
      return .value(.ticker(token))
    }
    if word == "last" { return .value(.day(try newestDay(), token)) }
    guard let attribute = Attribute(named: word) else { throw unknownName(word) }
    advance()
    return .value(.expression(.attribute(attribute)))
  }

  /// `last`, `last - 30 days`, `last - 1 year + 1 day`; the word comes next.
  private mutating func newestDay() throws(PredicateSyntaxError) -> DayMark {
    advance()
    var mark = DayMark.last
    while case .arithmetic(let sign) = token.kind, sign == .subtract || sign == .add {
      advance()
      guard case .number(let literal) = token.kind, case .at(let count) = literal.exactNumber.integerPosition,
        0...Int64(DayMark.countMax) ~= count
      else {
        throw error("days are counted from the newest one as in last - 30 days; compare a date with that", at: token)
      }
      try checkUnit(of: token, "3 months, as in last - 3 months")
      let number = advance()
      var unit = DayMark.Unit.day
      if case .word(let word) = token.kind, let named = DayMark.Unit(word) {
        unit = named
        advance()
      }
      guard let next = mark.advanced(by: sign == .subtract ? -Int(count) : Int(count), unit) else {
        throw error("\(quoted(number)) is more than all days of the calendar", at: number)
      }
      mark = next
    }
    return mark
  }
}
