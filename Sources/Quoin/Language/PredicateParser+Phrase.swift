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
    case .value(.number), .value(.day):
      if let form = comparison(like: start) {
        throw error("a condition stands on each side; write \(form)", at: start)
      }
      throw expected("a comparison after the value")
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
      if self.previous?.range == token.range, self.token.beginsValue {
        throw error("a comma is missing before \(quoted(self.token))", at: self.token)
      }
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

  /// The comparison that a sign after `or` or `and` stands for: `close <= 6` in `close >= 5 and <= 6`. The sign comes next.
  func comparisonLeftOut() -> String? {
    let here = place(of: token)
    guard here >= 2, here + 1 < tokens.count, tokens[here - 1].kind == .or || tokens[here - 1].kind == .and,
      let sign = tokens[..<(here - 1)].lastIndex(where: { if case .comparison = $0.kind { true } else { false } })
    else { return nil }
    let left = sideStart(before: sign)
    let form =
      text(from: tokens[left], upTo: tokens[sign]) + " \(spelling(token)) " + (surroundings()["right"] ?? "")
    return canBeAsked(form) ? form : nil
  }

  /// The comparison that a value after `or` or `and` stands for: `close > 70` in `close > 60 or 70`. Nil if it stands elsewhere.
  private func comparison(like value: PredicateToken) -> String? {
    let here = place(of: value)
    guard here >= 2, tokens[here - 1].kind == .or || tokens[here - 1].kind == .and,
      let sign = tokens[..<(here - 1)].lastIndex(where: { if case .comparison = $0.kind { true } else { false } }),
      !tokens[sign..<here - 1].contains(where: { $0.kind == .or || $0.kind == .and })
    else { return nil }
    let left = sideStart(before: sign)
    let form = text(from: tokens[left], upTo: tokens[sign + 1]) + " " + spelling(value)
    return canBeAsked(form) ? form : nil
  }

  /// The number that `phrase` has to be, which is computed with: the day of a group, `max(date)`, is none.
  func number(_ phrase: Phrase, from start: PredicateToken) throws(PredicateSyntaxError) -> QuoteExpression {
    let expression = try expression(phrase, from: start)
    try refuseDay(expression, at: start)
    return expression
  }

  func refuseDay(_ expression: QuoteExpression, at token: PredicateToken) throws(PredicateSyntaxError) {
    guard case .aggregate(let aggregate) = expression.node, aggregate.givesDay else { return }
    throw error(
      "\(aggregate) is a day, with which nothing is computed; its number is max(day_number(date)), and a day has "
        + "parts such as max(year(date))", at: token)
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
    if let word = ForeignWord.named(text.lowercased(), .name), word.form.contains("(date) = ") {
      return error("\(quoted(token)) is a text; \(advice(on: word, text.lowercased()))", at: token)
    }
    return error(
      "\(quoted(token)) is a text, and only tickers and days have quotes; of several tickers, write ticker in ('FDX', 'KO')",
      at: token)
  }
}
