// What is taken from quotes of other tickers: `rank(change(close) desc by day among volume > 0)`, `close of SPY within 5 days`.

extension PredicateParser {
  /// What follows the arguments of a call, if something does: `desc by day among volume > 0`.
  mutating func day(of name: String) throws(PredicateSyntaxError) -> Day? {
    guard token.isWord("by") || token.isWord("desc") || token.isWord("asc") else { return nil }
    let start = token
    let order: DateOrder = token.isWord("desc") ? .descending : .ascending
    if !token.isWord("by") {
      guard DayFunction.named(name)?.takesOrder ?? false else {
        throw error("\(quoted(token)) belongs to a rank: rank(close \(spelling(token)) by day)", at: token)
      }
      advance()
    }
    guard token.isWord("by") else { throw expected("'by day'") }
    advance()
    guard token.isWord("day") else {
      throw error("quotes are compared with those of the same day: \(name)(close by day)", at: token)
    }
    advance()
    var day = Day(order: order, token: start)
    if token.isWord("among") {
      advance()
      let start = token
      let phrase = try phrase()
      day.predicate = try predicate(phrase, from: start)
    }
    guard token.kind == .closeParenthesis else { throw expected("'among' or ')'", among: ["among"]) }
    return day
  }

  /// A function of the quotes of a day.
  func market(
    _ name: String, _ function: PredicateToken, _ arguments: Arguments, _ day: Day
  ) throws(PredicateSyntaxError) -> QuoteExpression {
    if let known = DayFunction.named(name) {
      try check(arguments, 1...1, function, "\(name)(close by day)")
      return known.expression(try column(arguments, 0, function, "\(name)(close by day)"), day.order, day.predicate)
    }
    if name == "count", arguments.list.isEmpty { return .byDay(.count, among: day.predicate) }
    guard let aggregate = AggregateFunction.named(name), aggregate.isOfDays else {
      if let word = ForeignWord.named(name, .function) {
        throw error("unknown function \(quoted(function)); \(advice(on: word, calledBy: function))", at: function)
      }
      let names = DayFunction.all.map(\.name) + AggregateFunction.all.filter(\.isOfDays).map(\.name)
      throw error("\(quoted(function)) isn't of a day; \(Suggestion.hint(for: name, among: names))", at: function)
    }
    return .byDay(try aggregation(aggregate, function, arguments), among: day.predicate)
  }

  /// The ticker of `close of SPY`, if `of` comes next.
  mutating func otherTicker() throws(PredicateSyntaxError) -> TickerSymbol? {
    guard token.isWord("of") else { return nil }
    advance()
    let text: String
    switch token.kind {
    case .text(let quoted): text = quoted
    case .word:
      text = spelling(token)
      if text.contains("-") {
        throw error(
          "a ticker with a hyphen stands in quotes, '\(text)', and a difference has spaces around its sign", at: token)
      }
    default: throw expected("a ticker, such as SPY or 'BRK.B'")
    }
    guard let ticker = try? TickerSymbol(text) else { throw error("\(quoted(token)) is no ticker", at: token) }
    advance()
    return ticker
  }

  /// The 5 of `within 5 days`, if `within` comes next; else 0.
  mutating func days() throws(PredicateSyntaxError) -> Int {
    guard token.isWord("within") else { return 0 }
    let start = advance()
    guard case .number(let literal) = token.kind, case .at(let days) = literal.exactNumber.integerPosition,
      0...Int64(Limits.ageDays) ~= days
    else {
      throw error(
        "within is followed by a whole number of days from 0 to \(Limits.ageDays): close of SPY within 5 days",
        at: token.kind == .end ? start : token)
    }
    advance()
    guard token.isWord("days") || token.isWord("day") else { throw expected("'days'", among: ["days"]) }
    advance()
    return Int(days)
  }
}
