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

  /// Whether a value may end with it.
  var endsValue: Bool {
    switch kind {
    case .word, .number, .day, .text, .closeParenthesis, .closeBracket: true
    default: false
    }
  }
}

extension PredicateToken {
  /// Whether a value may begin with it.
  var beginsValue: Bool {
    switch kind {
    case .word(let word): Attribute(named: word) != nil || word == "ticker"
    case .number, .day, .text, .openParenthesis: true
    default: false
    }
  }
}

/// A number in a predicate's text.
enum NumberLiteral: Hashable, Sendable {
  case decimal(DecimalLiteral)
  case infinity(isNegative: Bool)
  case notANumber
  /// What was computed from numbers.
  case double(Double)

  /// The number as a predicate takes it. Compared with float64s it stands for the nearest one, which is infinite for a
  /// decimal beyond the largest.
  var exactNumber: Predicate.ExactNumber {
    switch self {
    case .decimal(let decimal): decimal.exactNumber
    case .infinity(let isNegative): (isNegative ? -Double.infinity : .infinity).exactNumber
    case .notANumber: Double.nan.exactNumber
    case .double(let number): number.exactNumber
    }
  }

  /// The number with the other sign.
  var negated: NumberLiteral {
    switch self {
    case .decimal(let decimal): .decimal(decimal.negated)
    case .infinity(let isNegative): .infinity(isNegative: !isNegative)
    case .notANumber: self
    case .double(let number): .double(-number)
    }
  }
}
