// What groups are by: `ticker, year`, `month(date) as m`, `close > mean(close, 200)`.

extension Grouping {
  /// The groups that `text` lists; nil for one group of all quotes.
  ///
  /// ```
  /// list = "all" | key { "," key }
  /// key  = "ticker" | "day" | "week" | "month" | "quarter" | "half-year" | "year" | "weekday"
  ///      | ( sum | predicate ) [ "as" name ]
  /// ```
  ///
  /// A period by itself is of each ticker. `sum` and `predicate` are those of a predicate's grammar.
  ///
  /// - Throws: `PredicateSyntaxError`.
  package static func list(
    parsing text: String, _ definitions: Definitions = Definitions()
  ) throws(PredicateSyntaxError) -> Grouping? {
    var parser = try PredicateParser(text, definitions)
    let (keys, isAlone) = try parser.groupingKeys()
    return keys.isEmpty ? nil : isAlone ? Grouping(alone: keys[0]) : Grouping(keys)
  }
}

extension Grouping.Key {
  /// Whether both have the same name, or the same values.
  fileprivate func isLike(_ other: Self) -> Bool {
    name.lowercased() == other.name.lowercased() || expression != nil && expression == other.expression
  }

  /// The value of groups, in what is computed of them; nil for a ticker or a period.
  fileprivate var aggregate: QuoteExpression? {
    switch self {
    case .expression(let x, _): .aggregated(Aggregation(.min, of: x))
    case .weekday: .aggregated(Aggregation(.min, of: .calendar(.weekday)))
    case .ticker, .day, .week, .month, .quarter, .halfYear, .year: nil
    }
  }
}

extension PredicateParser {
  /// What groups are by, up to the end of the text or of a call, and whether it is one key without anything beside it.
  mutating func groupingKeys(
    upTo end: PredicateToken.Kind = .end
  ) throws(PredicateSyntaxError) -> (keys: [Grouping.Key], isAlone: Bool) {
    var (keys, hasAll): ([Grouping.Key], Bool) = ([], false)
    let list = try list(end == .end ? "a comma or the end" : "',' or ')'", upTo: end) {
      parser throws(PredicateSyntaxError) in (parser.token, try parser.groupingKey())
    }
    for (start, key) in list {
      let isRepeated =
        if let key { keys.contains { $0.isLike(key) } || hasAll && key == .ticker } else {
          hasAll || keys.contains(.ticker)
        }
      if isRepeated {
        let name = key.map { "'\($0.name.shownInErrors)'" } ?? quoted(start)
        throw error("\(name) is named twice, or 'all' beside it", at: start)
      }
      if let key { keys.append(key) } else { hasAll = true }
    }
    return (keys, list.count == 1)
  }

  /// What groups are by; nil for `all`.
  fileprivate mutating func groupingKey() throws(PredicateSyntaxError) -> Grouping.Key? {
    let start = token
    if case .word(let word) = token.kind, following.kind != .openParenthesis, definitions.phrases[word] == nil,
      Attribute(named: word) == nil, word != "date" || [.comma, .end, .closeParenthesis].contains(following.kind)
    {
      let key = Grouping.Key.named(word)
      if key == nil, word != "all" {
        let names = Grouping.Key.allCases.map(\.name) + ["all"]
        let question = Suggestion.question(for: word, among: names).map { "; \($0)" } ?? ""
        throw error("\(quoted(token)) isn't one of \(names.joined(separator: ", "))\(question)", at: token)
      }
      advance()
      return key
    }
    if case .number = token.kind, case .word(let word) = following.kind, DayMark.Unit(word) != nil {
      throw error("groups are by one day, week, month, quarter, half-year or year: by week", at: following)
    }
    let expression: QuoteExpression
    switch try phrase() {
    case .predicate(let predicate): expression = .truth(predicate)
    case let phrase: expression = try self.expression(phrase, from: start)
    }
    let text = text(from: start, upTo: token)
    return .expression(expression, name: try nameAfterAs() ?? text)
  }

