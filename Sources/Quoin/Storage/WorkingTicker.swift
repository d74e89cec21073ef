/// One ticker during a transaction: rows in files, then rows in memory, in order of days.
struct WorkingTicker {
  let createdGeneration: UInt64
  var runs: [Run] = []
  var tail = Self.noRows

  /// The days between which the transaction has changed rows; nil if it has only moved them.
  private(set) var changedDays: ClosedRange<TradingDay>?

  /// Shared, because each has memory of its own for its columns.
  private static let noRows = QuoteColumns()

  init(createdGeneration: UInt64, runs: [Run] = []) {
    self.createdGeneration = createdGeneration
    self.runs = runs
  }

  init(_ manifest: Manifest, tickerAt index: Int) {
    self.init(
      createdGeneration: manifest.tickers[index].createdGeneration, runs: Array(manifest.runs(ofTickerAt: index)))
  }

  var isEmpty: Bool { runs.isEmpty && tail.isEmpty }
  var rowCount: Int { runs.reduce(tail.rowCount) { $0 + $1.rowCount } }
  var firstDay: TradingDay? { runs.first?.firstDay ?? tail.dayValues.first }
  var lastDay: TradingDay? { tail.dayValues.last ?? runs.last?.lastDay }

  /// Notes that the transaction has changed rows of these days.
  mutating func noteChange(_ days: ClosedRange<TradingDay>) {
    changedDays = changedDays.map { min($0.lowerBound, days.lowerBound)...max($0.upperBound, days.upperBound) } ?? days
  }

  /// All rows are in these runs.
  mutating func settle(_ runs: [Run]) { (self.runs, tail) = (runs, Self.noRows) }

  /// The same ticker without its rows.
  func deleted(created generation: UInt64) -> WorkingTicker {
    var state = WorkingTicker(createdGeneration: generation)
    state.changedDays = changedDays
    if let firstDay, let lastDay { state.noteChange(firstDay...lastDay) }
    return state
  }

  /// Cuts off the blocks that end on `day` or later, and the tail, and returns them.
  mutating func cut(before day: TradingDay, _ files: [ColumnFile]) throws(StoreError) -> WorkingTicker {
    var later = WorkingTicker(createdGeneration: createdGeneration)
    later.tail = tail
    tail = Self.noRows
    let whole = runs
    runs = []
    for run in whole {
      let (before, after) = try run.split(before: day, files[run.fileIndex])
      if let before { runs.append(before) }
      if let after { later.runs.append(after) }
    }
    return later
  }
}

extension Run {
  /// The blocks that end before `day`, and the others.
  func split(before day: TradingDay, _ file: ColumnFile) throws(StoreError) -> (Run?, Run?) {
    if lastDay < day { return (self, nil) }
    if firstDay >= day { return (nil, self) }
    var first = firstBlock
    while first < blocks.upperBound, try file.days(ofBlock: first).upperBound < day { first += 1 }
    return (try part(firstBlock..<first, of: file), try part(first..<blocks.upperBound, of: file))
  }

  /// The run of some of this run's blocks; nil for no blocks.
  private func part(_ blocks: Range<Int>, of file: ColumnFile) throws(StoreError) -> Run? {
    guard !blocks.isEmpty else { return nil }
    return Run(
      fileIndex: fileIndex, firstBlock: blocks.lowerBound, blockCount: blocks.count,
      rowCount: blocks.reduce(0) { $0 + file.rowCount($1) },
      firstDay: try file.days(ofBlock: blocks.lowerBound).lowerBound,
      lastDay: try file.days(ofBlock: blocks.upperBound - 1).upperBound)
  }
}
