#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is known of an attribute's cells in some rows.
struct AttributeFacts {
  /// The values, as float64s.
  var bounds: ValueBounds
  /// The extremes of an int64 attribute; nil without values.
  var integers: ClosedRange<Int64>?

  func union(_ other: AttributeFacts) -> AttributeFacts {
    var integers = integers ?? other.integers
    if let a = self.integers, let b = other.integers {
      integers = min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
    }
    return AttributeFacts(bounds: bounds.union(other.bounds), integers: integers)
  }
}

/// What is known of some rows of one ticker.
struct RowFacts {
  /// Of each attribute that a program reads, in the order of its list.
  var attributes: [AttributeFacts]
  var days: ClosedRange<TradingDay>

  func union(_ other: RowFacts) -> RowFacts {
    RowFacts(
      attributes: zip(attributes, other.attributes).map { $0.union($1) },
      days: min(days.lowerBound, other.days.lowerBound)...max(days.upperBound, other.days.upperBound))
  }
}

/// A program, evaluated over what is known of some rows of one ticker, and of the rows that they depend on. A market has
/// thousands of blocks, so one of these is used for all of them, and a step allocates nothing.
struct ProgramBounds {
  private let program: Program
  private let names: [Attribute]
  private var facts = RowFacts(attributes: [], days: .earliest ... .latest)
  private var ticker: TickerSymbol?
  private var columns: [ValueBounds] = []

  init(_ program: Program) {
    self.program = program
    names = program.attributes.names
    columns.reserveCapacity(program.steps.count)
  }

  /// The bounds of the program's first expression.
  mutating func bounds(over facts: RowFacts, of ticker: TickerSymbol) -> ValueBounds {
    (self.facts, self.ticker) = (facts, ticker)
    columns.removeAll(keepingCapacity: true)
    for step in program.steps { columns.append(bounds(of: step)) }
    return program.outputs.first.map(bounds) ?? .unknown
  }

  private func bounds(_ operand: Program.Operand) -> ValueBounds {
    switch operand {
    case .number(let bits): ValueBounds(Double(bitPattern: bits))
    case .step(let index): columns[index]
    }
  }

  private func facts(of name: Attribute) -> AttributeFacts? {
    names.firstIndex(of: name).map { facts.attributes[$0] }
  }

  private func bounds(of step: Program.Step) -> ValueBounds {
    func x(_ index: Int) -> ValueBounds { bounds(step.operands[index]) }
    switch step.operation {
    case .attribute(let name): return facts(of: name)?.bounds ?? .unknown
    case .calendar(let field): return calendar(field)
    case .row(let function): return row(function, x(0), step.operands.count > 1 ? x(1) : .unknown)
    case .shift:
      var shifted = x(0)
      shifted.mayBeMissing = true
      return shifted
    case .window(let function, let window, _): return windowed(function, x(0), window)
    case .flag(let function, let window): return flagged(function, x(0), window)
    case .compare(let comparison): return compared(x(0), comparison, x(1))
    case .isInside(let range): return inside(x(0).low, x(0).high, range, x(0).mayBeMissing)
    case .isIntegerInside(let name, let range):
      guard let facts = facts(of: name) else { return .unknown }
      guard let integers = facts.integers else { return .missing }
      return inside(integers.lowerBound, integers.upperBound, range, facts.bounds.mayBeMissing)
    case .isDayInside(let range):
      let (first, last) = (facts.days.lowerBound.daysSince1970, facts.days.upperBound.daysSince1970)
      return inside(Int64(first), Int64(last), range, false)
    case .isMissing: return ValueBounds(canHold: x(0).mayBeMissing, canFail: !x(0).isEmpty, mayBeMissing: false)
    case .isTicker(let pattern): return ValueBounds(ticker.map(pattern.matches) ?? false ? 1 : 0)
    case .not: return x(0).mapped { 1 - $0 }
    case .all: return all(step.operands.map(bounds))
    case .any:
      // De Morgan.
      return all(step.operands.map { bounds($0).mapped { 1 - $0 } }).mapped { 1 - $0 }
    case .choose:
      var chosen = ValueBounds.missing
      chosen.mayBeMissing = x(0).mayBeMissing
      if x(0).canHold { chosen = chosen.union(x(1)) }
      if x(0).canFail { chosen = chosen.union(x(2)) }
      return chosen
    case .indicator, .aggregate, .market: return .unknown
    }
  }

  private func calendar(_ field: CalendarField) -> ValueBounds {
    let range: ClosedRange<Double> =
      switch field {
      case .year: Double(facts.days.lowerBound.components.year)...Double(facts.days.upperBound.components.year)
      case .quarter: 1...4
      case .month: 1...12
      case .day: 1...31
      case .weekday: 1...7
      case .dayOfYear: 1...366
      }
    return ValueBounds(low: range.lowerBound, high: range.upperBound, mayBeMissing: false)
  }

