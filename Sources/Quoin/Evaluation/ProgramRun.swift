/// Consecutive rows of one ticker: the days and attributes that a program reads.
struct ProgramRows {
  let ticker: TickerSymbol
  let rows: BatchOutput
}

/// A program, evaluated over consecutive rows of one ticker.
struct ProgramRun {
  private let program: Program
  private let budget: QuestionBudget
  private let rows: BatchOutput
  private let ticker: TickerSymbol?
  private let aggregates: [Aggregation: ColumnMemory<Double>]
  private let series: [MarketValue: MarketSeries]
  private let rowCount: Int
  /// The columns of the steps, as long as a later step reads them.
  private var columns: [ColumnMemory<Double>?]

  /// - Parameter rows: the days and attributes that the program reads.
  private init(
    _ program: Program, _ rows: BatchOutput, of ticker: TickerSymbol?, within budget: QuestionBudget,
    _ aggregates: [Aggregation: ColumnMemory<Double>] = [:],
    _ series: [MarketValue: MarketSeries] = [:]
  ) {
    self.program = program
    self.budget = budget
    self.ticker = ticker
    self.aggregates = aggregates
    self.series = series
    self.rows = rows
    rowCount = rows.days.count
    columns = Array(repeating: nil, count: program.steps.count)
  }

  /// The values of the program's expressions in the rows of some tickers, a column for each. Those of two expressions may be the same
  /// object.
  ///
  /// - Parameter series: of the program's market values.
  /// - Throws: `StoreError` when the question's budget ends it; so do the other functions.
  static func columns(
    of program: Program, over tickers: [ProgramRows], _ series: [MarketValue: MarketSeries],
    within budget: QuestionBudget
  ) throws(StoreError) -> [[ColumnMemory<Double>]] {
    var runs = tickers.map { ProgramRun(program, $0.rows, of: $0.ticker, within: budget, [:], series) }
    try runSteps(program.steps[...], of: &runs)
    return runs.map { run in program.outputs.map { run.column($0) } }
  }

  /// In which rows of some tickers the program's first expression is `value`. A comparison that comes last makes no column.
  static func test(
    of program: Program, _ value: Double, over tickers: [ProgramRows], _ series: [MarketValue: MarketSeries],
    within budget: QuestionBudget
  ) throws(StoreError) -> [RowTest] {
    if value == 0 || value == 1, let last = program.steps.last, case .compare(let comparison) = last.operation,
      program.outputs[0] == .step(program.steps.count - 1)
    {
      let held = value == 1 ? comparison : comparison.opposite
      var runs = tickers.map { ProgramRun(program, $0.rows, of: $0.ticker, within: budget, [:], series) }
      try runSteps(program.steps.dropLast(), of: &runs)
      return runs.map { run in
        RowTest(run.input(last.operands[0]), held, run.input(last.operands[1]), count: run.rowCount)
      }
    }
    return zip(tickers, try columns(of: program, over: tickers, series, within: budget)).map {
      RowTest(.column($1[0]), .equal, .number(value), count: $0.rows.days.count)
    }
  }

  /// The values of the program's expressions for groups of quotes, whose aggregates are given.
  static func columns(
    of program: Program, overGroups aggregates: [Aggregation: ColumnMemory<Double>], count: Int,
    within budget: QuestionBudget
  ) throws(StoreError) -> [ColumnMemory<Double>] {
    let rows = BatchOutput(rowCount: count, attributes: [], symbols: [], hasFractions: false)
    var runs = [ProgramRun(program, rows, of: nil, within: budget, aggregates)]
    try runSteps(program.steps[...], of: &runs)
    return program.outputs.map { runs[0].column($0) }
  }

  /// Looks at the budget before steps over many rows, and now and then before others, which take less time than that.
  private static func runSteps(_ steps: ArraySlice<Program.Step>, of runs: inout [ProgramRun]) throws(StoreError) {
    for (index, step) in zip(steps.indices, steps) {
      if case .indicator(let indicator, let numbers) = step.operation {
        // Of all tickers at once, because each of its rows waits for the one before.
        try runs.first?.budget.check()
        let columns = indicator.values(of: runs.map { run in step.operands.map(run.column) }, numbers)
        for place in runs.indices { runs[place].set(index, columns[place]) }
      } else {
        for place in runs.indices {
          if runs[place].rowCount >= 4096 || index % 16 == 15 { try runs[place].budget.check() }
          runs[place].set(index, try runs[place].column(of: step))
        }
      }
    }
  }

  /// Sets the column of a step, and lets go of those that were read for the last time.
  private mutating func set(_ index: Int, _ column: ColumnMemory<Double>) {
    columns[index] = column
    for case .step(let operand) in program.steps[index].operands where program.lastUses[operand] == index {
      columns[operand] = nil
    }
  }

  /// The column of an operand; one of equal numbers, if that is what it is.
  private func column(_ operand: Program.Operand) -> ColumnMemory<Double> {
    switch input(operand) {
    case .column(let column): return column
    case .number(let number): return ColumnMemory(repeating: number, count: rowCount)
    }
  }

  private func input(_ operand: Program.Operand) -> RowInput {
    switch operand {
    case .number(let bits): return .number(Double(bitPattern: bits))
    case .step(let index):
      guard let column = columns[index] else { preconditionFailure("step \(index) has no column") }
      return .column(column)
    }
  }

