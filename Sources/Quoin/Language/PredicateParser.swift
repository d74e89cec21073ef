extension Predicate {
  /// The predicate that `text` spells in the query language: `high > 80 and high < 83 and not (volume between 0 and 1000)`.
  ///
  /// ```
  /// predicate   = conjunction { ("or" | "||") conjunction }
  /// conjunction = negation { ("and" | "&&") negation }
  /// negation    = { "not" | "!" } ( "(" predicate ")" | "true" | "false" | comparison | "every(...)" and the like )
  /// comparison  = sum compare sum { compare sum }                        80 < high <= 83
  ///             | sum [ "not" ] "between" sum "and" sum                  both ends inside
  ///             | sum [ "not" ] "in" [ "range" ] ("(" | "[") sum "," sum (")" | "]")   a range: [ ] inside, ( ) outside
  ///             | sum [ "not" ] "in" "(" sum { "," sum } ")"             one of these
  ///             | sum "is" [ "not" ] ("missing" | "null")
  /// sum         = product { ("+" | "-") product }
  /// product     = sign { ("*" | "/") sign }
  /// sign        = ( "-" | "+" ) sign | power
  /// power       = atom [ other ] [ "^" sign ]                            so -2^2 is -4
  /// other       = "of" ticker [ "within" days ( "day" | "days" ) ]       close of SPY within 5 days: of its newest row since then
  /// atom        = attribute | value | "(" sum ")" | function "(" arguments [ day ] ")"
  /// day         = [ "asc" | "desc" ] "by" "day" [ "among" predicate ]    among the quotes of the day: rank(close by day)
  /// compare     = "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" | "<>"
  /// attribute   = "date" | a name of Attribute(named:)
  /// value       = 80 | .5 | 1e6 | 3_000_000 | 3M | 5% | inf | nan | 2005-01-03 | '2005-01-03'
  /// ```
  ///
  /// Keywords and names may be in any case. A missing value never matches a comparison, negated or not (like SQL's NULL):
  /// neither `high = 80` nor `high != 80` finds it. A number compared with a float64 attribute stands for the nearest
  /// float64. A number compared with a volume is exact, so `volume > 2.5` is `volume >= 3`. No value compares with `nan`. With
  /// round brackets, `in` takes a list; a range without its ends is `80 < high < 83` or `in range (80, 83)`.
  ///
  /// - Throws: `PredicateSyntaxError`, also for a text of more than 64 KiB or with more than 100 parentheses inside each
  ///   other. Complexity: O(bytes).
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text)
    self = try parser.wholePredicate()
  }

  /// The predicate that `text` spells, which may use these definitions, and what the user should know of how it was read.
  package static func parsing(
    _ text: String, _ definitions: Definitions
  ) throws(PredicateSyntaxError) -> (predicate: Predicate, notes: [String]) {
    var parser = try PredicateParser(text, definitions)
    let predicate = try parser.wholePredicate()
    return (predicate, parser.notes)
  }
}

extension QuoteExpression {
  /// The expression that `text` spells in the query language: `close / prev(close) - 1`, `mean(close, 20)`.
  ///
  /// It is what stands on a side of a comparison in a predicate, and follows the same rules.
  ///
  /// - Throws: `PredicateSyntaxError`. Complexity: O(bytes).
  public init(parsing text: String) throws(PredicateSyntaxError) {
    var parser = try PredicateParser(text)
    self = try parser.wholeExpression()
  }
}

/// Reads a predicate from its tokens by recursive descent; `Predicate.init(parsing:)` has the grammar.
struct PredicateParser {
  let text: String
  var definitions: Definitions
  let tokens: [PredicateToken]
  /// As many levels as there may be inside each other: parentheses, and powers.
  private let nestingCount: Int
  private var index = 0
  private(set) var depth = 0
  /// Whether what is read stands in a list, whose parts have commas between them.
  var isInList = false
  /// Whether what is read is of groups of quotes, so that functions are aggregates, and columns of groups have names.
  var isOfGroups = false
  var groupColumns: [String: QuoteExpression] = [:]
  /// What the quotes of a group share.
  var groupKeys: [Grouping.Key] = []
  /// What the user should know of how the text was read.
  var notes: [String] = []
  /// Whether the text is what an error may say to write.
  var isProposal = false

  init(_ text: String, _ definitions: Definitions = Definitions()) throws(PredicateSyntaxError) {
    self.text = text
    self.definitions = definitions
    var names = Set(definitions.phrases.keys)
    var tokens = try PredicateLexer.tokens(of: text, names: names)
    if tokens.contains(where: { $0.kind == .semicolon }) {
      // What is defined on the way decides where words end after it: r-close is a difference.
      names.formUnion(tokens.definedNames)
      tokens = try PredicateLexer.tokens(of: text, names: names)
    }
    self.tokens = tokens
    nestingCount = tokens.nestingCount
  }

  /// The next token; `.end` after the last.
  var token: PredicateToken { tokens[index] }

