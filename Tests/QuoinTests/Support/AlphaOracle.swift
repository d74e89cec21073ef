import Foundation

@testable import Quoin

/// The alphas of Kakushadze's "101 Formulaic Alphas" (arXiv 1601.00991), computed from the formulas as they are printed there, cell by
/// cell. It shares with the library the names of functions, and with the other oracles `NaiveWindow`.
///
/// A number of days with a fraction is rounded down, and `adv20` is the mean of the close times the volume, as the paper has it. The
/// paper's vwap is that of the trades of the day, which daily quotes don't have: it is the mean of high, low and close here.
struct AlphaOracle {
  /// A number, or nothing (NaN). Two computations of an inexact one may differ in the last bits; where an order or a comparison
  /// hangs on them, the result is unsure.
  struct Cell {
    var value: Double
    var isExact = true
    var isSure = true

    init(_ value: Double, _ parts: Cell..., isExact: Bool = true, isSure: Bool = true) {
      self.value = value.isFinite ? value : .nan
      self.isExact = isExact && parts.allSatisfy(\.isExact)
      self.isSure = isSure && parts.allSatisfy(\.isSure)
    }

    var isMissing: Bool { value.isNaN }

    /// Whether the order of the two hangs on the last bits.
    func isNear(_ other: Cell) -> Bool {
      if isMissing || other.isMissing || isExact && other.isExact { return false }
      return (value - other.value).magnitude <= 1e-9 * max(value.magnitude, other.value.magnitude, 1e-6)
    }
  }

  /// A cell for each row of each ticker.
  typealias Panel = [[Cell]]

  private let quotes: [QuoteColumns]
  /// The rows of each day: ticker and row.
  private let days: [[(Int, Int)]]
  private var known: [String: Panel] = [:]

  /// - Parameter quotes: the rows of each ticker, by day.
  init(_ quotes: [QuoteColumns]) {
    self.quotes = quotes
    var days: [TradingDay: [(Int, Int)]] = [:]
    for (ticker, columns) in quotes.enumerated() {
      for (row, day) in columns.days.enumerated() { days[day, default: []].append((ticker, row)) }
    }
    self.days = Array(days.values)
  }

  /// The values of a formula.
  mutating func values(of formula: String) -> Panel {
    var reader = AlphaReader(formula)
    return value(reader.whole())
  }

  private mutating func value(_ formula: AlphaFormula) -> Panel {
    let name = "\(formula)"
    if let panel = known[name] { return panel }
    let panel = computed(formula)
    known[name] = panel
    return panel
  }

  private mutating func computed(_ formula: AlphaFormula) -> Panel {
    switch formula {
    case .number(let number): return quotes.map { $0.days.map { _ in Cell(number) } }
    case .name(let name): return column(name)
    case .call(let name, let parts): return call(name, parts)
    }
  }

  private mutating func column(_ name: String) -> Panel {
    if let attribute = Attribute(named: name) {
      return quotes.map { columns in columns.days.indices.map { Cell(columns.doubles(attribute)[$0]) } }
    }
    switch name {
    case "returns":
      return value(AlphaReader.formula("close / delay(close, 1) - 1"))
    case "vwap": return value(AlphaReader.formula("(high + low + close) / 3"))
    default:
      guard let days = Int(name.dropFirst(3)), name.hasPrefix("adv") else { preconditionFailure("what is \(name)?") }
      return window(.mean, [value(AlphaReader.formula("close * volume"))], days)
    }
  }

  private mutating func call(_ name: String, _ parts: [AlphaFormula]) -> Panel {
    if name == "min" || name == "max", case .number(let days) = parts[1] {
      return window(name == "min" ? .min : .max, [value(parts[0])], Int(days))
    }
    if let function = Self.windows[name], case .number(let days)? = parts.last {
      return window(function, parts.dropLast().map { value($0) }, Int(days))
    }
    if case .number(let number)? = parts.last, let days = Int(exactly: number.rounded(.down)) {
      let x = value(parts[0])
      switch name {
      case "delay": return Self.delayed(x, days)
      case "delta": return zip(x, Self.delayed(x, days)).map { zip($0, $1).map { Cell($0.value - $1.value, $0, $1) } }
      case "ts_argmax", "ts_argmin":
        return window(name == "ts_argmax" ? .argmax : .argmin, [x], days).map {
          $0.map { Cell(Double(days) - $0.value, $0) }
        }
      default: break
      }
    }
    let inputs = parts.map { value($0) }
    switch name {
    case "rank": return ofDays(inputs[0], Self.ranks)
    case "scale":
      return ofDays(inputs[0]) { cells in
        let present = cells.filter { !$0.isMissing }
        let sum = NaiveSum.sum(present.map(\.value.magnitude))
        return cells.map {
          Cell($0.value / sum, $0, isExact: present.allSatisfy(\.isExact), isSure: present.allSatisfy(\.isSure))
        }
      }
    default:
      return inputs[0].indices.map { ticker in
        inputs[0][ticker].indices.map { row in Self.cell(name, inputs.map { $0[ticker][row] }) }
      }
    }
  }

