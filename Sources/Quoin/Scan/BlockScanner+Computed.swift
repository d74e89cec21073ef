// Values that have to be computed: for conditions, and for columns of the result. They are computed over ranges of blocks of one
// ticker, with the blocks before and after that they depend on.

extension BlockScanner {
  /// The candidates whose rows have to be looked at for a condition. Clears all bits of those that its verdicts rule out.
  func undecided(_ index: Int, _ candidates: ArraySlice<Candidate>, _ masks: inout [RowMask]) -> [Int] {
    let first = candidates.startIndex
    var undecided: [Int] = []
    // What is looked up for one block of a file serves the next.
    var rest = candidates
    while let file = rest.first?.fileIndex {
      let group = rest.prefix { $0.fileIndex == file }
      rest = rest.dropFirst(group.count)
      guard let judged = plan.verdicts[Int(file)] else { continue }
      let (verdicts, firstBlock) = (judged.conditions[index], judged.firstBlock)
      for place in group.indices where candidates[place].verdict != .all && !masks[place - first].isEmpty {
        switch verdicts[Int(candidates[place].block) - firstBlock] {
        case .all: continue
        case .none: masks[place - first] = .none
        case .some: undecided.append(place)
        }
      }
    }
    return undecided
  }

  /// Clears the bits of rows of some candidates in which the program's value isn't `value`.
  mutating func test(
    _ number: Int, _ program: Program, _ value: Double, _ candidates: ArraySlice<Candidate>, _ undecided: [Int],
    _ masks: inout [RowMask]
  ) throws(StoreError) {
    let (first, series, budget) = (candidates.startIndex, plan.series, plan.budget)
    let groups = undecided.chunked { candidates[$0].ticker == candidates[$1].ticker }
    try forEachRun(of: program, at: number, groups.map { $0.map { candidates[$0] } }) { tickers throws(StoreError) in
      try ProgramRun.test(of: program, value, over: tickers, series, within: budget)
    } body: { test, group, index, start in
      let place = groups[group][groups[group].startIndex + index]
      masks[place - first].formIntersection(test.mask(from: start, count: Int(candidates[place].rowCount)))
    }
  }

  /// Writes the computed columns of some selected blocks, from row `start` on.
  mutating func compute(
    _ program: Program, _ blocks: ArraySlice<SelectedBlock>, _ selection: Selection, _ output: BatchOutput, _ start: Int
  ) throws(StoreError) {
    let (series, budget) = (plan.series, plan.budget)
    var starts = [start]
    for block in blocks { starts.append(starts[starts.count - 1] + block.rowCount) }
    let groups = Array(blocks).chunked { $0.candidate.ticker == $1.candidate.ticker }
    try selection.withRows { rows throws(StoreError) in
      try forEachRun(of: program, at: -1, groups.map { $0.map(\.candidate) }) { tickers throws(StoreError) in
        try ProgramRun.columns(of: program, over: tickers, series, within: budget)
      } body: { columns, group, index, first in
        let place = groups[group].startIndex + index
        let block = groups[group][place]
        for (column, memory) in zip(columns, output.computed) {
          memory.write(column, from: first, rows.rows(of: block), count: block.rowCount, at: starts[place])
        }
      }
    }
  }

  /// Calls `body` with what `evaluate` makes of a program's rows, the group and the index in it of each block, and the place of its
  /// first row among the rows. The blocks of a group are of one ticker, in rising or falling order of days.
  private mutating func forEachRun<Evaluated: Sendable>(
    of program: Program, at number: Int, _ groups: [[Candidate]],
    _ evaluate: ([ProgramRows]) throws(StoreError) -> [Evaluated], body: (Evaluated, Int, Int, Int) -> Void
  ) throws(StoreError) {
    var runs: [ComputedRun] = []
    for (group, blocks) in groups.enumerated() {
      let ticker = TickerBlocks(plan.snapshot.manifest, blocks[0].ticker, plan.file)
      var wanted = blocks.indices.map { (place: ticker.index(of: blocks[$0]), index: $0) }
      if let last = wanted.last, last.place < wanted[0].place { wanted.reverse() }
      // Blocks whose reaches touch are computed together.
      for cluster in wanted.chunked({
        ticker.blocks(around: $1.place..<($1.place + 1), program.reach).lowerBound <= $0.place + 1
      }) {
        let places = cluster[cluster.startIndex].place..<(cluster[cluster.endIndex - 1].place + 1)
        let read = ticker.blocks(around: places, program.reach)
        let run = ComputedRun(group: group, ticker: ticker, index: blocks[0].ticker, read: read, blocks: Array(cluster))
        if places.lowerBound - read.lowerBound >= max(FarResults.blockCountMin, 4 * places.count) {
          let key = FarResults.Key(program: number, ticker: blocks[0].ticker)
          let (results, budget) = (plan.farResults, plan.budget)
          let (evaluated, start) = try results.result(key, places, of: ticker, program.reach, budget) {
            read throws(StoreError) in try self.evaluated(program, [run.reading(read)], evaluate)[0]
          }
          run.forEachBlock(from: start) { body(evaluated, group, $0, $1) }
          continue
        }
        runs.append(run)
        if runs.count == program.tickerCountAtOnce { try finish(&runs, program, evaluate, body) }
      }
    }
    try finish(&runs, program, evaluate, body)
  }

