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

  /// The comparison that holds where this one fails.
  var opposite: Comparison {
    switch self {
    case .below: .atLeast
    case .atMost: .above
    case .above: .atMost
    case .atLeast: .below
    case .equal: .notEqual
    case .notEqual: .equal
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