  /// What is computed of one row.
  private static func cell(_ name: String, _ x: [Cell]) -> Cell {
    let (a, b) = (x[0], x.count > 1 ? x[1] : x[0])
    let isKnown = !a.isMissing && !b.isMissing
    switch name {
    case "+": return Cell(a.value + b.value, a, b)
    case "-": return Cell(x.count == 1 ? -a.value : a.value - b.value, a, b)
    case "*": return Cell(a.value * b.value, a, b)
    case "/": return Cell(a.value / b.value, a, b)
    case "^", "signedpower": return Cell(isKnown ? pow(a.value, b.value) : .nan, a, b, isExact: false)
    case "abs": return Cell(a.value.magnitude, a)
    // In the same order as the values are.
    case "log": return Cell(log(a.value), a)
    case "sign":
      return Cell(a.isMissing ? .nan : a.value > 0 ? 1 : a.value < 0 ? -1 : 0, a, isSure: !a.isNear(Cell(0)))
    case "min", "max":
      return Cell(isKnown ? (name == "min" ? min(a.value, b.value) : max(a.value, b.value)) : .nan, a, b)
    case "<": return truth(isKnown ? a.value < b.value : nil, a, b, isSure: !a.isNear(b))
    case "==": return truth(isKnown ? a.value == b.value : nil, a, b, isSure: !a.isNear(b))
    case "||":
      let holds = a.value == 1 || b.value == 1
      return truth(isKnown || holds ? holds : nil, a, b, isSure: true)
    case "?": return a.isMissing ? Cell(.nan, a) : Cell(x[a.value == 1 ? 1 : 2].value, a, x[a.value == 1 ? 1 : 2])
    default: preconditionFailure("the oracle has no \(name)")
    }
  }

  private static func truth(_ holds: Bool?, _ a: Cell, _ b: Cell, isSure: Bool) -> Cell {
    var cell = Cell(holds.map { $0 ? 1 : 0 } ?? .nan, isSure: isSure && a.isSure && b.isSure)
    cell.isExact = true
    return cell
  }

  private static let windows: [String: WindowFunction] = [
    "sum": .sum, "stddev": .std, "correlation": .corr, "covariance": .cov, "product": .product, "ts_min": .min,
    "ts_max": .max, "ts_rank": .rank, "decay_linear": .wmean,
  ]

  /// The values of the last rows; missing before there are as many.
  private func window(_ function: WindowFunction, _ inputs: [Panel], _ count: Int) -> Panel {
    inputs[0].indices.map { ticker in
      inputs[0][ticker].indices.map { row in
        guard row + 1 >= count else { return Cell(.nan) }
        let cells = inputs.map { Array($0[ticker][(row + 1 - count)...row]) }
        return Self.cell(function, cells)
      }
    }
  }

  private static func cell(_ function: WindowFunction, _ cells: [[Cell]]) -> Cell {
    let value = NaiveWindow(cells: cells.map { $0.map(\.value) }).value(function, 0)
    var isExact = cells.allSatisfy { $0.allSatisfy(\.isExact) }
    var isSure = cells.allSatisfy { $0.allSatisfy(\.isSure) }
    switch function {
    case .sum, .mean, .min, .max: break
    case .rank:
      let newest = cells[0][cells[0].count - 1]
      isSure = isSure && !cells[0].dropLast().contains { $0.isNear(newest) }
      isExact = true
    case .argmax, .argmin:
      let values = cells[0].filter { !$0.isMissing }
      let extreme = function == .argmax ? values.max { $0.value < $1.value } : values.min { $0.value < $1.value }
      isSure = isSure && values.count { extreme?.isNear($0) ?? false } <= 1
      isExact = true
    case .corr, .cov, .std:
      // Of values that hardly change, the deviations are the errors of rounding.
      for input in cells {
        let values = input.map(\.value).filter { !$0.isNaN }
        let (low, high) = (values.min() ?? 0, values.max() ?? 0)
        if high - low < 1e-6 * max(low.magnitude, high.magnitude), low != high || !isExact { isSure = false }
      }
      isExact = false
    default: isExact = false
    }
    return Cell(value, isExact: isExact, isSure: isSure)
  }

