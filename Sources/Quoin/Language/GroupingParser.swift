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
  /// What groups are by, up to the end, and whether it is one key without anything beside it.
  mutating func groupingKeys() throws(PredicateSyntaxError) -> (keys: [Grouping.Key], isAlone: Bool) {
    var (keys, hasAll): ([Grouping.Key], Bool) = ([], false)
    let list = try list { parser throws(PredicateSyntaxError) in (parser.token, try parser.groupingKey()) }
    for (start, key) in list {
      let isRepeated =
        if let key { keys.contains { $0.isLike(key) } || hasAll && key == .ticker } else {
          hasAll || keys.contains(.ticker)
        }
      if isRepeated { throw error("\(quoted(start)) is named twice, or 'all' beside it", at: start) }
      if let key { keys.append(key) } else { hasAll = true }
    }
    return (keys, list.count == 1)
  }

  /// What groups are by; nil for `all`.
  fileprivate mutating func groupingKey() throws(PredicateSyntaxError) -> Grouping.Key? {
    let start = token
    if case .word(let word) = token.kind, following.kind != .openParenthesis, definitions.phrases[word] == nil,
      Attribute(named: word) == nil, word != "date" || following.kind == .comma || following.kind == .end
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
    let expression: QuoteExpression
    switch try phrase() {
    case .predicate(let predicate): expression = .truth(predicate)
    case let phrase: expression = try self.expression(phrase, from: start)
    }
    let text = text(from: start, upTo: token)
    return .expression(expression, name: try nameAfterAs() ?? text)
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
    return .expression(try expression(phrase, from: start))
  }

  /// The key of the groups that has this name; `date` is that of their only period.
  private func groupKey(named name: String) -> Grouping.Key? {
    if let key = groupKeys.first(where: { $0.name.lowercased() == name }) { return key }
    let periods = groupKeys.filter { $0.period != nil }
    return name == "date" && periods.count == 1 ? periods[0] : nil
  }

  /// The value of a key of the groups that is written as it is there: `month(date)`. Nil if something else comes.
  mutating func writtenGroupKey() -> QuoteExpression? {
    guard isOfGroups, groupKeys.contains(where: { $0.expression != nil }) else { return nil }
    var rest = self
    rest.isOfGroups = false
    guard let phrase = try? rest.atom(), case .value(.expression(let expression)) = phrase,
      let key = groupKeys.first(where: { $0.expression == expression }), let value = key.aggregate
    else { return nil }
    self = rest
    isOfGroups = true
    return value
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