  /// The token after `token`.
  var following: PredicateToken { tokens[min(index + 1, tokens.count - 1)] }

  /// The token before `token`; nil before the first.
  var previous: PredicateToken? { index > 0 ? tokens[index - 1] : nil }

  /// Takes the next token and returns it.
  @discardableResult
  mutating func advance() -> PredicateToken {
    defer { index = min(index + 1, tokens.count - 1) }
    return tokens[index]
  }

  /// The place of what was read, which began with `start`.
  func range(from start: PredicateToken) -> Range<Int> {
    start.range.lowerBound..<max(start.range.upperBound, tokens[max(index - 1, 0)].range.upperBound)
  }

  mutating func wholePredicate() throws(PredicateSyntaxError) -> Predicate {
    if token.kind == .end { throw error("the predicate is empty; write a comparison such as high > 80", at: token) }
    let start = token
    let phrase = try phrase()
    let predicate = try predicate(phrase, from: start)
    guard token.kind == .end else { throw unexpectedContinuation() }
    return predicate
  }

  mutating func wholeExpression() throws(PredicateSyntaxError) -> QuoteExpression {
    let start = token
    let phrase = try phrase()
    let expression = try expression(phrase, from: start)
    guard token.kind == .end else { throw unexpectedContinuation() }
    return expression
  }

  /// A predicate or a value, whichever comes.
  mutating func phrase() throws(PredicateSyntaxError) -> Phrase {
    guard depth == 0, nestingCount > 0 else { return try readPhrase() }
    return try SystemThread.deep(levelCount: nestingCount) { () throws(PredicateSyntaxError) in try readPhrase() }
  }

  private mutating func readPhrase() throws(PredicateSyntaxError) -> Phrase {
    let start = token
    let first = try conjunction()
    guard token.kind == .or else { return first }
    var parts = [try predicate(first, from: start)]
    while token.kind == .or {
      advance()
      let start = token
      let next = try conjunction()
      parts.append(try predicate(next, from: start))
    }
    return .predicate(.any(parts))
  }

  private mutating func conjunction() throws(PredicateSyntaxError) -> Phrase {
    let start = token
    let first = try negation()
    guard token.kind == .and else { return first }
    var parts = [try predicate(first, from: start)]
    while token.kind == .and {
      advance()
      let start = token
      let next = try negation()
      parts.append(try predicate(next, from: start))
    }
    return .predicate(.all(parts))
  }

  /// Two negations cancel out, for missing cells too, so a series of them needs no depth.
  private mutating func negation() throws(PredicateSyntaxError) -> Phrase {
    guard token.kind == .not else { return try comparison() }
    var isNegated = false
    while token.kind == .not {
      isNegated.toggle()
      advance()
    }
    let start = token
    let phrase = try comparison()
    let predicate = try predicate(phrase, from: start)
    return .predicate(isNegated ? predicate.negated : predicate)
  }

  /// Reads something inside something else. Throws when that is too deep.
  mutating func nested<Inside>(
    _ inside: (inout PredicateParser) throws(PredicateSyntaxError) -> Inside
  ) throws(PredicateSyntaxError) -> Inside {
    guard depth < Limits.predicateDepth else {
      throw error("more than \(Limits.predicateDepth) parentheses inside each other", at: token)
    }
    depth += 1
    defer { depth -= 1 }
    return try inside(&self)
  }

  /// What stands between parentheses, the first of which comes next.
  mutating func parenthesized<Inside>(
    _ inside: (inout PredicateParser) throws(PredicateSyntaxError) -> Inside
  ) throws(PredicateSyntaxError) -> Inside {
    let open = token
    let result = try nested { parser throws(PredicateSyntaxError) in
      parser.advance()
      return try inside(&parser)
    }
    if token.kind == .end { throw error("this parenthesis is not closed", at: open) }
    guard token.kind == .closeParenthesis else { throw unexpectedContinuation() }
    advance()
    return result
  }
}

extension Predicate {
  /// The negation, without a second `not` before a `not`.
  var negated: Predicate {
    if case .not(let part) = form { return part }
    return .not(self)
  }
}

extension [PredicateToken] {
  /// The names of definitions that have `;` between them.
  fileprivate var definedNames: [String] {
    indices.compactMap { index in
      guard case .word(let name) = self[index].kind, index == 0 || self[index - 1].kind == .semicolon,
        index + 1 < count, self[index + 1].kind == .comparison(.equal)
      else { return nil }
      return name
    }
  }

  /// The most parentheses inside each other, and all powers, each of which may be inside the one before.
  fileprivate var nestingCount: Int {
    var (depth, most, powerCount) = (0, 0, 0)
    for token in self {
      switch token.kind {
      case .openParenthesis: depth += 1
      case .closeParenthesis: depth -= 1
      case .arithmetic(.power): powerCount += 1
      default: break
      }
      most = Swift.max(most, depth)
    }
    return most + powerCount
  }
}
