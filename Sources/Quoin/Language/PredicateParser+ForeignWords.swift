// What people write who come from other languages.

extension PredicateParser {
  /// What to write for the word or sign of another language that comes next, where it can't stand: `52 weeks`, `close[1]`,
  /// `close ** 2`, `= null`.
  var foreignAdvice: String? {
    switch (previous?.kind, token.kind) {
    case (_, .word("null")), (_, .word("missing")):
      if depth > 0, isInList { return "leave it out, as in if(close > open, 1): nothing else is missing" }
      return ForeignWord.named("null", .name)?.advice
    case (_, .word(let word)): return adviceAfterValue(word)
    case (_, .number):
      guard case .word(let unit) = following.kind else { return nil }
      guard unit == "ago" || tokens[min(place(of: following) + 1, tokens.count - 1)].isWord("ago"),
        let word = ForeignWord.named("ago", .after)
      else { return nil }
      var parts = surroundings()
      parts["count"] = spelling(token)
      return advice(on: word, "ago", parts)
    case (_, .openBracket):
      guard previous?.endsValue == true else {
        return "a list stands in parentheses, as in close in (40, 41), and a name without brackets"
      }
      var parts = surroundings()
      if case .number = following.kind { parts["count"] = spelling(following) }
      return ForeignWord.named("[", .sign).map { advice(on: $0, "[", parts) }
    case (.arithmetic(.multiply), .arithmetic(.multiply)): return ForeignWord.named("**", .sign)?.advice
    case (.arithmetic(.divide), .arithmetic(.divide)): return ForeignWord.named("//", .sign)?.advice
    case (.comparison(.equal), .comparison(.above)), (.comparison(.equal), .comparison(.below)),
      (.comparison(.equal), .not):
      let sign = "=\(spelling(token))"
      return ForeignWord.named(sign, .sign).map { advice(on: $0, sign, surroundings(startingBefore: 1)) }
    default: return nil
    }
  }

  private func adviceAfterValue(_ name: String) -> String? {
    if case .word(let next) = following.kind, let word = ForeignWord.named("\(name)_\(next)", .after) {
      return advice(on: word, name, surroundings(of: 2))
    }
    guard let word = ForeignWord.named(name, .after) else { return nil }
    var parts = surroundings()
    if case .number(let literal) = previous?.kind, let number = previous {
      parts["count"] = spelling(number)
      parts["suffix"] = Self.suffixes.first { $0.value.contains(name) }?.key
      let count = literal.exactNumber.nearest
      // Some functions have days of the calendar, and others rows alone, of which there are 5 a week.
      let days = Self.daysOfUnits[name].map { (count * $0).rounded() }
      let lengths = days.map { ["\(Int($0)) days", "\(Int(($0 * 252 / 365).rounded()))"] } ?? [spelling(number)]
      if count < 1e6 {
        let calls = lengths.compactMap { enclosingCall(with: $0) }
        parts["call"] = calls.first(where: canBeAsked) ?? calls.first
      }
    }
    return advice(on: word, name, parts)
  }

  private static let suffixes = [
    "k": ["k", "thousand"], "M": ["m", "mm", "million"], "B": ["b", "bn", "billion"],
  ]

  private static let daysOfUnits = [
    "week": 7, "weeks": 7, "month": 365.0 / 12, "months": 365.0 / 12, "year": 365, "years": 365,
  ]

  /// What to write for a name with a point in it, such as `ta.sma`, `close.shift` and `df.close`; nil if nobody is known to use it.
  ///
  /// - Parameter arguments: those of a call.
  func partAdvice(_ token: PredicateToken, _ arguments: [String] = []) -> String? {
    let name = spelling(token)
    guard let point = name.lastIndex(of: ".") else { return nil }
    let (whole, part) = (String(name[..<point]), String(name[point...].dropFirst()).lowercased())
    if let attribute = Attribute(named: part) {
      guard whole.contains(where: \.isUppercase), let ticker = try? TickerSymbol(whole) else {
        return "write \(attribute.wikiName)"
      }
      return "write \(attribute.wikiName) of \(ticker), or \(attribute.wikiName) of each ticker's own"
    }
    // `close.shift(1)` is of the close, and `ta.sma(close, 50)` of its arguments.
    let owner = String(whole.lowercased().split(separator: ".").last ?? "")
    var parts = (Attribute(named: owner).map { [$0.wikiName] } ?? []) + arguments
    if let example = LanguageReference.example(of: part) {
      var function = LanguageReference.name(of: part, isOfGroups: false)
      // As pandas has it.
      if function == "prev", let last = parts.last, last.hasPrefix("-") {
        (function, parts[parts.count - 1]) = ("next", String(last.dropFirst()))
      }
      let form = "\(function)(\(parts.joined(separator: ", ")))"
      if let refusal = refusal(of: form) { return refusal.contains("write ") ? refusal : "write \(example)" }
      return "write \(form)"
    }
    return ForeignWord.named(part, .function).map { advice(on: $0, part, $0.template.places(of: parts)) }
  }

  func unknownFunction(_ name: String, _ function: PredicateToken) -> PredicateSyntaxError {
    let arguments = writtenArguments(of: function)
    if let word = ForeignWord.named(name, .function) {
      return error("unknown function \(quoted(function)); \(advice(on: word, calledBy: function))", at: function)
    }
    if let advice = partAdvice(function, arguments) {
      return error("unknown function \(quoted(function)); \(advice)", at: function)
    }
    if DayFunction.named(name) != nil {
      if arguments.count > 1, let word = ForeignWord.named(name, .longer) {
        return error("\(quoted(function)) takes one value; \(advice(on: word, calledBy: function))", at: function)
      }
      let form = "\(name)(\(arguments.first ?? "close") by day)"
      return error("\(name) is among all tickers: \(canBeAsked(form) ? form : "\(name)(close by day)")", at: function)
    }
    if let aggregate = AggregateFunction.named(LanguageReference.name(of: name, isOfGroups: true)) {
      return error("\(quoted(function)) is of groups, an aggregate such as \(aggregate.example)", at: function)
    }
    if Attribute(named: name) != nil {
      return error("\(quoted(function)) is an attribute, not a function", at: function)
    }
    if let known = LanguageReference.entries.first(where: { $0.kind != .aggregate && $0.isCalled(likely: name) }) {
      let form = "\(known.name)(\(arguments.joined(separator: ", ")))"
      return error(
        "unknown function \(quoted(function)); write \(canBeAsked(form) ? form : known.example)", at: function)
    }
    let hint = Suggestion.hint(for: name, among: LanguageWords.functions)
    return error("unknown function \(quoted(function)); \(hint)", at: function)
  }

  /// The error that the next token, `name`, is no aggregate.
  func unknownAggregate(_ name: String) -> PredicateSyntaxError {
    if let word = ForeignWord.named(name, .aggregate) {
      return error("unknown function \(quoted(token)); \(advice(on: word, calledBy: token))", at: token)
    }
    if let word = ForeignWord.named(name, .function) {
      let forms = [word.template.with(word.template.places(of: writtenArguments(of: token))), word.form]
      let form = forms.flatMap { [$0, "mean(\($0))", "count(\($0))"] }.first(where: canBeAsked)
      return error("unknown function \(quoted(token)); \(word.advice(form ?? "mean(\(word.form))"))", at: token)
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
