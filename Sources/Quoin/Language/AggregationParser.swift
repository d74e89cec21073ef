extension Aggregation {
  /// The aggregates that `text` lists: `mean(close), sum(volume), count`.
  ///
  /// ```
  /// list      = aggregate { "," aggregate }
  /// aggregate = "count"                                                      the number of quotes
  ///           | "count" "(" ( sum | predicate | "distinct" sum ) ")"         of cells, of quotes for which it holds, of values
  ///           | "share" "(" predicate ")"                                    among quotes for which it is known
  ///           | function "(" sum ")"
  ///           | "quantile" "(" sum "," number ")"                            the share below it, from 0 to 1
  ///           | "vwap" [ "(" sum ")" ]                                       the mean, weighted with volume; of closes
  ///           | "weighted_mean" "(" sum "," sum ")"                          the mean, weighted with the second
  /// function  = "min" | "max" | "sum" | "mean" | "median" | "std" | "first" | "last" | "argmax" | "argmin" | "distinct"
  /// ```
  ///
  /// `sum` and `predicate` are those of a predicate's grammar. Names may be in any case.
  ///
  /// - Throws: `PredicateSyntaxError`, also for an aggregate that is listed twice. Complexity: O(bytes).
  public static func list(parsing text: String) throws(PredicateSyntaxError) -> [Aggregation] {
    var parser = try PredicateParser(text)
    var list: [Aggregation] = []
    for (start, _, _, expression) in try parser.groupColumnList() {
      guard case .aggregate(let next) = expression.node else {
        throw parser.error("expected an aggregate by itself, such as mean(close)", at: start)
      }
      if list.contains(next) { throw parser.error("\(next) is listed twice", at: start) }
      list.append(next)
    }
    return list
  }
}

extension GroupQuestion {
  /// The question in words.
  ///
  /// - Parameters:
  ///   - columns: aggregates, or what is computed from them and from earlier columns, each with a name if it has one:
  ///     `max(high) / min(low) as range`.
  ///   - condition: which groups are wanted: `count > 20 and range > 2`.
  ///   - order: what they are ordered by: `range desc`, `day desc`.
  ///   - grouping: what their quotes share.
  /// - Throws: `PredicateSyntaxError`.
  package init(
    parsing columns: String, condition: String? = nil, order: String? = nil, by grouping: Grouping? = nil,
    _ definitions: Definitions = Definitions()
  ) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(columns, definitions)
    parser.groupKeys = grouping?.keys ?? []
    var list: [(name: String, expression: QuoteExpression)] = []
    for (start, given, text, expression) in try parser.groupColumnList() {
      let name = given ?? text
      if list.contains(where: { $0.name == name }) { throw parser.error("\(name) is listed twice", at: start) }
      list.append((name, expression))
    }
    self.init(columns: list)
    names = parser.groupColumns
    if let condition { try keepGroups(where: condition, by: grouping, definitions) }
    if let order { try orderGroups(by: order, of: grouping, definitions) }
  }

  /// Reads the condition on groups.
  mutating func keepGroups(
    where text: String, by grouping: Grouping?, _ definitions: Definitions
  ) throws(PredicateSyntaxError) {
    var parser = try parser(text, grouping, definitions)
    condition = try parser.wholePredicate()
  }

  /// Reads what groups are ordered by: a direction for their keys, or keys and what is computed of groups.
  mutating func orderGroups(
    by text: String, of grouping: Grouping?, _ definitions: Definitions
  ) throws(PredicateSyntaxError) {
    var parser = try parser(text, grouping, definitions)
    if let direction = parser.onlyDirection() {
      let keys = grouping?.keys ?? []
      // As rows are: each ticker's by date.
      order = keys.map { GroupSortKey(.key($0), $0 == .ticker && keys.count > 1 ? .ascending : direction) }
    } else {
      order = try parser.order { parser throws(PredicateSyntaxError) in try parser.groupSortKey() }.map {
        GroupSortKey($0, $1)
      }
    }
  }

  private func parser(
    _ text: String, _ grouping: Grouping?, _ definitions: Definitions
  ) throws(PredicateSyntaxError) -> PredicateParser {
    var parser = try PredicateParser(text, definitions)
    (parser.isOfGroups, parser.groupColumns, parser.groupKeys) = (true, names, grouping?.keys ?? [])
    return parser
  }
}

extension PredicateParser {
  /// Columns of groups, with commas between them: where each begins, its name if one is given, what was
  /// written, and what it is.
  fileprivate mutating func groupColumnList() throws(PredicateSyntaxError) -> [(
    PredicateToken, String?, String, QuoteExpression
  )] {
    if token.kind == .end {
      throw error("the list of aggregates is empty; write some such as mean(close), sum(volume)", at: token)
    }
    isOfGroups = true
    return try list { parser throws(PredicateSyntaxError) in
      let start = parser.token
      let (expression, text, name) = try parser.namedExpression()
      // The columns after it, the condition and the order may use it.
      if let name { parser.groupColumns[name.lowercased()] = expression }
      return (start, name, text, expression)
    }
  }