  private mutating func finish<Evaluated: Sendable>(
    _ runs: inout [ComputedRun], _ program: Program, _ evaluate: ([ProgramRows]) throws(StoreError) -> [Evaluated],
    _ body: (Evaluated, Int, Int, Int) -> Void
  ) throws(StoreError) {
    for (run, evaluated) in zip(runs, try evaluated(program, runs, evaluate)) {
      run.forEachBlock(from: run.ticker.rows(ofBlock: run.read.lowerBound).lowerBound) {
        body(evaluated, run.group, $0, $1)
      }
    }
    runs.removeAll(keepingCapacity: true)
  }

  private mutating func evaluated<Evaluated>(
    _ program: Program, _ runs: [ComputedRun], _ evaluate: ([ProgramRows]) throws(StoreError) -> [Evaluated]
  ) throws(StoreError) -> [Evaluated] {
    let rowCount = runs.reduce(0) { $0 + $1.rowCount }
    let held = try plan.budget.hold(rowCount * program.rowByteCount)
    defer { withExtendedLifetime(held) {} }
    var tickers: [ProgramRows] = []
    for run in runs {
      tickers.append(
        ProgramRows(
          ticker: plan.snapshot.symbols[Int(run.index)], rows: try rows(of: run.ticker, run.read, for: program)))
    }
    return tickers.isEmpty ? [] : try evaluate(tickers)
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

/// Blocks of one ticker that a program is evaluated for, with those that they depend on.
private struct ComputedRun {
  let group: Int
  let ticker: TickerBlocks
  /// The ticker's place in the manifest.
  let index: Int32
  private(set) var read: Range<Int>
  /// The wanted blocks: their places among the ticker's, and their indices in the group.
  let blocks: [(place: Int, index: Int)]

  var rowCount: Int {
    ticker.rows(ofBlock: read.upperBound - 1).upperBound - ticker.rows(ofBlock: read.lowerBound).lowerBound
  }

  /// The same with other blocks that are read.
  func reading(_ read: Range<Int>) -> ComputedRun {
    var run = self
    run.read = read
    return run
  }

  /// Calls `body` with each block's index in the group, and its first row if those that were read begin at row `start` of the ticker.
  func forEachBlock(from start: Int, _ body: (Int, Int) -> Void) {
    for (place, index) in blocks { body(index, ticker.rows(ofBlock: place).lowerBound - start) }
  }
}

extension Program {
  /// Of how many tickers the rows are evaluated at once. Recurrences share the time that each of them waits for itself.
  fileprivate var tickerCountAtOnce: Int { hasRecurrences ? 8 : 1 }

  /// Bytes that a row takes: what is read of it, and what the steps make.
  fileprivate var rowByteCount: Int {
    BatchOutput.rowByteCount(attributes, computedCount: columnCountMax)
  }
}

extension ColumnMemory {
  /// Writes to the rows from `start` on those of a block whose rows begin at `first` in `column`: all of them, or `rows`.
  fileprivate func write(_ column: ColumnMemory<Value>, from first: Int, _ rows: RowList?, count: Int, at start: Int) {
    if let rows {
      for index in 0..<count { self[start + index] = column[first + rows[index]] }
    } else {
      update(start..<(start + count), from: column, first)
    }
  }
}