  private static func delayed(_ panel: Panel, _ count: Int) -> Panel {
    panel.map { cells in cells.indices.map { $0 < count ? Cell(.nan) : cells[$0 - count] } }
  }

  private func ofDays(_ panel: Panel, _ body: ([Cell]) -> [Cell]) -> Panel {
    var result = panel
    for places in days {
      for ((ticker, row), cell) in zip(places, body(places.map { panel[$0][$1] })) { result[ticker][row] = cell }
    }
    return result
  }

  /// The mean rank among the values that are there, as a share of them.
  private static func ranks(_ cells: [Cell]) -> [Cell] {
    let present = cells.filter { !$0.isMissing }
    let isSure = present.allSatisfy(\.isSure)
    return cells.map { cell in
      if cell.isMissing { return cell }
      let (below, equal) = (present.count { $0.value < cell.value }, present.count { $0.value == cell.value })
      var rank = Cell(
        (Double(below) + Double(equal + 1) / 2) / Double(present.count),
        isSure: isSure && present.count { $0.isNear(cell) } <= (cell.isExact ? 0 : 1))
      rank.isExact = true
      return rank
    }
  }
}

/// A formula as the paper prints it.
indirect enum AlphaFormula {
  case number(Double)
  case name(String)
  /// A function or a sign.
  case call(String, [AlphaFormula])
}

/// Reads formulas: `? :` binds least, then `||`, `<` and `==`, `+` and `-`, `*` and `/`, `-` before a value, `^`.
struct AlphaReader {
  private var words: [String] = []
  private var place = 0

  init(_ text: String) {
    var rest = text.lowercased().drop { $0 == " " }
    while let first = rest.first {
      let isNumber = first.isNumber || first == "."
      let word =
        isNumber
        ? rest.prefix { $0.isNumber || $0 == "." }
        : first.isLetter
          ? rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
          : rest.hasPrefix("||") || rest.hasPrefix("==") ? rest.prefix(2) : rest.prefix(1)
      words.append(String(word))
      rest = rest.dropFirst(word.count).drop { $0 == " " }
    }
  }

  static func formula(_ text: String) -> AlphaFormula {
    var reader = AlphaReader(text)
    return reader.whole()
  }

  mutating func whole() -> AlphaFormula {
    let formula = choice()
    precondition(place == words.count, "what is \(words[place...])?")
    return formula
  }

  private var word: String { place < words.count ? words[place] : "" }

  private mutating func take(_ wanted: String) -> Bool {
    if word != wanted { return false }
    place += 1
    return true
  }

  private mutating func choice() -> AlphaFormula {
    let condition = chain(0)
    guard take("?") else { return condition }
    let first = choice()
    precondition(take(":"), "expected ':' before \(word)")
    return .call("?", [condition, first, choice()])
  }

  private static let signs = [["||"], ["<", "=="], ["+", "-"], ["*", "/"]]

  private mutating func chain(_ level: Int) -> AlphaFormula {
    guard level < Self.signs.count else { return signed() }
    var formula = chain(level + 1)
    while Self.signs[level].contains(word) {
      let sign = word
      place += 1
      formula = .call(sign, [formula, chain(level + 1)])
    }
    return formula
  }

  private mutating func signed() -> AlphaFormula {
    if take("-") { return .call("-", [signed()]) }
    let base = atom()
    return take("^") ? .call("^", [base, signed()]) : base
  }

  private mutating func atom() -> AlphaFormula {
    if take("(") {
      let formula = choice()
      precondition(take(")"), "expected ')' before \(word)")
      return formula
    }
    let name = word
    place += 1
    if let number = Double(name) ?? Double("0" + name) ?? Double(name + "0") { return .number(number) }
    guard take("(") else { return .name(name) }
    var parts = [choice()]
    while take(",") { parts.append(choice()) }
    precondition(take(")"), "expected ')' before \(word)")
    return .call(name, parts)
  }
}
