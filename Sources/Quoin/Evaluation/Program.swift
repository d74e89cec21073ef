// Expressions, step by step:
//
//   compile    expressions -> steps, each of which makes a column from the columns of earlier ones; what occurs twice is one step
//   read       the rows of one ticker that the wanted rows depend on -> columns of attributes
//   run        step by step over all of these rows (`ProgramRun`) -> a column for each expression
//
// A column is one run of float64s, so each step is a loop over memory that the cache holds. A step sees the rows that were read,
// and no value depends on where these begin: `reach` says how far they have to go.

/// Some expressions, ready to be evaluated.
struct Program: Sendable {
  private(set) var steps: [Step] = []
  /// What each expression is, in order.
  private(set) var outputs: [Operand] = []
  /// The last step that reads each step's column; the number of steps for an output.
  private(set) var lastUses: [Int] = []
  /// The most columns that there are at once while the steps run, those of the outputs among them.
  private(set) var columnCountMax = 0
  /// How far the values depend on other rows.
  private(set) var reach = Reach()
  /// The attributes and the days that have to be read.
  private(set) var attributes: AttributeSet = []
  private(set) var readsDays = false
  private var places: [Step: Int] = [:]
  private var reaches: [Reach] = []
  /// What has been compiled. An expression that has a name may occur any number of times.
  private var compiled: [QuoteExpression: Operand] = [:]
  private var compiledPredicates: [Predicate: Operand] = [:]

  struct Step: Hashable, Sendable {
    let operation: Operation
    let operands: [Operand]
  }

  enum Operand: Hashable, Sendable {
    case step(Int)
    /// A number, by its bits.
    case number(UInt64)

    var isNumber: Bool { if case .number = self { true } else { false } }
  }

  /// What a step does with its operands. A truth is 1, 0 or missing.
  enum Operation: Hashable, Sendable {
    case attribute(Attribute)
    case calendar(CalendarField)
    case row(RowFunction)
    case shift(Int)
    /// A window that begins where a predicate holds has its truth as the last operand.
    case window(WindowFunction, WindowSpan, Double?)
    case indicator(Indicator, [Double])
    case flag(FlagFunction, WindowSpan)
    case compare(Comparison)
    /// Whether a known value is in a range; in none, if there is none.
    case isInside(ClosedRange<Double>?)
    /// The same of a whole number, which may have fractions.
    case isIntegerInside(Attribute, WholeRange)
    case isDayInside(ClosedRange<Int64>?)
    case isMissing
    case isTicker(TickerPattern)
    case aggregate(Aggregation)
    case market(MarketValue)
    case all, any, not
    case choose
  }

  /// The values in some bounds; no values, if there are none.
  struct WholeRange: Hashable, Sendable {
    let whole: ClosedRange<Int64>?
    let exact: ClosedRange<Double>?

    init(_ bounds: WholeBounds) { (whole, exact) = (bounds.whole.closed, bounds.exact.closed) }
  }

  /// Whether a value depends on later rows, or on where they would be: `prev(next(close))` does too.
  var looksAhead: Bool {
    steps.contains { if case .shift(let rows) = $0.operation { rows < 0 } else { false } }
  }

  /// Whether a step goes through a ticker's rows one after another.
  var hasRecurrences: Bool { steps.contains { if case .indicator = $0.operation { true } else { false } } }

  /// The aggregates of groups in the expressions, each once.
  var aggregations: [Aggregation] {
    steps.compactMap { if case .aggregate(let aggregation) = $0.operation { aggregation } else { nil } }
  }

  /// What the expressions take from quotes of other tickers, each once.
  var marketValues: [MarketValue] {
    steps.compactMap { if case .market(let value) = $0.operation { value } else { nil } }
  }

  /// - Throws: `StoreError.predicateTooDeep` for an expression of more than `Limits.predicateLevels`, `StoreError.questionTooLarge`
  ///   for more than `Limits.questionSteps`.
  init(_ expressions: [QuoteExpression]) throws(StoreError) {
    for expression in expressions { outputs.append(try compile(expression)) }
    try finish()
  }

  /// 1 where the predicate holds, 0 where it doesn't, missing where that is unknown.
  ///
  /// - Throws: as above.
  init(_ predicate: Predicate) throws(StoreError) {
    outputs = [try compile(predicate)]
    try finish()
  }

  /// Notes when each step's column is needed for the last time, and how far the outputs reach.
  private mutating func finish() throws(StoreError) {
    lastUses = Array(steps.indices)
    for (index, step) in steps.enumerated() {
      for case .step(let operand) in step.operands { lastUses[operand] = index }
    }
    for case .step(let output) in outputs {
      lastUses[output] = steps.count
      reach = reach.union(reaches[output])
    }
    var columnCount = 0
    for (index, step) in steps.enumerated() {
      columnCount += 1
      columnCountMax = max(columnCountMax, columnCount)
      columnCount -= Set(step.operands).count {
        if case .step(let operand) = $0 { lastUses[operand] == index } else { false }
      }
    }
    (places, reaches) = ([:], [])
    (compiled, compiledPredicates) = ([:], [:])
    if steps.count > Limits.questionSteps { throw .questionTooLarge(stepCountMax: Limits.questionSteps) }
  }