  /// Whether the call whose parenthesis comes next is of groups inside each group: `mean(max(high) per month)`.
  var isPerGroups: Bool {
    var (rest, depth) = (self, 0)
    while rest.token.kind != .end {
      switch rest.token.kind {
      case .openParenthesis: depth += 1
      case .closeParenthesis: depth -= 1
      case .word("per") where depth == 1 && rest.previous?.endsValue == true: return true
      default: break
      }
      if depth == 0 { return false }
      rest.advance()
    }
    return false
  }

  /// The groups after `per`, up to the parenthesis that closes the call; nil if something else comes.
  mutating func innerGroups() throws(PredicateSyntaxError) -> (Grouping, PredicateToken)? {
    guard token.isWord("per"), previous?.endsValue == true else { return nil }
    guard isOfGroups else {
      if following.isWord("day") {
        throw error("among the tickers of a day is written by day: rank(close by day)", at: token)
      }
      throw error("'per' belongs to an aggregate of aggregates, such as mean(max(high) per month)", at: token)
    }
    isOfGroups = false
    defer { isOfGroups = true }
    let start = advance()
    let keys = try groupingKeys(upTo: .closeParenthesis).keys
    guard !keys.isEmpty else { throw error("per which groups? Write mean(max(high) per month)", at: start) }
    return (Grouping(keys), start)
  }

  /// What groups are ordered by: one of their keys, by its name or as it is written, or what is computed of them.
  mutating func groupSortKey() throws(PredicateSyntaxError) -> GroupSortKey.Value {
    if case .word(let word) = token.kind, let key = groupKey(named: word) {
      var rest = self
      rest.advance()
      _ = rest.direction()
      if rest.token.kind == .comma || rest.token.kind == .end {
        advance()
        return .key(key)
      }
    }
    let start = token
    let phrase = try phrase()
    return .expression(try sorted(phrase, from: start))
  }

  /// The key of the groups that has this name; `date` is that of their only period.
  private func groupKey(named name: String) -> Grouping.Key? {
    if let key = groupKeys.first(where: { $0.name.lowercased() == name }) { return key }
    let periods = groupKeys.filter { $0.period != nil }
    return name == "date" && periods.count == 1 ? periods[0] : nil
  }

  /// A key of the groups that is written as it is there: `month(date)`, `close / 10`, `close > 50`. Nil if something else comes.
  ///
  /// - Parameter read: reads as much as the key may be.
  mutating func writtenGroupKey(
    _ read: (inout PredicateParser) throws(PredicateSyntaxError) -> Phrase
  ) -> Phrase? {
    guard isOfGroups, groupKeys.contains(where: { $0.expression != nil }) else { return nil }
    var rest = self
    rest.isOfGroups = false
    guard let phrase = try? read(&rest), let expression = phrase.written,
      let key = groupKeys.first(where: { $0.expression == expression }), let value = key.aggregate
    else { return nil }
    self = rest
    isOfGroups = true
    if case .predicate = phrase { return .predicate(.holds(value)) }
    return .value(.expression(value))
  }

  /// What a key of groups, which comes next, is in what is computed of them.
  mutating func value(of key: Grouping.Key) throws(PredicateSyntaxError) -> QuoteExpression {
    if let value = key.aggregate {
      advance()
      return value
    }
    let other = key.period.map { $0 == .day ? "" : "; its year is min(year(date))" } ?? ""
    throw error(
      "of a group, a condition on the \(key.name) makes no sense; it belongs to the quotes' condition\(other)",
      at: token)
  }
}

extension PredicateParser.Phrase {
  /// What it is of a row, as a key of groups has it.
  fileprivate var written: QuoteExpression? {
    switch self {
    case .value(.expression(let expression)): expression
    case .predicate(let predicate): .truth(predicate)
    default: nil
    }
  }
}