  /// What a name without parentheses means of a group: one of its columns, the number of quotes, the average price.
  mutating func groupValue(_ name: String) throws(PredicateSyntaxError) -> QuoteExpression {
    if let expression = groupColumns[name] {
      advance()
      return expression
    }
    if let key = groupKeys.first(where: { $0.name.lowercased() == name }) {
      return try value(of: key)
    }
    if name == "count" || name == "vwap" {
      advance()
      return .aggregated(name == "count" ? .count : .vwap())
    }
    if name == "date" || name == "ticker" {
      throw error(
        "a group has no \(name) of its own; let groups be by \(name == "date" ? "day" : name), or "
          + "write \(name == "date" ? "max(date)" : "count(distinct ticker)")", at: token)
    }
    if let attribute = Attribute(named: name) {
      throw error("\(quoted(token)) needs a function, such as mean(\(attribute.wikiName))", at: token)
    }
    if definitions.phrases[name] != nil {
      throw error("\(quoted(token)) needs a function, such as mean(\(name))", at: token)
    }
    if AggregateFunction.named(name) != nil {
      throw error("\(quoted(token)) needs '(' and an attribute, such as \(name)(close)", at: token)
    }
    if let known = ForeignWord.named(name, .aggregate) {
      throw error("unknown name \(quoted(token)); \(advice(on: known, name))", at: token)
    }
    if Grouping.Key.named(name) == nil,
      ForeignWord.named(name, .function) != nil || LanguageReference.example(of: name) != nil
    {
      throw unknownAggregate(name)
    }
    let names = LanguageWords.aggregates + groupColumns.keys.sorted() + groupKeys.map(\.name)
    throw error("unknown name \(quoted(token)); \(Suggestion.hint(for: name, among: names))", at: token)
  }

  /// An aggregate, whose name comes next.
  mutating func aggregate(_ word: String) throws(PredicateSyntaxError) -> Aggregation {
    let name = LanguageReference.name(of: word, isOfGroups: true)
    guard let aggregate = AggregateFunction.named(name) else { throw unknownAggregate(word) }
    let function = advance()
    isOfGroups = isPerGroups
    defer { isOfGroups = true }
    if name == "count", following.isWord("distinct") {
      return try parenthesized { parser throws(PredicateSyntaxError) in
        parser.advance()
        let start = parser.token
        let phrase = try parser.phrase()
        if case .value(.ticker) = phrase { return .distinctTickers }
        let argument = Arguments(list: [Argument(phrase: phrase, token: start)], end: parser.token)
        return Aggregation(.distinct, of: try parser.column(argument, 0, function, "count"))
      }
    }
    let arguments = try arguments(of: name)
    if let day = arguments.day {
      throw error("'by day' applies to each row; write it inside, such as mean(rank(close by day))", at: day.token)
    }
    let aggregation = try aggregation(aggregate, function, arguments)
    guard let (inner, token) = arguments.inner else { return aggregation }
    if !aggregate.isOfDays, !inner.keys.contains(where: { $0.period != nil }) {
      throw error(
        "\(aggregate) is by the day, so the groups are periods: \(aggregate)(sum(volume) per month)", at: token)
    }
    if aggregation.weight == .volume {
      throw error(
        "\(aggregate) is of quotes; of groups, write weighted_mean(max(high), sum(volume) per month)", at: token)
    }
    let parts = aggregation.expressions.flatMap { $0.program?.aggregations ?? [] }
    if parts.contains(where: { $0.inner != nil }) {
      throw error("what is per \(inner) has another 'per' in it; one is enough", at: token)
    }
    return Aggregation(aggregation, per: inner)
  }

  /// The aggregate that a call spells.
  func aggregation(
    _ aggregate: AggregateFunction, _ function: PredicateToken, _ arguments: Arguments
  ) throws(PredicateSyntaxError) -> Aggregation {
    // Whoever adds or counts ones wants the number of rows.
    let isOfDay = arguments.day != nil
    let form =
      switch aggregate.name {
      case "count": isOfDay ? "count(by day)" : "count"
      case "sum": isOfDay ? "sum(close by day), or count(by day)" : "sum(close), or count for the number of rows"
      default: isOfDay ? "\(aggregate)(close by day)" : aggregate.example
      }
    switch aggregate.form {
    case .valueAndShare(let aggregation):
      try check(arguments, 2...2, function, aggregate.example)
      guard case .value(.number(let literal, let token)) = arguments.list[1].phrase,
        (0...1).contains(literal.exactNumber.nearest)
      else {
        throw error("a quantile is a number from 0 to 1, as in \(aggregate.example)", at: arguments.list[1].token)
      }
      return aggregation(try column(arguments, 0, function, form), try double(literal, token))
    case .values(let aggregation):
      try check(arguments, 2...2, function, aggregate.example)
      return aggregation(try column(arguments, 0, function, form), try column(arguments, 1, function, form))
    case .condition(let aggregation):
      try check(arguments, 1...1, function, aggregate.example)
      return aggregation(try predicate(arguments.list[0].phrase, from: arguments.list[0].token))
    case .value(let aggregation):
      if arguments.list.count == 2, WindowFunction.named(aggregate.name) != nil {
        throw error(
          "\(aggregate) of a group takes one expression; of the rows before each, write it inside: "
            + "mean(\(aggregate)(close, 20))", at: arguments.list[1].token)
      }
      try check(arguments, 1...1, function, "\(aggregate)(close)")
      if case .value(.date) = arguments.list[0].phrase, let ofDays = AggregateFunction.ofDays[aggregate.name] {
        return ofDays
      }
      if case .value(.ticker) = arguments.list[0].phrase, aggregate.name == "distinct" { return .distinctTickers }
      guard case .predicate(let predicate) = arguments.list[0].phrase else {
        return aggregation(try column(arguments, 0, function, form))
      }
      if aggregate.name == "count" { return .count(predicate) }
      throw error(
        "\(aggregate) takes a number; of conditions there are count(close > open) and share(close > open)",
        at: arguments.list[0].token)
    }
  }
}