  private func column(of step: Program.Step) throws(StoreError) -> ColumnMemory<Double> {
    let operands = step.operands
    switch step.operation {
    case .attribute(let name): return rows.doubles(name)
    case .calendar(let field): return calendar(field)
    case .row(let function):
      return function.values(input(operands[0]), operands.count > 1 ? input(operands[1]) : .number(.missing), rowCount)
    case .shift(let count): return shifted(column(operands[0]), by: count)
    case .window(let function, let span, let quantile):
      return try windowed(function, operands.map(column), span, quantile)
    case .indicator(let indicator, let numbers): return indicator.values(of: [operands.map(column)], numbers)[0]
    case .flag(let function, let span):
      // What is no truth at all is counted nowhere.
      return try span.values(of: operands.map(column), on: rows.days, absent: 2, within: budget) { truths, window in
        function.values(truths[0], window)
      }
    case .compare(let comparison): return compared(input(operands[0]), comparison, input(operands[1]))
    case .isInside(let range): return map(input(operands[0])) { Self.truth(range?.contains($0) ?? false, $0) }
    case .isIntegerInside(let name, let range): return integers(name, in: range)
    case .isDayInside(let range):
      return ColumnMemory(mapping: rows.days) { range?.contains(Int64($0.daysSince1970)) ?? false ? 1 : 0 }
    case .isTicker(let pattern):
      return ColumnMemory(repeating: ticker.map(pattern.matches) ?? false ? 1 : 0, count: rowCount)
    case .aggregate(let aggregation):
      return aggregates[aggregation] ?? ColumnMemory(repeating: .missing, count: rowCount)
    case .market(let value):
      guard let series = series[value] else { preconditionFailure("\(value) was not found") }
      return series.column(of: ticker, on: rows.days)
    case .isMissing: return map(input(operands[0])) { $0.isNaN ? 1 : 0 }
    case .not: return map(input(operands[0])) { 1 - $0 }
    case .all:
      return operands.dropFirst().reduce(operands.first.map(column) ?? column(.number(Double(1).bitPattern))) {
        all, next in
        map(.column(all), input(next)) { $0 == 0 || $1 == 0 ? 0 : $0 * $1 }
      }
    case .any:
      return operands.dropFirst().reduce(operands.first.map(column) ?? column(.number(Double(0).bitPattern))) {
        any, next in
        map(.column(any), input(next)) { $0 == 1 || $1 == 1 ? 1 : $0 + $1 }
      }
    case .choose: return chosen(column(operands[0]), column(operands[1]), column(operands[2]))
    }
  }

  /// 1 or 0; missing if the value is.
  @inline(__always)
  private static func truth(_ holds: Bool, _ value: Double) -> Double { value.isNaN ? .missing : holds ? 1 : 0 }
}

// Reading.
extension ProgramRun {
  private func integers(_ name: Attribute, in range: Program.WholeRange) -> ColumnMemory<Double> {
    switch rows[name] {
    case .integers(let memory):
      ColumnMemory(mapping: memory) { $0.isMissing ? .missing : range.whole?.contains($0) ?? false ? 1 : 0 }
    case .doubles(let memory):
      ColumnMemory(mapping: memory) { Self.truth(range.exact?.contains($0) ?? false, $0) }
    case nil: preconditionFailure("\(name) was not read")
    }
  }

  private func calendar(_ field: CalendarField) -> ColumnMemory<Double> {
    ColumnMemory(mapping: rows.days) { Double(field.value(of: $0)) }
  }
}

// Rows by themselves.
extension ProgramRun {
  private func compared(_ x: RowInput, _ comparison: Comparison, _ y: RowInput) -> ColumnMemory<Double> {
    switch comparison {
    case .below: map(x, y) { Self.truth($0 < $1, $0, $1) }
    case .atMost: map(x, y) { Self.truth($0 <= $1, $0, $1) }
    case .above: map(x, y) { Self.truth($0 > $1, $0, $1) }
    case .atLeast: map(x, y) { Self.truth($0 >= $1, $0, $1) }
    case .equal: map(x, y) { Self.truth($0 == $1, $0, $1) }
    case .notEqual: map(x, y) { Self.truth($0 != $1, $0, $1) }
    }
  }

  /// 1 or 0; missing if a value is.
  @inline(__always)
  private static func truth(_ holds: Bool, _ x: Double, _ y: Double) -> Double {
    x.isNaN || y.isNaN ? .missing : holds ? 1 : 0
  }

  private func chosen(
    _ truths: ColumnMemory<Double>, _ x: ColumnMemory<Double>, _ y: ColumnMemory<Double>
  ) -> ColumnMemory<Double> {
    ColumnMemory(count: rowCount) { truths[$0] == 1 ? x[$0] : truths[$0] == 0 ? y[$0] : .missing }
  }

  @inline(__always)
  private func map(_ input: RowInput, _ body: (Double) -> Double) -> ColumnMemory<Double> { input.map(rowCount, body) }

  @inline(__always)
  private func map(_ x: RowInput, _ y: RowInput, _ body: (Double, Double) -> Double) -> ColumnMemory<Double> {
    x.map(y, rowCount, body)
  }
}

// Other rows.
extension ProgramRun {
  private func shifted(_ column: ColumnMemory<Double>, by count: Int) -> ColumnMemory<Double> {
    ColumnMemory(count: rowCount) { row in
      let source = row - count
      return source >= 0 && source < rowCount ? column[source] : .missing
    }
  }

  private func windowed(
    _ function: WindowFunction, _ inputs: [ColumnMemory<Double>], _ span: WindowSpan, _ quantile: Double?
  ) throws(StoreError) -> ColumnMemory<Double> {
    try span.values(of: inputs, on: rows.days, absent: .missing, within: budget) { inputs, window throws(StoreError) in
      let count = inputs[0].count
      let held = try budget.hold(function.scratchByteCount(rowCount: count, over: window))
      defer { withExtendedLifetime(held) {} }
      return ColumnMemory(count: count) { results in
        function.fill(&results, from: inputs.map(ColumnBuffer.init), over: window, share: quantile ?? 0.5)
      }
    }
  }
}
