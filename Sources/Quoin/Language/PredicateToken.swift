/// A word, number or sign of a predicate's text.
struct PredicateToken: Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or keyword, in lower case.
    case word(String)
    case number(NumberLiteral)
    case day(TradingDay)
    /// A text in quotes that isn't a day.
    case text(String)
    case comparison(Comparison)
    case arithmetic(RowFunction)
    case and, or, not
    case openParenthesis, closeParenthesis, openBracket, closeBracket, comma, semicolon
    case end
  }

  let kind: Kind
  /// Its place in the text, in bytes.
  let range: Range<Int>

  func isWord(_ word: String) -> Bool { kind == .word(word) }

  /// Whether a value may end with it, so that a sign after it is an operator.
  var endsValue: Bool {
    switch kind {
    case .word(let word): !PredicateParser.keywords.contains(word)
    case .number, .day, .text, .closeParenthesis, .closeBracket: true
    case .comparison, .arithmetic, .and, .or, .not, .openParenthesis, .openBracket, .comma, .semicolon, .end:
      false
    }
  }
}

/// A number in a predicate's text.
enum NumberLiteral: Hashable, Sendable {
  case decimal(DecimalLiteral)
  case infinity(isNegative: Bool)
  case notANumber

  /// The number as a predicate takes it. Compared with float64s it stands for the nearest one, which is infinite for a
  /// decimal beyond the largest.
  var exactNumber: Predicate.ExactNumber {
    switch self {
    case .decimal(let decimal): decimal.exactNumber
    case .infinity(let isNegative): (isNegative ? -Double.infinity : .infinity).exactNumber
    case .notANumber: Double.nan.exactNumber
    }
  }

  /// The number with the other sign.
  var negated: NumberLiteral {
    switch self {
    case .decimal(let decimal): .decimal(decimal.negated)
    case .infinity(let isNegative): .infinity(isNegative: !isNegative)
    case .notANumber: self
    }
  }
}
