extension PredicateParser {
  /// The words that aren't attributes.
  static let keywords: Set<String> = ["between", "in", "is", "missing", "null", "true", "false", "min", "like"]
  static let tests = ["between", "in", "is", "like", "not"]

  func error(_ message: String, at token: PredicateToken) -> PredicateSyntaxError {
    PredicateSyntaxError(message: message, offset: token.range.lowerBound, text: text)
  }

  /// The token as it is written in the text, in quotes.
  func quoted(_ token: PredicateToken) -> String {
    if case .text(let text) = token.kind { return PredicateSyntaxError.quoted(Array(text.utf8)) }
    return PredicateSyntaxError.quoted(text.utf8.dropFirst(token.range.lowerBound).prefix(token.range.count))
  }

  /// The text from one token up to another, without the spaces before that.
  func text(from first: PredicateToken, upTo end: PredicateToken) -> String {
    let bytes = text.utf8.dropFirst(first.range.lowerBound).prefix(end.range.lowerBound - first.range.lowerBound)
    var part = String(decoding: bytes, as: UTF8.self)
    while part.last?.isWhitespace ?? false { part.removeLast() }
    return part
  }

  /// The text from one token up to another, in quotes.
  func quoted(_ first: PredicateToken, upTo end: PredicateToken) -> String {
    PredicateSyntaxError.quoted(Array(text(from: first, upTo: end).utf8))
  }

  /// The token as it is written in the text, for a message: not too long.
  func spelling(_ token: PredicateToken) -> String { String(quoted(token).dropFirst().dropLast()) }

  /// The error that the next token is not `purpose`. It points out a misspelling of one of `words`.
  func expected(_ purpose: String, among words: [String] = []) -> PredicateSyntaxError {
    guard token.kind != .end else { return error("expected \(purpose), found the end", at: token) }
    if case .word(let name) = token.kind, let form = Self.formsOfClauses[name] {
      var error = error("\(quoted(token)) isn't part of an expression: \(form)", at: token)
      error.clause = name
      return error
    }
    var message = "expected \(purpose), found \(quoted(token))"
    if !words.contains("days"), let advice = foreignAdvice {
      message += "; \(advice)"
    } else if case .word(let found) = token.kind, let question = Suggestion.question(for: found, among: words) {
      message += "; \(question)"
    }
    return error(message, at: token)
  }

  /// The error that more text follows a complete predicate.
  func unexpectedContinuation() -> PredicateSyntaxError {
    if token.kind == .closeParenthesis { return error("this parenthesis was not opened", at: token) }
    return expected("'and', 'or' or the end", among: ["and", "or"])
  }

  /// The error that the next token, `name`, is no attribute.
  func unknownAttribute(_ name: String, among names: [String]) -> PredicateSyntaxError {
    if Suggestion.nearestName(to: name, among: names) == nil {
      // Of a difference, the part that is misspelled.
      for part in name.split(separator: "-").dropLast() where Attribute(named: part) == nil {
        guard let question = Suggestion.question(for: String(part), among: names) else { continue }
        return error("unknown attribute '\(part)'; \(question)", at: token)
      }
    }
    return error("unknown attribute \(quoted(token)); \(Suggestion.hint(for: name, among: names))", at: token)
  }

  /// The error that the next token, `name`, is neither an attribute nor anything else that has a value.
  func unknownName(_ name: String) -> PredicateSyntaxError {
    if let form = Self.formsOfNames[name] {
      var error = error("\(quoted(token)) is written \(form)", at: token)
      error.clause = name
      return error
    }
    if name == "day", following.isWord("of"), case let next = tokens[min(place(of: token) + 2, tokens.count - 1)] {
      let forms = ["week": "weekday(date)", "month": "day(date)", "year": "day_of_year(date)"]
      if case .word(let period) = next.kind, let form = forms[period] {
        return error("\(quoted(token, upTo: tokens[place(of: next) + 1])) is written \(form)", at: token)
      }
    }
    if let form = formOfNext(name) { return error("\(quoted(token)) is written \(form)", at: token) }
    if let word = ForeignWord.named(name, .name) ?? ForeignWord.named(name, .function) {
      return error("unknown attribute \(quoted(token)); \(advice(on: word, name))", at: token)
    }
    if let advice = partAdvice(token) { return error("unknown attribute \(quoted(token)); \(advice)", at: token) }
    if let example = LanguageReference.example(of: name) ?? example(ofNumbered: name) {
      return error("\(quoted(token)) is written \(example)", at: token)
    }
    let names = ["date"] + Attribute.allCases.map(\.wikiName) + definitions.phrases.keys.sorted()
    let spelled = spelling(token)
    if Suggestion.nearestName(to: name, among: names) == nil, spelled.allSatisfy({ !$0.isLowercase }),
      let ticker = try? TickerSymbol(spelled)
    {
      return error(
        "unknown attribute \(quoted(token)); if that is a ticker, write close of \(ticker), or ticker = '\(ticker)'",
        at: token)
    }
    return unknownAttribute(name, among: names)
  }

