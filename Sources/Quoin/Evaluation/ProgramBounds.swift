#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What is known of an attribute's cells in some rows.
struct AttributeFacts {
  /// The values, as float64s.
  var bounds: ValueBounds
  /// The extremes of an int64 attribute; nil without values, and where some have fractions.
  var integers: ClosedRange<Int64>?

  func union(_ other: AttributeFacts) -> AttributeFacts {
    var integers = integers ?? other.integers
    if let a = self.integers, let b = other.integers {
      integers = min(a.lowerBound, b.lowerBound)...max(a.upperBound, b.upperBound)
    }
    return AttributeFacts(bounds: bounds.union(other.bounds), integers: integers)
  }
}

/// What is known of some blocks, or of the rows that their rows depend on.
struct BlockFacts {
  /// The ticker of each block.
  var tickers: [TickerSymbol] = []
  /// Of each attribute that a program reads, in the order of its list: what is known in each block.
  var attributes: [[AttributeFacts]]
  /// The days of each block, if the program reads them.
  var days: [ClosedRange<TradingDay>] = []

  var count: Int { tickers.count }
}

/// A program, evaluated over what is known of blocks: step by step, each for all blocks.
struct ProgramBounds {
  private let program: Program
  private let names: [Attribute]
  private let facts: BlockFacts
  /// Those of the steps, as long as a later step reads them.
  private var columns: [[ValueBounds]]

  private init(_ program: Program, _ facts: BlockFacts) {
    (self.program, self.facts) = (program, facts)
    columns = Array(repeating: [], count: program.steps.count)
    names = program.attributes.names
  }

  /// The bounds of the program's first expression in each block.
  ///
  /// - Throws: `StoreError` when the question's budget ends it.
  static func bounds(
    of program: Program, over facts: BlockFacts, within budget: QuestionBudget? = nil
  ) throws(StoreError) -> [ValueBounds] {
    var run = ProgramBounds(program, facts)
    for (index, step) in program.steps.enumerated() {
      try budget?.check()
      run.columns[index] = run.column(of: step)
      for case .step(let operand) in step.operands where program.lastUses[operand] == index {
        run.columns[operand] = []
      }
    }
    return program.outputs.first.map(run.column) ?? Array(repeating: .unknown, count: facts.count)
  }

  private func column(_ operand: Program.Operand) -> [ValueBounds] {
    switch operand {
    case .number(let bits): Array(repeating: ValueBounds(Double(bitPattern: bits)), count: facts.count)
    case .step(let index): columns[index]
    }
  }

  private func facts(of name: Attribute) -> [AttributeFacts] {
    guard let index = names.firstIndex(of: name) else { preconditionFailure("\(name) was not read") }
    return facts.attributes[index]
  }

  private func column(of step: Program.Step) -> [ValueBounds] {
    let operands = step.operands.map(column)
    func map(_ body: (ValueBounds) -> ValueBounds) -> [ValueBounds] { operands[0].map(body) }
    func mapPairs(_ body: (ValueBounds, ValueBounds) -> ValueBounds) -> [ValueBounds] {
      zip(operands[0], operands[1]).map(body)
    }
    func mapAll(_ body: ([ValueBounds]) -> ValueBounds) -> [ValueBounds] {
      (0..<facts.count).map { block in body(operands.map { $0[block] }) }
    }
    switch step.operation {
    case .attribute(let name): return facts(of: name).map(\.bounds)
    case .calendar(let field): return facts.days.map { calendar(field, $0) }
    case .row(let function):
      return operands.count > 1 ? mapPairs { row(function, $0, $1) } : map { row(function, $0, .unknown) }
    case .shift:
      return map { x in
        var shifted = x
        shifted.mayBeMissing = true
        return shifted
      }
    case .window(let function, let window, _): return map { windowed(function, $0, window) }
    case .flag(let function, let window): return map { flagged(function, $0, window) }
    case .compare(let comparison): return mapPairs { compared($0, comparison, $1) }
    case .isInside(let range): return map { inside($0.low, $0.high, range, $0.mayBeMissing) }
    case .isIntegerInside(let name, let range):
      return facts(of: name).map { facts in
        if facts.bounds.isEmpty { return .missing }
        guard let integers = facts.integers else {
          return inside(facts.bounds.low, facts.bounds.high, range.exact, facts.bounds.mayBeMissing)
        }
        return inside(integers.lowerBound, integers.upperBound, range.whole, facts.bounds.mayBeMissing)
      }
    case .isDayInside(let range):
      return facts.days.map { days in
        inside(Int64(days.lowerBound.daysSince1970), Int64(days.upperBound.daysSince1970), range, false)
      }
    case .isMissing:
      return map { ValueBounds(canHold: $0.mayBeMissing, canFail: !$0.isEmpty, mayBeMissing: false) }
    case .isTicker(let pattern): return facts.tickers.map { ValueBounds(pattern.matches($0) ? 1 : 0) }
    case .not: return map { $0.mapped { 1 - $0 } }
    case .all: return mapAll(all)
    case .any:
      // De Morgan.
      return mapAll { parts in all(parts.map { $0.mapped { 1 - $0 } }).mapped { 1 - $0 } }
    case .choose:
      return mapAll { x in
        var chosen = ValueBounds.missing
        chosen.mayBeMissing = x[0].mayBeMissing
        if x[0].canHold { chosen = chosen.union(x[1]) }
        if x[0].canFail { chosen = chosen.union(x[2]) }
        return chosen
      }
    case .indicator, .aggregate, .market: return Array(repeating: .unknown, count: facts.count)
    }
  }

  private func calendar(_ field: CalendarField, _ days: ClosedRange<TradingDay>) -> ValueBounds {
    let range: ClosedRange<Double> =
      switch field {
      case .year: Double(days.lowerBound.components.year)...Double(days.upperBound.components.year)
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
