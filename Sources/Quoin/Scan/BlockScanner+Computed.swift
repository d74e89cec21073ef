// Values that have to be computed: for conditions, and for columns of the result. They are computed over ranges of blocks of one
// ticker, with the blocks before and after that they depend on.

extension BlockScanner {
  /// The candidates whose rows have to be looked at for a condition. Clears all bits of those that its verdicts rule out.
  func undecided(_ index: Int, _ candidates: ArraySlice<Candidate>, _ masks: inout [RowMask]) -> [Int] {
    let first = candidates.startIndex
    return candidates.indices.filter { place in
      let candidate = candidates[place]
      guard candidate.verdict != .all, !masks[place - first].isEmpty else { return false }
      guard let judged = plan.verdicts[Int(candidate.fileIndex)] else { return false }
      let verdict = judged.conditions[index][Int(candidate.block) - judged.firstBlock]
      if verdict == .none { masks[place - first] = .none }
      return verdict == .some
    }
  }

  /// Clears the bits of rows of some candidates in which the program's value isn't `value`.
  mutating func test(
    _ number: Int, _ program: Program, _ value: Double, _ candidates: ArraySlice<Candidate>, _ undecided: [Int],
    _ masks: inout [RowMask]
  ) throws(StoreError) {
    let (first, series, budget) = (candidates.startIndex, plan.series, plan.budget)
    for group in undecided.chunked({ candidates[$0].ticker == candidates[$1].ticker }) {
      let blocks = group.map { candidates[$0] }
      try forEachRun(of: program, at: number, blocks) { rows, ticker throws(StoreError) in
        try ProgramRun.test(of: program, value, over: rows, of: ticker, series, within: budget)
      } body: { test, index, start in
        masks[group[group.startIndex + index] - first].formIntersection(
          test.mask(from: start, count: Int(blocks[index].rowCount)))
      }
    }
  }

  /// Writes the computed columns of some selected blocks, from row `start` on.
  mutating func compute(
    _ program: Program, _ blocks: ArraySlice<SelectedBlock>, _ selection: Selection, _ output: BatchOutput, _ start: Int
  ) throws(StoreError) {
    var row = start
    let (series, budget) = (plan.series, plan.budget)
    for group in Array(blocks).chunked({ $0.candidate.ticker == $1.candidate.ticker }) {
      var starts: [Int] = []
      for block in group {
        starts.append(row)
        row += block.rowCount
      }
      try selection.withRows { rows throws(StoreError) in
        try forEachRun(of: program, at: -1, group.map(\.candidate)) { rows, ticker throws(StoreError) in
          try ProgramRun.columns(of: program, over: rows, of: ticker, series, within: budget)
        } body: { columns, index, first in
          let block = group[group.startIndex + index]
          for (column, memory) in zip(columns, output.computed) {
            memory.write(column, from: first, rows.rows(of: block), count: block.rowCount, at: starts[index])
          }
        }
      }
    }
  }

  /// Calls `body` with what `evaluate` makes of a program's rows, the index of each block among `blocks`, and the place of its
  /// first row among the rows. The blocks are of one ticker, in rising or falling order of days.
  private mutating func forEachRun<Evaluated: Sendable>(
    of program: Program, at number: Int, _ blocks: [Candidate],
    _ evaluate: (BatchOutput, TickerSymbol) throws(StoreError) -> Evaluated, body: (Evaluated, Int, Int) -> Void
  ) throws(StoreError) {
    let ticker = TickerBlocks(plan.snapshot.manifest, blocks[0].ticker, plan.file)
    let symbol = plan.snapshot.symbols[Int(blocks[0].ticker)]
    var wanted = blocks.indices.map { (place: ticker.index(of: blocks[$0]), index: $0) }
    if let last = wanted.last, last.place < wanted[0].place { wanted.reverse() }
    // Blocks whose reaches touch are computed together.
    for cluster in wanted.chunked({
      ticker.blocks(around: $1.place..<($1.place + 1), program.reach).lowerBound <= $0.place + 1
    }) {
      let places = cluster[cluster.startIndex].place..<(cluster[cluster.endIndex - 1].place + 1)
      let read = ticker.blocks(around: places, program.reach)
      let (evaluated, start): (Evaluated, Int)
      if places.lowerBound - read.lowerBound >= max(FarResults.blockCountMin, 4 * places.count) {
        let key = FarResults.Key(program: number, ticker: blocks[0].ticker)
        let (results, budget) = (plan.farResults, plan.budget)
        (evaluated, start) = try results.result(key, places, of: ticker, program.reach, budget) {
          read throws(StoreError) in try self.evaluated(program, ticker, read, symbol, evaluate)
        }
      } else {
        evaluated = try self.evaluated(program, ticker, read, symbol, evaluate)
        start = ticker.rows(ofBlock: read.lowerBound).lowerBound
      }
      for (place, index) in cluster { body(evaluated, index, ticker.rows(ofBlock: place).lowerBound - start) }
    }
  }

  private mutating func evaluated<Evaluated>(
    _ program: Program, _ ticker: TickerBlocks, _ read: Range<Int>, _ symbol: TickerSymbol,
    _ evaluate: (BatchOutput, TickerSymbol) throws(StoreError) -> Evaluated
  ) throws(StoreError) -> Evaluated {
    let rowCount =
      ticker.rows(ofBlock: read.upperBound - 1).upperBound - ticker.rows(ofBlock: read.lowerBound).lowerBound
    let held = try plan.budget.hold(rowCount * program.rowByteCount)
    defer { withExtendedLifetime(held) {} }
    return try evaluate(rows(of: ticker, read, for: program), symbol)
  }

  /// What a program reads of some blocks.
  private mutating func rows(
    of ticker: TickerBlocks, _ range: Range<Int>, for program: Program
  ) throws(StoreError) -> BatchOutput {
    plan.announce(ticker[range], program.sections)
    let selection = ticker.selection(range)
    let rowCount =
      ticker.rows(ofBlock: range.upperBound - 1).upperBound - ticker.rows(ofBlock: range.lowerBound).lowerBound
    let output = BatchOutput(
      rowCount: rowCount, attributes: program.attributes, symbols: [], hasFractions: plan.snapshot.hasFractions)
    try write(selection.blocks[...], of: selection, output, 0, withDays: program.readsDays)
    return output
  }
}

extension Program {
  /// Bytes that a row takes: what is read of it, and what the steps make.
  fileprivate var rowByteCount: Int {
    BatchOutput.rowByteCount(attributes, computedCount: columnCountMax)
  }
}

extension ColumnMemory {
  /// Writes to the rows from `start` on those of a block whose rows begin at `first` in `column`: all of them, or `rows`.
  fileprivate func write(_ column: ColumnMemory<Value>, from first: Int, _ rows: RowList?, count: Int, at start: Int) {
    for index in 0..<count {
      update((start + index)..<(start + index + 1), repeating: column[first + (rows?[index] ?? index)])
    }
  }
}
