/// How a recurrence begins: the first row that it has a value for, and that value.
struct Beginning<State: Recurrence> {
  let row: Int
  let value: Double
  let state: State

  init(_ row: Int, _ value: Double, _ state: State) { (self.row, self.value, self.state) = (row, value, state) }
}

/// A function that goes through a history from its first rows on.
struct Recurrent: Sendable {
  /// The values of some histories, whose inputs are finite numbers.
  let values: @Sendable (_ histories: [[ColumnMemory<Double>]]) -> [ColumnMemory<Double>]

  /// - Parameter begin: how it begins; nil if the history is too short.
  init<State: Recurrence>(_ begin: @escaping @Sendable (_ inputs: [ColumnMemory<Double>]) -> Beginning<State>?) {
    values = { histories in
      var chains: [RecurrenceChain<State>] = []
      let results = histories.map { inputs in
        let count = inputs[0].count
        let results = ColumnMemory<Double>(capacity: count, count: count)
        guard let beginning = begin(inputs) else {
          results.update(0..<count, repeating: .missing)
          return results
        }
        results.update(0..<beginning.row, repeating: .missing)
        results[beginning.row] = beginning.value.ifFinite
        chains.append(RecurrenceChain(beginning.state, inputs, from: beginning.row + 1, to: results))
        return results
      }
      RecurrenceChain.finish(chains)
      return results
    }
  }
}
