extension PredicateParser {
  /// What a part of a text may be: a condition, or something that is compared.
  enum Phrase: Sendable {
    case predicate(Predicate)
    case value(Value)

    /// The same, written with a name.
    func written(as name: PredicateToken) -> Phrase {
      switch self {
      case .predicate, .value(.expression): self
      case .value(.moment(let expression, _)): .value(.moment(expression, name))
      case .value(.date): .value(.date(name))
      case .value(.ticker): .value(.ticker(name))
      case .value(.number(let literal, _)): .value(.number(literal, name))
      case .value(.day(let day, _)): .value(.day(day, name))
      case .value(.text(let text, _)): .value(.text(text, name))
      }
    }
  }

  /// What is compared, as it was written.
  enum Value: Sendable {
    case date(PredicateToken)
    /// The number of a day, since 1970, that is computed.
    case moment(QuoteExpression, PredicateToken)
    case ticker(PredicateToken)
    case expression(QuoteExpression)
    /// A number by itself, which is compared exactly.
    case number(NumberLiteral, PredicateToken)
    /// A day by itself, which may be counted from the newest one.
    case day(DayMark, PredicateToken)
    case text(String, PredicateToken)
  }

  /// The predicate that `phrase` has to be, which began with `start`.
  func predicate(_ phrase: Phrase, from start: PredicateToken) throws(PredicateSyntaxError) -> Predicate {
    switch phrase {
    case .predicate(let predicate): return predicate
    case .value(.text(let text, let token)): throw textError(text, at: token)
    case .value(.number), .value(.day): throw expected("a comparison after the value")
    case .value(.date), .value(.moment), .value(.ticker), .value(.expression):
      throw expected("a comparison after \(quoted(start, upTo: token))", among: Self.tests)
    }
  }

  /// The number that `phrase` has to be.
  func expression(_ phrase: Phrase, from start: PredicateToken) throws(PredicateSyntaxError) -> QuoteExpression {
    switch phrase {
    case .value(.expression(let expression)): return expression
    case .value(.number(let literal, let token)): return .number(try double(literal, token))
    case .value(.text(let text, let token)): throw textError(text, at: token)
    case .value(.date(let token)):
      throw error(
        "a date isn't a number; its parts are year(date), month(date), day(date), weekday(date), and days between are "
          + "date - prev(date)", at: token)
    case .value(.moment(_, let token)):
      throw error("a day isn't a number; the days between two are date - prev(date)", at: token)
    case .value(.ticker(let token)):
      throw error("a ticker isn't a number; compare it with a ticker in quotes: ticker = 'FDX'", at: token)
    case .value(.day(_, let token)): throw error("\(quoted(token)) is a day, not a number", at: token)
    case .predicate:
      throw error(
        "a condition isn't a number; write if(condition, 1, 0), or count(condition, 20) over 20 rows", at: start)
    }
  }

  func double(_ literal: NumberLiteral, _ token: PredicateToken) throws(PredicateSyntaxError) -> Double {
    let nearest = literal.exactNumber.nearest
    if case .decimal = literal, nearest.isInfinite {
      throw error("\(quoted(token)) is beyond the largest float64; write inf", at: token)
    }
    return nearest
  }

  /// The error that a text in quotes stands where it can't.
  func textError(_ text: String, at token: PredicateToken) -> PredicateSyntaxError {
    if let attribute = Attribute(named: text) {
      return error("\(quoted(token)) is a text; the attribute is \(attribute.wikiName), without quotes", at: token)
    }
    if DecimalLiteral(Array(text.utf8)[...]) != nil {
      return error("\(quoted(token)) is a text; write the number without quotes: \(text)", at: token)
    }
    return error("\(quoted(token)) is a text, and only tickers and days have quotes", at: token)
  }
}
