/// Which values show all that a device can show of many.
package enum Thinning {
  /// The rows of a line to draw: of each of `columnCount` columns the first, smallest, largest and last one, in their order.
  /// A column without values has one row, whose value is missing, so that the line is broken there. All rows, if they are few.
  ///
  /// Complexity: O(rows).
  package static func rows(of values: [Double], columnCount: Int) -> [Int] {
    let columns = max(1, columnCount)
    guard values.count > 4 * columns else { return Array(values.indices) }
    var rows: [Int] = []
    rows.reserveCapacity(4 * columns)
    for column in 0..<columns {
      let range = (column * values.count / columns)..<((column + 1) * values.count / columns)
      append(rowsOf: values, in: range, to: &rows)
    }
    return rows
  }

  private static func append(rowsOf values: [Double], in range: Range<Int>, to rows: inout [Int]) {
    var (first, smallest, largest, last) = (-1, -1, -1, -1)
    for row in range where values[row].isDrawable {
      if first < 0 { (first, smallest, largest) = (row, row, row) }
      if values[row] < values[smallest] { smallest = row }
      if values[row] > values[largest] { largest = row }
      last = row
    }
    guard first >= 0 else { return rows.append(range.lowerBound) }
    let inner = smallest < largest ? [smallest, largest] : [largest, smallest]
    for row in [first] + inner + [last] where rows.last != row { rows.append(row) }
  }

  /// How many rows share a bar, so that at most `barCount` bars are drawn.
  package static func rowsPerBar(_ rowCount: Int, barCount: Int) -> Int {
    let bars = max(1, barCount)
    return max(1, (rowCount + bars - 1) / bars)
  }

  /// The largest and the smallest of each `count` values, whichever is farther from zero; NaN where all are missing.
  package static func extremes(of values: [Double], each count: Int) -> [(value: Double, row: Int)] {
    stride(from: 0, to: values.count, by: count).map { start in
      var found = (value: Double.nan, row: start)
      for row in start..<min(start + count, values.count)
      where values[row].isDrawable && !(values[row].magnitude <= found.value.magnitude) {
        found = (values[row], row)
      }
      return found
    }
  }
}
