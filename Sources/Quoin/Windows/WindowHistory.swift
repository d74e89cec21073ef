import CKernels

/// Windows of many rows, over all rows of a ticker at once: a window costs a number of steps that grows with the number's digits
/// (`CKernels/window_merges.h`, `window_places.h`).
///
/// Sound: as `WindowTile` says.
struct WindowHistory {
  /// The most columns that it takes: the inputs, and the room of a function of C.
  static let columnCountMax = 17

  let rows: Int
  private let first: Int
  let inputs: [ColumnBuffer<Double>]
  private let x: ColumnMemory<Double>
  private let y: ColumnMemory<Double>?
  private let hasMissing: Bool
  private let hasLarge: Bool

  /// Windows of up to `rows` rows; those that end before row `first` aren't wanted.
  init(rows: Int, first: Int, inputs: [ColumnBuffer<Double>]) {
    (self.rows, self.first, self.inputs) = (rows, first, inputs)
    let count = inputs[0].count
    var flags = Int32(0)
    let columns = inputs.map { input in
      let column = ColumnMemory<Double>(capacity: count, count: count)
      unsafe input.withUnsafeBufferPointer { flags |= unsafe quoin_tile_fill($0.baseAddress, count, column.base) }
      return column
    }
    x = columns[0]
    y = columns.count == 2 ? columns[1] : nil
    if let y { unsafe quoin_tile_pair(x.base, y.base, count) }
    hasMissing = Int(flags) & QUOIN_HAS_MISSING != 0
    hasLarge = Int(flags) & QUOIN_HAS_LARGE != 0
  }

  // Each of these fills the rows from `first` on.

  func takeProducts(_ results: inout MutableSpan<Double>) {
    unsafe call(&results, 5) { unsafe quoin_history_products($0, $1, $2) }
  }

  func takeQuantiles(_ share: Double, _ results: inout MutableSpan<Double>) {
    unsafe call(&results, 6) { unsafe quoin_history_quantiles($0, share, $1, $2) }
  }

  func takeRanks(_ results: inout MutableSpan<Double>) {
    unsafe call(&results, 6) { unsafe quoin_history_ranks($0, $1, $2) }
  }

  /// - Parameter means: of the windows.
  func takeMads(_ means: ColumnMemory<Double>, _ results: inout MutableSpan<Double>) {
    precondition(means.count == x.count)
    unsafe call(&results, 6) { unsafe quoin_history_mads($0, means.base, $1, $2) }
  }

  /// - Parameter quantiles: of the windows.
  func takeShortfalls(_ quantiles: ColumnMemory<Double>, _ results: inout MutableSpan<Double>) {
    precondition(quantiles.count == x.count)
    unsafe call(&results, 6) { unsafe quoin_history_shortfalls($0, quantiles.base, $1, $2) }
  }

  func take(_ function: quoin_deviation, _ results: inout MutableSpan<Double>) {
    unsafe call(&results, 11) { unsafe quoin_history_deviations($0, function, $1, $2) }
  }

  func take(_ function: quoin_merged, _ results: inout MutableSpan<Double>) {
    unsafe call(&results, 15) { unsafe quoin_history_pairs($0, function, $1, $2) }
  }

  /// A column of the rows.
  func values(_ fill: (inout MutableSpan<Double>) -> Void) -> ColumnMemory<Double> {
    ColumnMemory(count: x.count, fill: fill)
  }

  /// Calls a function of C, which gets room for so many numbers a row and the results of all rows.
  private func call(
    _ results: inout MutableSpan<Double>, _ roomCount: Int,
    _ function: (UnsafePointer<quoin_history>, UnsafeMutablePointer<Double>, UnsafeMutablePointer<Double>?) -> Void
  ) {
    let count = x.count
    precondition(results.count == count && first <= count && rows <= count, "windows of \(rows) rows from \(first) on")
    let scratch = ColumnMemory<Double>(capacity: roomCount * (count + 64), count: 0)
    let history = unsafe quoin_history(
      count: count, rows: rows, first: first, has_missing: hasMissing ? 1 : 0, x: x.base, y: y?.base)
    unsafe results.withUnsafeMutableBufferPointer { results in
      unsafe withUnsafePointer(to: history) { unsafe function($0, scratch.base, results.baseAddress) }
    }
    if hasLarge { for row in first..<count { results[row] = results[row].ifFinite } }
  }
}
