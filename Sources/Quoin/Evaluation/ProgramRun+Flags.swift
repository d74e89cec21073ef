// Functions of the rows in which a predicate holds: of truths, which are 1, 0 or missing.

extension ProgramRun {
  func flagged(_ function: FlagFunction, _ truths: ColumnMemory<Double>, _ window: RowWindow) -> ColumnMemory<Double> {
    switch function {
    case .streak: stretched(.streak, truths)
    case .since: stretched(.since, truths)
    case .every: counted(truths, window) { $0.no > 0 ? 0 : $0.unknown > 0 ? .missing : 1 }
    case .any: counted(truths, window) { $0.yes > 0 ? 1 : $0.unknown > 0 ? .missing : 0 }
    case .count: counted(truths, window) { Double($0.yes) }
    case .share: counted(truths, window) { Double($0.yes) / Double($0.yes + $0.no) }
    }
  }

  /// The rows of a window by what is known of them.
  private struct Counts {
    var yes = 0
    var no = 0
    var unknown = 0

    mutating func count(_ truth: Double, _ by: Int) {
      // Choices instead of branches, which a processor could not predict.
      yes += truth == 1 ? by : 0
      no += truth == 0 ? by : 0
      unknown += truth.isNaN ? by : 0
    }
  }

  private func counted(
    _ truths: ColumnMemory<Double>, _ window: RowWindow, _ value: (Counts) -> Double
  ) -> ColumnMemory<Double> {
    var counts = Counts()
    return ColumnMemory(count: truths.count) { row in
      counts.count(truths[row], 1)
      if let rows = window.rows, row >= rows { counts.count(truths[row - rows], -1) }
      return row + 1 >= window.minimum ? value(counts) : .missing
    }
  }

  private func stretched(_ stretch: Stretch, _ truths: ColumnMemory<Double>) -> ColumnMemory<Double> {
    ColumnMemory(count: truths.count) { stretch.fill(&$0, from: ColumnBuffer(truths)) }
  }
}
