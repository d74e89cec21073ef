@testable import QuoteGenerator

/// Writes texts without parentheses and functions, with spaces where it likes and as many signs as it likes.
struct TextWriter {
  var dice: SeededRandom

  /// An expression, or a condition.
  mutating func text() -> String {
    joined(dice.chance(0.5) ? number(named: false) : condition())
  }

  private mutating func number(named: Bool) -> [String] {
    let count = dice.element(of: [1, 1, 2, 2, 3, 5])
    let place = dice.below(count)
    var tokens: [String] = []
    for index in 0..<count {
      if index > 0 { tokens.append(dice.element(of: ["+", "-", "-", "*", "/", "\u{d7}", "\u{f7}", "\u{2212}"])) }
      tokens += operand(named: named && index == place)
    }
    return tokens
  }

  /// A value with signs before it, and perhaps powers.
  private mutating func operand(named: Bool) -> [String] {
    var tokens = signs() + [named || dice.chance(0.5) ? name() : literal()]
    while dice.chance(0.2) { tokens += ["^"] + signs() + [dice.element(of: ["2", "0.5", "3", "1", "ex_dividend"])] }
    return tokens
  }

  private mutating func signs() -> [String] {
    (0..<dice.element(of: [0, 0, 0, 1, 1, 2, 3])).map { _ in dice.element(of: ["-", "-", "+"]) }
  }

  private mutating func name() -> String {
    let name = dice.element(of: TextReader.names.keys.sorted())
    return dice.element(of: [name, name, name.uppercased(), name.capitalized])
  }

  private mutating func literal() -> String {
    dice.element(of: ["2", "10", "5%", ".5", "3.", "1e3", "2e-1", "1_000", "1K", "0.25", "7", "12", "2018", "0"])
  }

  private mutating func condition() -> [String] {
    let count = dice.element(of: [1, 1, 2, 3, 4])
    var tokens: [String] = []
    for index in 0..<count {
      if index > 0 { tokens.append(dice.element(of: ["and", "or", "&&", "||", "AND", "Or"])) }
      tokens += (0..<dice.element(of: [0, 0, 0, 1, 2])).map { _ in dice.element(of: ["not", "!", "NOT"]) }
      tokens += comparison()
    }
    return tokens
  }

  private mutating func comparison() -> [String] {
    let value = number(named: true)
    switch dice.below(6) {
    case 0: return value + ["is"] + (dice.chance(0.5) ? ["not"] : []) + ["missing"]
    case 1:
      return value + (dice.chance(0.3) ? ["not"] : []) + ["between"] + number(named: true) + ["and"]
        + number(named: false)
    default:
      // Of neighbors, one has a name.
      var tokens = value
      for index in 0..<dice.element(of: [1, 1, 1, 2, 3]) {
        let signs = ["<", "<=", ">", ">=", "=", "==", "!=", "<>", "\u{2265}", "\u{2264}", "\u{2260}"]
        tokens += [dice.element(of: signs)] + number(named: index % 2 == 1)
      }
      return tokens
    }
  }

  /// The tokens, with the spaces that they need and others.
  private mutating func joined(_ tokens: [String]) -> String {
    var text = ""
    for token in tokens {
      let needsSpace = text.last.map(Self.isOfWord) ?? false && Self.isOfWord(token.first ?? " ")
      let space = dice.element(of: ["", "", " ", " ", "  ", "\t", "\u{a0}"])
      text += (needsSpace && space.isEmpty ? " " : space) + token
    }
    return text
  }

  private static func isOfWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "._%".contains(character)
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
