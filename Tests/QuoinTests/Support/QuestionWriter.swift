import Quoin

@testable import QuoteGenerator

struct QuestionTexts {
  var names: [String] = []
  var condition: String?
  var columns = "date"
  var top: String?
  var aggregates = "count"
  var having: String?
  var kind = 0

  /// The same as fields by their names: groups, or rows.
  var fields: [(name: String, text: String)] {
    var fields: [(name: String, text: String)] = []
    if !names.isEmpty { fields.append(("let", names.joined(separator: "; "))) }
    if let condition { fields.append(("where", condition)) }
    if let top { fields.append(("top", top)) }
    if kind == 4 {
      fields += [("aggregates", aggregates), ("by", "ticker, month")]
      if let having { fields.append(("having", having)) }
    } else {
      fields += [("columns", columns), ("limit", "100")]
    }
    return fields
  }
}

/// Writes questions, each name from those before it.
struct QuestionWriter {
  var dice: SeededRandom
  private var numbers = ["close", "volume"]
  private var conditions: [String] = []

  init(_ dice: SeededRandom) { self.dice = dice }

  mutating func question() -> QuestionTexts {
    var texts = QuestionTexts()
    let (count, depth) = (dice.element(of: [0, 1, 3, 10, 40, 120]), dice.element(of: [1, 1, 2, 3]))
    for index in 0..<count {
      // Mostly of the names before it: so trees double.
      if dice.chance(0.3) {
        texts.names.append("c\(index) = \(condition(depth))")
        conditions.append("c\(index)")
      } else {
        texts.names.append("x\(index) = \(number(depth))")
        numbers.append("x\(index)")
      }
    }
    if dice.chance(0.8) { texts.condition = condition(depth + 1) }
    if dice.chance(0.5) {
      texts.columns = (0..<(1 + dice.below(8))).map { "\(number(depth)) as n\($0)" }.joined(separator: ", ")
    }
    if dice.chance(0.1) { texts.top = "\(1 + dice.below(3)) by \(number(depth)) per day" }
    texts.kind = dice.below(5)
    texts.aggregates = aggregates(depth)
    if dice.chance(0.3) { texts.having = "count > 1 and a0 > 0" }
    return texts
  }

  /// A number, as somebody may type it: with a sign, or without the spaces that aren't needed.
  mutating func typedNumber() -> String {
    var text = number(dice.below(4))
    if dice.chance(0.2) { text = dice.element(of: ["-", "- ", "--", "+"]) + text }
    if dice.chance(0.1) { text += " of '\(dice.element(of: ["KO", "A(B", "A;B", "A,B", "A)"]))'" }
    if dice.chance(0.2) { text += dice.element(of: ["^2", "*-1", "/open", " - low", "-low"]) }
    if dice.chance(0.3) { text = text.replacing(#/ ([-+*/^,<>=!]+) /#) { "\($0.output.1)" } }
    return text
  }

  private mutating func aggregates(_ depth: Int) -> String {
    let function = dice.element(of: ["sum", "max", "mean", "median", "std", "first"])
    var list = ["\(function)(\(number(depth))) as a0"]
    for index in 1..<dice.element(of: [2, 5, 40]) { list.append("a\(index - 1) + a\(index - 1) as a\(index)") }
    if dice.chance(0.3) {
      let function = dice.element(of: ["mean", "max", "count", "argmax"])
      list.append("\(function)(a\(list.count - 1) per \(dice.element(of: ["month", "weekday, year", "day"]))) as p")
    }
    return list.joined(separator: ", ")
  }

  private mutating func number(_ depth: Int) -> String {
    if depth == 0 || dice.chance(0.1) {
      return dice.chance(0.8)
        ? dice.element(of: Array(numbers.suffix(4)))
        : dice.element(of: ["open", "high", "low", "adj_close", "1", "-2.5", "1e300", "nan", "year(date)", "0"])
    }
    let x = number(depth - 1)
    let rows = dice.element(of: [1, 2, 20, 250, 5000, 1_000_000])
    switch dice.below(12) {
    case 0, 1, 2, 3: return "(\(x) \(dice.element(of: ["+", "-", "*", "/", "^"])) \(number(depth - 1)))"
    case 4: return "\(dice.element(of: ["abs", "log", "exp", "sqrt", "round"]))(\(x))"
    case 5, 6:
      let function = dice.element(
        of: LanguageWords.words(.window).filter { !["corr", "cov", "quantile"].contains($0) })
      return "\(function)(\(x), \(rows) min 1)"
    case 7: return "\(dice.element(of: ["prev", "change", "diff"]))(\(x), \(rows))"
    case 8: return "\(dice.element(of: ["rank", "pctrank", "mean", "zscore"]))(\(x) by day)"
    case 9: return "if(\(condition(depth - 1)), \(x), \(number(depth - 1)))"
    case 10: return "(\(x)) of '\(dice.element(of: ["KO", "SPY", "NONE"]))'"
    default: return "\(dice.element(of: ["count", "share"]))(\(condition(depth - 1)), \(rows) min 1)"
    }
  }

  private mutating func condition(_ depth: Int) -> String {
    if depth == 0 || dice.chance(0.1) {
      return conditions.isEmpty || dice.chance(0.2) ? "close > 30" : dice.element(of: Array(conditions.suffix(3)))
    }
    switch dice.below(6) {
    case 0, 1: return "(\(condition(depth - 1)) \(dice.element(of: ["and", "or"])) \(condition(depth - 1)))"
    case 2: return "not (\(condition(depth - 1)))"
    case 3: return "\(dice.element(of: ["every", "any"]))(\(condition(depth - 1)), 20)"
    case 4: return "(\(number(depth - 1))) between 1 and 100"
    default: return "\(number(depth - 1)) \(dice.element(of: ["<", ">=", "=", "!="])) \(number(depth - 1))"
    }
  }
}
