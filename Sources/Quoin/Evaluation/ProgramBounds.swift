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
  private let series: [MarketValue: MarketSeries]
  /// Those of the steps, as long as a later step reads them.
  private var columns: [[ValueBounds]]

  private init(_ program: Program, _ facts: BlockFacts, _ series: [MarketValue: MarketSeries]) {
    (self.program, self.facts, self.series) = (program, facts, series)
    columns = Array(repeating: [], count: program.steps.count)
    names = program.attributes.names
  }

  /// The bounds of the program's first expression in each block.
  ///
  /// - Throws: `StoreError` when the question's budget ends it.
  static func bounds(
    of program: Program, over facts: BlockFacts, _ series: [MarketValue: MarketSeries] = [:],
    within budget: QuestionBudget? = nil
  ) throws(StoreError) -> [ValueBounds] {
    var run = ProgramBounds(program, facts, series)
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
    case .calendar(let field): return facts.days.map(field.bounds)
    case .row(let function):
      return operands.count > 1 ? mapPairs(function.bounds) : map { function.bounds($0, .unknown) }
    case .shift:
      return map { x in
        var shifted = x
        shifted.mayBeMissing = true
        return shifted
      }
    case .window(let function, let span, _): return map { windowed(function, $0, span.rows) }
    case .flag(let function, let span): return map { function.bounds($0, span.rows) }
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
    case .market(let value):
      guard let series = series[value] else { return Array(repeating: .unknown, count: facts.count) }
      return zip(facts.tickers, facts.days).map { series.bounds(of: $0, on: $1) ?? .unknown }
    case .indicator, .aggregate: return Array(repeating: .unknown, count: facts.count)
    }
  }

  /// A window may be missing, because there are too few rows.
  private func windowed(_ function: WindowFunction, _ x: ValueBounds, _ window: RowWindow) -> ValueBounds {
    if x.isEmpty, function != .count { return .missing }
    guard let (low, high) = function.bounds(x, window) else { return .unknown }
    return ValueBounds(low: low, high: high, mayBeMissing: true)
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

extension ValueBounds {
  /// What the values are for a verdict on those that are `value`.
  func verdict(_ value: Double) -> Verdict {
    if value < low || value > high { return .none }
    return low == high && !mayBeMissing ? .all : .some
  }
}
