// Columns in which each value depends on the rows before it. Such a chain waits for itself: its multiplications and additions come one
// after another, while the processor could do several. So the chains of several histories are gone through at once.

/// What is kept from row to row, and what is made of it and the next row: an average, say.
protocol Recurrence: Sendable {
  /// The value of the next row, of which `x`, `y` and `z` are the inputs.
  mutating func next(_ x: Double, _ y: Double, _ z: Double) -> Double
}

/// A recurrence over the rows of one history.
// Sound: all columns have as many values as the results, and no row is beyond them.
struct RecurrenceChain<State: Recurrence> {
  private var state: State
  private let inputs: [ColumnMemory<Double>]
  private let results: ColumnMemory<Double>
  private var row: Int

  /// - Parameters:
  ///   - state: what is kept from the rows before `row`.
  ///   - inputs: one to three columns.
  ///   - results: a column of as many rows, of which those before `row` are set.
  init(_ state: State, _ inputs: [ColumnMemory<Double>], from row: Int, to results: ColumnMemory<Double>) {
    precondition(
      (1...3).contains(inputs.count) && inputs.allSatisfy { $0.count == results.count }
        && (0...results.count).contains(row), "\(inputs.map(\.count)) values, row \(row) of \(results.count)")
    (self.state, self.inputs, self.row, self.results) = (state, inputs, row, results)
  }

  /// Sets all the rows that are left. What isn't finite becomes missing.
  static func finish(_ chains: [RecurrenceChain]) {
    // The longest first, so that few are left alone at the end.
    var waiting = chains.filter { $0.restCount > 0 }.sorted { $0.restCount < $1.restCount }
    var active: [RecurrenceChain] = []
    while true {
      while active.count < 4, let next = waiting.popLast() { active.append(next) }
      guard let count = active.lazy.map(\.restCount).min() else { return }
      switch active.count {
      case 1: active[0].advance(by: count)
      case 2, 3: advanceTwo(&active, by: count)
      default: advanceFour(&active, by: count)
      }
      active.removeAll { $0.restCount == 0 }
    }
  }

  private var restCount: Int { results.count - row }

  /// Where the next row's inputs are, and where its value goes.
  @unsafe
  private struct Place {
    let x: UnsafeMutablePointer<Double>
    let y: UnsafeMutablePointer<Double>
    let z: UnsafeMutablePointer<Double>
    let results: UnsafeMutablePointer<Double>

    init(_ chain: RecurrenceChain) {
      let (inputs, row) = (chain.inputs, chain.row)
      unsafe x = inputs[0].base + row
      unsafe y = inputs[min(1, inputs.count - 1)].base + row
      unsafe z = inputs[inputs.count - 1].base + row
      unsafe results = chain.results.base + row
    }

    @inline(__always)
    func set(_ row: Int, _ state: inout State) {
      unsafe results[row] = unsafe state.next(x[row], y[row], z[row]).ifFinite
    }
  }

  private mutating func advance(by count: Int) {
    let place = unsafe Place(self)
    var state = state
    for row in 0..<count { unsafe place.set(row, &state) }
    self.state = state
    row += count
  }

  private static func advanceTwo(_ chains: inout [RecurrenceChain], by count: Int) {
    let (p, q) = unsafe (Place(chains[0]), Place(chains[1]))
    var (a, b) = (chains[0].state, chains[1].state)
    for row in 0..<count {
      unsafe p.set(row, &a)
      unsafe q.set(row, &b)
    }
    (chains[0].state, chains[1].state) = (a, b)
    for index in 0..<2 { chains[index].row += count }
  }

  private static func advanceFour(_ chains: inout [RecurrenceChain], by count: Int) {
    let (p, q, r, s) = unsafe (Place(chains[0]), Place(chains[1]), Place(chains[2]), Place(chains[3]))
    var (a, b, c, d) = (chains[0].state, chains[1].state, chains[2].state, chains[3].state)
    for row in 0..<count {
      unsafe p.set(row, &a)
      unsafe q.set(row, &b)
      unsafe r.set(row, &c)
      unsafe s.set(row, &d)
    }
    (chains[0].state, chains[1].state, chains[2].state, chains[3].state) = (a, b, c, d)
    for index in 0..<4 { chains[index].row += count }
  }
}

extension ColumnMemory<Double> {
  /// Whether no value is missing or infinite: less itself, such a value is no number, and all others are 0.
  ///
  /// Sound: no row is beyond the last one.
  var areFinite: Bool {
    var sums = SIMD8<Double>.zero
    let end = count - count % SIMD8<Double>.scalarCount
    let rows = unsafe UnsafeRawPointer(base)
    for row in stride(from: 0, to: end, by: SIMD8<Double>.scalarCount) {
      let values = unsafe rows.loadUnaligned(fromByteOffset: row * MemoryLayout<Double>.stride, as: SIMD8<Double>.self)
      sums += values - values
    }
    var sum = sums.sum()
    for row in end..<count { sum += self[row] - self[row] }
    return sum == 0
  }
}
