extension Aggregation {
  /// The aggregates that `text` lists: `mean(close), sum(volume), count`.
  ///
  /// ```
  /// list      = aggregate { "," aggregate }
  /// aggregate = "count"                            the number of quotes
  ///           | function "(" attribute ")"
  /// function  = "count" | "min" | "max" | "sum" | "mean" | "first" | "last"
  /// attribute = a name of Attribute(named:)
  /// ```
  ///
  /// Names may be in any case.
  ///
  /// - Throws: `PredicateSyntaxError`, also for an aggregate that is listed twice. Complexity: O(bytes).
  public static func list(parsing text: String) throws(PredicateSyntaxError) -> [Aggregation] {
    var parser = try PredicateParser(text)
    return try parser.aggregations()
  }
}

extension PredicateParser {
  fileprivate mutating func aggregations() throws(PredicateSyntaxError) -> [Aggregation] {
    if token.kind == .end {
      throw error("the list of aggregates is empty; write some such as mean(close), sum(volume)", at: token)
    }
    var list: [Aggregation] = []
    while true {
      let start = token
      let next = try aggregation()
      if list.contains(next) { throw error("\(next) is listed twice", at: start) }
      list.append(next)
      if token.kind == .end { return list }
      guard token.kind == .comma else { throw expected("a comma or the end") }
      advance()
    }
  }

  private mutating func aggregation() throws(PredicateSyntaxError) -> Aggregation {
    let function = try function()
    if function == .count, token.kind != .openParenthesis { return .count }
    guard token.kind == .openParenthesis else {
      throw expected("'(' and an attribute, such as \(function.rawValue)(close)")
    }
    advance()
    let attribute = try aggregatedAttribute()
    guard token.kind == .closeParenthesis else { throw expected("')'") }
    advance()
    return Aggregation(function, of: attribute)
  }

  private mutating func function() throws(PredicateSyntaxError) -> Aggregation.Function {
    guard case .word(let name) = token.kind else { throw expected("an aggregate such as mean(close)") }
    if let function = Aggregation.Function(rawValue: name) {
      advance()
      return function
    }
    if following.kind != .openParenthesis, let attribute = Attribute(named: name) {
      throw error("\(quoted(token)) needs a function, such as mean(\(attribute.wikiName))", at: token)
    }
    let names = Aggregation.Function.allCases.map(\.rawValue)
    let hint = Self.synonyms[name].map { Suggestion.question($0) } ?? Suggestion.hint(for: name, among: names)
    throw error("unknown function \(quoted(token)); \(hint)", at: token)
  }

  /// What other languages call the functions.
  private static let synonyms = [
    "avg": "mean", "average": "mean", "minimum": "min", "maximum": "max", "total": "sum", "n": "count", "open": "first",
    "close": "last",
  ]

  private mutating func aggregatedAttribute() throws(PredicateSyntaxError) -> Attribute {
    guard case .word(let name) = token.kind else { throw expected("an attribute such as close") }
    guard let attribute = Attribute(named: name) else {
      throw unknownAttribute(name, among: Attribute.allCases.map(\.wikiName))
    }
    advance()
    return attribute
  }
}