  /// The call that a function and the attribute after it stand for: `prev(close)` for `previous close` and `yesterday's close`.
  private func formOfNext(_ name: String) -> String? {
    guard case .word(let next) = following.kind, Attribute(named: next) != nil else { return nil }
    let function = name == "yesterday" ? "prev" : LanguageReference.name(of: name, isOfGroups: false)
    let form = "\(function)(\(spelling(following)))"
    return LanguageReference.example(of: function) != nil && canBeAsked(form) ? form : nil
  }

  /// The call that a name with its number of rows stands for: `mean(close, 200)` for `sma200`.
  private func example(ofNumbered name: String) -> String? {
    let word = name.prefix { $0.isLetter }
    let digits = name.dropFirst(word.count).drop { $0 == "_" }
    guard let rows = Int(digits), 1...Limits.windowRows ~= rows, digits == "\(rows)",
      let example = LanguageReference.example(of: String(word)), example.hasSuffix(")")
    else { return nil }
    let start = example.dropLast().lastIndex { !$0.isNumber }.map { example.index(after: $0) } ?? example.endIndex
    return start < example.index(before: example.endIndex) ? "\(example[..<start])\(rows))" : example
  }

  /// How SQL's clauses are written. Each way of asking has these fields, and spells them its own way.
  private static let formsOfClauses = [
    "order": "it has a field of its own, order, such as volume desc",
    "sort": "it has a field of its own, order, such as volume desc",
    "limit": "it has a field of its own, limit, such as 10", "offset": "it has a field of its own, offset, such as 10",
    "group": "groups have fields of their own, aggregates such as mean(close), and by, such as month",
    "having": "it has a field of its own, having, such as count > 20", "over": "a window is written mean(close, 20)",
    "top": "it has a field of its own, top, such as 3 by volume per day",
    "qualify": "conditions on windows and ranks stand beside the others, with and",
  ]

  /// How others' names, and names without their arguments, are written.
  private static let formsOfNames: [String: String] = {
    let fields = CalendarField.allCases.filter { $0 != .day }
    let sql = [
      "select": "with the columns in a field of their own, such as date, close, and the condition alone",
      "where": "alone, without the word before it",
    ]
    return Dictionary(
      uniqueKeysWithValues: fields.map { ($0.rawValue, "\($0.rawValue)(date)") } + sql.map { ($0.key, $0.value) })
  }()

  /// Throws when the number `number`, which was just read, continues after a comma: `1,000`.
  func refuseThousandsSeparator(after number: PredicateToken) throws(PredicateSyntaxError) {
    guard !isInList, token.kind == .comma, token.range.lowerBound == number.range.upperBound,
      case .number = following.kind,
      following.range.lowerBound == token.range.upperBound
    else { return }
    throw thousandsError(token)
  }

  func thousandsError(_ comma: PredicateToken) -> PredicateSyntaxError {
    let (before, after) = (tokens[max(place(of: comma) - 1, 0)], tokens[min(place(of: comma) + 1, tokens.count - 1)])
    if spelling(after).count != 3, spelling(before).allSatisfy(\.isNumber), spelling(after).allSatisfy(\.isNumber) {
      return error("a comma isn't a decimal point; write \(spelling(before)).\(spelling(after))", at: comma)
    }
    return error("a comma does not separate thousands; write 3_000_000 or 3000000", at: comma)
  }

  /// Whether a number stands directly before the comma, which was just read, and three digits directly after it.
  func isLikeThousands(_ comma: PredicateToken) -> Bool {
    guard case .number = token.kind, token.range.lowerBound == comma.range.upperBound, spelling(token).count == 3 else {
      return false
    }
    let before = text.utf8.dropFirst(comma.range.lowerBound - 1).first
    return spelling(token).allSatisfy(\.isNumber) && before.map { (48...57).contains($0) } ?? false
  }
}
