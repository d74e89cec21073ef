@testable import Quoin

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a text without parentheses and functions means for a row, by precedence climbing over the ranks that `docs/language.md` lists.
/// It shares nothing with the product's reader.
struct TextReader {
  enum Value {
    case number(Double?)
    case truth(Bool?)

    /// 1 for true, 0 for false, NaN for what is missing or unknown.
    var number: Double {
      switch self {
      case .number(let number): number ?? .nan
      case .truth(let truth): truth.map { $0 ? 1 : 0 } ?? .nan
      }
    }
  }

  private enum Token: Equatable {
    case number(Double)
    case name(String)
    /// A sign, or a word that isn't a name.
    case sign(String)
  }

  private let grammar: WrittenGrammar
  private let row: [String: Double]
  private var tokens: [Token]
  /// Whether something was divided by zero, or became infinite.
  private(set) var isBeyondNumbers = false

  /// Nil for what isn't a text of the grammar.
  static func value(
    of text: String, _ row: [String: Double], _ grammar: WrittenGrammar
  ) -> (value: Value, isBeyondNumbers: Bool)? {
    guard let tokens = tokens(of: Array(text.lowercased()), grammar) else { return nil }
    var reader = TextReader(grammar: grammar, row: row, tokens: tokens.reversed())
    guard let value = reader.read(grammar.lowestRank), reader.tokens.isEmpty else { return nil }
    return (value, reader.isBeyondNumbers)
  }

  private init(grammar: WrittenGrammar, row: [String: Double], tokens: [Token]) {
    (self.grammar, self.row, self.tokens) = (grammar, row, tokens)
  }

  private mutating func take(_ sign: String) -> Bool {
    guard tokens.last == .sign(sign) else { return false }
    tokens.removeLast()
    return true
  }

  /// An operand, and what is joined with it by signs up to this rank.
  private mutating func read(_ rank: Int) -> Value? {
    guard var value = operand() else { return nil }
    while case .sign(let sign) = tokens.last, let (signRank, join) = grammar.between[negated(sign)], signRank <= rank {
      let next: Value?
      switch join {
      case .left:
        tokens.removeLast()
        next = read(signRank - 1).flatMap { apply(sign, value, $0) }
      case .right:
        tokens.removeLast()
        next = read(grammar.before["-"] ?? 0).flatMap { apply(sign, value, $0) }
      case .chain: next = chain(value, signRank)
      case .once: next = test(value, signRank)
      }
      guard let next else { return nil }
      value = next
    }
    return value
  }

  /// The `between` of `not between`.
  private func negated(_ sign: String) -> String {
    sign == "not" && tokens.dropLast().last == .sign("between") ? "between" : sign
  }

  private mutating func operand() -> Value? {
    switch tokens.popLast() {
    case .number(let number): return .number(number)
    case .name(let name): return .number(row[name])
    case .sign(let sign):
      guard let rank = grammar.before[sign], let value = read(rank) else { return nil }
      switch (sign, value) {
      case ("+", .number): return value
      case ("-", .number(let number)): return .number(number.map { -$0 })
      case ("not", .truth(let truth)), ("!", .truth(let truth)): return .truth(truth.map { !$0 })
      default: return nil
      }
    case nil: return nil
    }
  }

  private mutating func chain(_ first: Value, _ rank: Int) -> Value? {
    var (left, result) = (first, Bool?.some(true))
    while case .sign(let sign) = tokens.last, grammar.between[sign]?.join == .chain {
      tokens.removeLast()
      guard let right = read(rank - 1), case .number(let a) = left, case .number(let b) = right else { return nil }
      result = both(result, compare(sign, a, b))
      left = right
    }
    return .truth(result)
  }

  private func compare(_ sign: String, _ a: Double?, _ b: Double?) -> Bool? {
    guard let a, let b else { return nil }
    return switch sign {
    case "<": a < b
    case "<=": a <= b
    case ">": a > b
    case ">=": a >= b
    case "!=", "<>": a != b
    default: a == b
    }
  }

