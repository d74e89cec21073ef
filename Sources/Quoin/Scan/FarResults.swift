import Synchronization

/// What programs are for the rows of long histories, where each value depends on many rows before it. A scan looks at few blocks at a
/// time, and to evaluate all the rows before each of them would take the square of their number.
///
/// So more blocks are evaluated than are asked for: in proportion to what they depend on. One thread evaluates at a time, and the
/// others find what it has.
final class FarResults: Sendable {
  private let state = Mutex(State())

  private struct State: Sendable {
    var entries: [Entry] = []
    var rowCount = 0
  }

  private struct Entry: Sendable {
    let key: Key
    /// The blocks of the ticker of which it has the rows' values.
    let blocks: Range<Int>
    let result: any Sendable
    /// The first row that was read.
    let start: Int
    let held: HeldMemory
  }

  /// A program and a ticker.
  struct Key: Hashable, Sendable {
    /// Of a condition by its number; -1 of the output.
    let program: Int
    let ticker: Int32
  }

  /// How many results are kept: of the programs of one ticker or two.
  private static let entryCountMax = 4

  /// With fewer blocks before them, blocks are evaluated as they are asked for.
  static let blockCountMin = 16

  /// How many rows were evaluated in all.
  var rowCount: Int { state.withLock { $0.rowCount } }

  /// The result that has some blocks, and its first row; `evaluate` makes it of more blocks, unless it is there.
  func result<Result: Sendable>(
    _ key: Key, _ wanted: Range<Int>, of ticker: TickerBlocks, _ reach: Reach, _ budget: QuestionBudget,
    _ evaluate: (Range<Int>) throws(StoreError) -> Result
  ) throws(StoreError) -> (result: Result, start: Int) {
    try state.withLock { state throws(StoreError) -> (result: Result, start: Int) in
      for entry in state.entries where entry.key == key && entry.blocks.contains(wanted) {
        if let result = entry.result as? Result { return (result, entry.start) }
      }
      let before = wanted.lowerBound - ticker.blocks(around: wanted, reach).lowerBound
      var blocks = max(0, wanted.lowerBound - before / 2)..<min(ticker.count, wanted.upperBound + before / 2)
      let read = ticker.blocks(around: blocks, reach)
      // From the first row on, nothing is missing before.
      if read.lowerBound == 0 { blocks = 0..<blocks.upperBound }
      let start = ticker.rows(ofBlock: read.lowerBound).lowerBound
      let rowCount = ticker.rows(ofBlock: read.upperBound - 1).upperBound - start
      let held = try budget.hold(rowCount * MemoryLayout<Double>.size)
      let result = try evaluate(read)
      state.rowCount += rowCount
      state.entries.removeAll { $0.key == key }
      if state.entries.count == Self.entryCountMax { state.entries.removeFirst() }
      state.entries.append(Entry(key: key, blocks: blocks, result: result, start: start, held: held))
      return (result, start)
    }
  }
}

extension Range<Int> {
  fileprivate func contains(_ other: Range<Int>) -> Bool {
    lowerBound <= other.lowerBound && other.upperBound <= upperBound
  }
}
