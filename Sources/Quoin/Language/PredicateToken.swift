/// A word, number or sign of a predicate's text.
struct PredicateToken: Sendable {
  enum Kind: Hashable, Sendable {
    /// A name or keyword, in lower case.
    case word(String)
    case number(NumberLiteral)
    case day(TradingDay)
    case comparison(Comparison)
    case and, or, not
    case openParenthesis, closeParenthesis, openBracket, closeBracket, comma
    case end
  }

  let kind: Kind
  /// Its place in the text, in bytes.
  let range: Range<Int>

  func isWord(_ word: String) -> Bool { kind == .word(word) }
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
}

/// How a comparison compares its left side with its right side.
enum Comparison: String, Hashable, Sendable {
  case below = "<"
  case atMost = "<="
  case above = ">"
  case atLeast = ">="
  case equal = "="
  case notEqual = "!="

  init?(symbol: String) {
    switch symbol {
    case "==": self = .equal
    case "<>": self = .notEqual
    default: self.init(rawValue: symbol)
    }
  }

  /// The equivalent comparison with the sides exchanged.
  var mirrored: Comparison {
    switch self {
    case .below: .above
    case .atMost: .atLeast
    case .above: .below
    case .atLeast: .atMost
    case .equal, .notEqual: self
    }
  }
}