  /// `between` and `is missing`, and their negations.
  private mutating func test(_ value: Value, _ rank: Int) -> Value? {
    guard case .number(let number) = value else { return nil }
    if take("is") {
      let isNegated = take("not")
      guard take("missing") || take("null") else { return nil }
      return .truth((number == nil) != isNegated)
    }
    let isNegated = take("not")
    guard take("between"), case .number(let low) = read(rank - 1), take("and"), case .number(let high) = read(rank - 1)
    else { return nil }
    return .truth(both(compare(">=", number, low), compare("<=", number, high)).map { $0 != isNegated })
  }

  private mutating func apply(_ sign: String, _ left: Value, _ right: Value) -> Value? {
    switch (left, right) {
    case (.truth(let a), .truth(let b)):
      switch sign {
      case "and", "&&": return .truth(both(a, b))
      case "or", "||": return .truth(both(a.map { !$0 }, b.map { !$0 }).map { !$0 })
      default: return nil
      }
    case (.number(let a), .number(let b)):
      guard let a, let b else { return .number(nil) }
      let result: Double
      switch sign {
      case "+": result = a + b
      case "-": result = a - b
      case "*": result = a * b
      case "/": result = a / b
      case "^": result = pow(a, b)
      default: return nil
      }
      if sign == "/" && b == 0 || result.isInfinite { isBeyondNumbers = true }
      return .number(result.isNaN ? nil : result)
    default: return nil
    }
  }

  private func both(_ a: Bool?, _ b: Bool?) -> Bool? {
    a == false || b == false ? false : a == nil || b == nil ? nil : true
  }
}

// Words, numbers and signs.
extension TextReader {
  /// The ways to write names that texts have here, and the attributes.
  static let names = [
    "open": "open", "high": "high", "low": "low", "close": "close", "volume": "volume", "adj_close": "adj_close",
    "adj-close": "adj_close", "adj. close": "adj_close", "adj close": "adj_close", "adjclose": "adj_close",
    "adjusted_close": "adj_close", "adjustedclose": "adj_close", "ex-dividend": "ex-dividend",
    "ex_dividend": "ex-dividend",
    "exdividend": "ex-dividend", "split ratio": "split_ratio", "split_ratio": "split_ratio",
    "split-ratio": "split_ratio",
  ]

  private static let printed = [
    "\u{2265}": ">=", "\u{2264}": "<=", "\u{2260}": "!=", "\u{2212}": "-", "\u{d7}": "*", "\u{f7}": "/",
  ]

  private static func tokens(of text: [Character], _ grammar: WrittenGrammar) -> [Token]? {
    let words = Array(names.keys) + grammar.signs + ["missing", "null"] + Array(printed.keys)
    var (rest, tokens) = (text[...], [Token]())
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
      } else if first.isNumber || first == "." {
        guard let number = number(&rest) else { return nil }
        tokens.append(.number(number))
      } else {
        let found = words.filter { rest.starts(with: $0) }.max { $0.count < $1.count }
        guard let found else { return nil }
        rest.removeFirst(found.count)
        tokens.append(names[found].map { .name($0) } ?? .sign(printed[found] ?? found))
      }
    }
    return tokens
  }

  private static func number(_ rest: inout ArraySlice<Character>) -> Double? {
    var digits = ""
    while let next = rest.first, next.isNumber || "._".contains(next) || next == "e" {
      rest.removeFirst()
      if next != "_" { digits.append(next) }
      if next == "e", let sign = rest.first, "+-".contains(sign) { digits.append(rest.removeFirst()) }
    }
    guard let number = Double(digits.hasPrefix(".") ? "0" + digits : digits.hasSuffix(".") ? digits + "0" : digits)
    else {
      return nil
    }
    switch rest.first {
    case "k":
      rest.removeFirst()
      return number * 1000
    case "%":
      rest.removeFirst()
      return number / 100
    default: return number
    }
  }
}