  private mutating func compile(_ expression: QuoteExpression) throws(StoreError) -> Operand {
    if let operand = compiled[expression] { return operand }
    let operand = try compileNode(of: expression)
    compiled[expression] = operand
    return operand
  }

  private mutating func compileNode(of expression: QuoteExpression) throws(StoreError) -> Operand {
    switch expression.node {
    case .number(let bits): return .number(bits)
    case .attribute(let name): return add(.attribute(name), [])
    case .calendar(let field): return add(.calendar(field), [])
    case .row(let function, let operands): return add(.row(function), try compile(operands))
    case .shifted(let x, let rows): return add(.shift(rows), [try compile(x)])
    case .window(let function, let inputs, let span, let quantile):
      return add(.window(function, span, quantile), try compile(inputs) + compile(span))
    case .indicator(let indicator, let inputs, let numbers):
      return add(.indicator(indicator, numbers), try compile(inputs))
    case .flag(let function, let predicate, let span):
      return add(.flag(function, span), try [compile(predicate)] + compile(span))
    case .truth(let predicate): return try compile(predicate)
    case .choice(let predicate, let x, let y):
      return add(.choose, [try compile(predicate), try compile(x), try compile(y)])
    case .aggregate(let aggregation): return add(.aggregate(aggregation), [])
    case .market(let value): return add(.market(value), [])
    case .tooDeep: throw .predicateTooDeep(levelCountMax: Limits.predicateLevels)
    }
  }

  private mutating func compile(_ expressions: [QuoteExpression]) throws(StoreError) -> [Operand] {
    var operands: [Operand] = []
    for expression in expressions { operands.append(try compile(expression)) }
    return operands
  }

  private mutating func compile(_ span: WindowSpan) throws(StoreError) -> [Operand] {
    guard case .since(let predicate) = span else { return [] }
    return [try compile(predicate)]
  }

  private mutating func compile(_ predicate: Predicate) throws(StoreError) -> Operand {
    if let operand = compiledPredicates[predicate] { return operand }
    let operand = try compileForm(of: predicate)
    compiledPredicates[predicate] = operand
    return operand
  }

  private mutating func compileForm(of predicate: Predicate) throws(StoreError) -> Operand {
    switch predicate.form {
    case .double(let key, let bounds): return add(.isInside(bounds.closed), [add(.attribute(key.name), [])])
    case .integer(let key, let bounds): return add(.isIntegerInside(key.name, WholeRange(bounds)), [])
    case .date(let bounds): return add(.isDayInside(bounds.dayNumbers.closed), [])
    case .isMissing(let name): return add(.isMissing, [add(.attribute(name), [])])
    case .ticker(let pattern): return add(.isTicker(pattern), [])
    case .comparison(let x, let comparison, let y): return add(.compare(comparison), [try compile(x), try compile(y)])
    case .hasNoValue(let x): return add(.isMissing, [try compile(x)])
    case .holds(let x): return try compile(x)
    case .all(let parts): return add(.all, try compile(parts))
    case .any(let parts): return add(.any, try compile(parts))
    case .not(let part): return add(.not, [try compile(part)])
    case .tooDeep: throw .predicateTooDeep(levelCountMax: Limits.predicateLevels)
    }
  }

  private mutating func compile(_ parts: [Predicate]) throws(StoreError) -> [Operand] {
    var operands: [Operand] = []
    for part in parts { operands.append(try compile(part)) }
    return operands
  }

  /// The place of a step, which is added unless it is there.
  private mutating func add(_ operation: Operation, _ operands: [Operand]) -> Operand {
    let step = Step(operation: operation, operands: operands)
    if let place = places[step] { return .step(place) }
    switch operation {
    case .attribute(let name), .isIntegerInside(let name, _): attributes.insert(name)
    case .calendar, .isDayInside, .market, .window(_, .days, _), .window(_, .period, _), .flag(_, .days),
      .flag(_, .period):
      readsDays = true
    default: break
    }
    places[step] = steps.count
    steps.append(step)
    reaches.append(reach(of: step))
    return .step(steps.count - 1)
  }

  private func reach(of step: Step) -> Reach {
    var reach = Reach()
    for case .step(let operand) in step.operands { reach = reach.union(reaches[operand]) }
    switch step.operation {
    case .shift(let rows): return reach.shifted(by: rows)
    case .window(_, let span, _), .flag(_, let span): return reach.window(span.rowCountMax)
    case .indicator: return reach.window(nil)
    case .attribute, .calendar, .row, .compare, .isInside, .isIntegerInside, .isDayInside, .isMissing, .isTicker,
      .aggregate, .market, .all, .any, .not, .choose:
      return reach
    }
  }
}