  private func row(_ function: RowFunction, _ x: ValueBounds, _ y: ValueBounds) -> ValueBounds {
    switch function {
    case .add: x.mapped(y) { $0 + $1 }
    case .subtract: x.mapped(y) { $0 - $1 }
    case .multiply: x.mapped(y) { $0 * $1 }
    case .divide: y.low <= 0 && y.high >= 0 ? .unknown : x.mapped(y) { $0 / $1 }
    case .power: .unknown
    case .negate: x.mapped { -$0 }
    case .abs:
      x.low >= 0 || x.high <= 0
        ? x.mapped { $0.magnitude }
        : ValueBounds(low: 0, high: max(-x.low, x.high), mayBeMissing: x.mayBeMissing)
    case .log: x.clamped(from: 0).mapped { log($0) }.widened
    case .exp: x.mapped { exp($0) }.widened
    case .sqrt: x.clamped(from: 0).mapped { $0.squareRoot() }
    case .sign: x.mapped { $0 > 0 ? 1 : $0 < 0 ? -1 : 0 }
    case .round: x.mapped { $0.rounded(.toNearestOrAwayFromZero) }
    case .floor: x.mapped { $0.rounded(.down) }
    case .ceil: x.mapped { $0.rounded(.up) }
    case .larger: x.mapped(y) { max($0, $1) }
    case .smaller: x.mapped(y) { min($0, $1) }
    }
  }

  /// A window may be missing, because there are too few rows.
  private func windowed(_ function: WindowFunction, _ x: ValueBounds, _ window: RowWindow) -> ValueBounds {
    var (low, high) = (x.low, x.high)
    if x.isEmpty, function != .count { return .missing }
    let isSmall = max(low.magnitude, high.magnitude) < 1e150
    switch function {
    case .min, .max: break
    case .mean, .median, .quantile:
      if isSmall { (low, high) = (low.nextDown.nextDown, high.nextUp.nextUp) } else { return .unknown }
    case .std, .populationStd: if isSmall { (low, high) = (0, (high - low) * 1.001) } else { return .unknown }
    case .variance, .populationVariance:
      if isSmall { (low, high) = (0, (high - low) * (high - low) * 1.001) } else { return .unknown }
    case .count: (low, high) = (0, window.rows.map(Double.init) ?? .infinity)
    case .rank: (low, high) = (0, 1)
    default: return .unknown
    }
    return ValueBounds(low: low, high: high, mayBeMissing: true)
  }

  private func flagged(_ function: FlagFunction, _ x: ValueBounds, _ window: RowWindow) -> ValueBounds {
    switch function {
    case .every, .any: ValueBounds(canHold: x.canHold, canFail: x.canFail, mayBeMissing: true)
    case .count:
      ValueBounds(low: 0, high: x.canHold ? window.rows.map(Double.init) ?? .infinity : 0, mayBeMissing: true)
    case .share: ValueBounds(low: 0, high: 1, mayBeMissing: true)
    case .streak, .since: .unknown
    }
  }

  private func compared(_ x: ValueBounds, _ comparison: Comparison, _ y: ValueBounds) -> ValueBounds {
    if x.isEmpty || y.isEmpty { return .missing }
    let mayBeMissing = x.mayBeMissing || y.mayBeMissing
    func truth(_ canHold: Bool, _ canFail: Bool) -> ValueBounds {
      ValueBounds(canHold: canHold, canFail: canFail, mayBeMissing: mayBeMissing)
    }
    let areEqual = x.low == x.high && y.low == y.high && x.low == y.low
    let mayBeEqual = x.low <= y.high && y.low <= x.high
    return switch comparison {
    case .below: truth(x.low < y.high, x.high >= y.low)
    case .atMost: truth(x.low <= y.high, x.high > y.low)
    case .above: truth(x.high > y.low, x.low <= y.high)
    case .atLeast: truth(x.high >= y.low, x.low < y.high)
    case .equal: truth(mayBeEqual, !areEqual)
    case .notEqual: truth(!areEqual, mayBeEqual)
    }
  }

  private func inside<Value: Comparable>(
    _ low: Value, _ high: Value, _ range: ClosedRange<Value>?, _ mayBeMissing: Bool
  ) -> ValueBounds {
    if low > high { return .missing }
    guard let range else { return ValueBounds(canHold: false, canFail: true, mayBeMissing: mayBeMissing) }
    return ValueBounds(
      canHold: high >= range.lowerBound && low <= range.upperBound,
      canFail: low < range.lowerBound || high > range.upperBound, mayBeMissing: mayBeMissing)
  }

  /// It holds if all hold, fails if one fails, and is missing otherwise.
  private func all(_ parts: [ValueBounds]) -> ValueBounds {
    if let no = parts.first(where: { $0 == ValueBounds(0) }) { return no }
    return ValueBounds(
      canHold: parts.allSatisfy(\.canHold), canFail: parts.contains(where: \.canFail),
      mayBeMissing: parts.contains(where: \.mayBeMissing))
  }
}
