// What people write who come from other languages.

extension PredicateParser {
  /// The word or sign of another language that comes next, where it can't stand: `52 weeks`, `close[1]`, `close ** 2`, `= null`.
  var foreignWord: ForeignWord? {
    switch (previous?.kind, token.kind) {
    case (_, .word("null")), (_, .word("missing")): ForeignWord.named("null", .name)
    case (_, .word(let word)): ForeignWord.named(word, .after)
    case (_, .openBracket): ForeignWord.named("[", .sign)
    case (.arithmetic(.multiply), .arithmetic(.multiply)): ForeignWord.named("**", .sign)
    case (.arithmetic(.divide), .arithmetic(.divide)): ForeignWord.named("//", .sign)
    case (.comparison(.equal), .comparison(.above)): ForeignWord.named("=>", .sign)
    case (.comparison(.equal), .comparison(.below)): ForeignWord.named("=<", .sign)
    default: nil
    }
  }

  /// What to write for a name with a point in it, such as `ta.sma`, `close.shift` and `df.close`; nil if nobody is known to use it.
  func partAdvice(_ name: String) -> String? {
    guard let point = name.lastIndex(of: ".") else { return nil }
    let part = String(name[point...].dropFirst())
    if let form = LanguageReference.example(of: part) ?? Attribute(named: part)?.wikiName { return "write \(form)" }
    return ForeignWord.named(part, .function)?.advice
  }

  func unknownFunction(_ name: String, _ function: PredicateToken) -> PredicateSyntaxError {
    if let advice = ForeignWord.named(name, .function)?.advice ?? partAdvice(name) {
      return error("unknown function \(quoted(function)); \(advice)", at: function)
    }
    if DayFunction.named(name) != nil {
      return error("\(name) is among all tickers: \(name)(close by day)", at: function)
    }
    if let aggregate = AggregateFunction.named(LanguageReference.name(of: name, isOfGroups: true)) {
      return error("\(quoted(function)) is of groups, an aggregate such as \(aggregate.example)", at: function)
    }
    if Attribute(named: name) != nil {
      return error("\(quoted(function)) is an attribute, not a function", at: function)
    }
    let hint = Suggestion.hint(for: name, among: LanguageWords.functions)
    return error("unknown function \(quoted(function)); \(hint)", at: function)
  }

  /// The error that the next token, `name`, is no aggregate.
  func unknownAggregate(_ name: String) -> PredicateSyntaxError {
    if let word = ForeignWord.named(name, .aggregate) {
      return error("unknown function \(quoted(token)); \(word.advice)", at: token)
    }
    if let example = LanguageReference.example(of: name) {
      let isCondition = (try? Predicate(parsing: example)) != nil
      return error(
        "\(quoted(token)) is of rows, not of groups; write it inside: \(isCondition ? "count" : "mean")(\(example))",
        at: token)
    }
    return error(
      "unknown function \(quoted(token)); \(Suggestion.hint(for: name, among: LanguageWords.aggregates))", at: token)
  }
}
