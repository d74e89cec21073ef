extension WindowFunction {
  /// Fills `results`: a value for each row of a ticker's consecutive rows.
  ///
  /// - Parameters:
  ///   - inputs: one column or two, as many as the function takes and as long as `results`.
  ///   - share: the share below a quantile, between 0 and 1.
  func fill(
    _ results: inout MutableSpan<Double>, from inputs: [ColumnBuffer<Double>], over window: RowWindow,
    share: Double = 0.5
  ) {
    let rowCount = results.count
    precondition(inputCounts.contains(inputs.count), "\(name) of \(inputs.count) inputs")
    precondition(inputs.allSatisfy { $0.count == rowCount }, "inputs of \(inputs.map(\.count)) rows for \(rowCount)")
    let first = Swift.min(window.minimum - 1, rowCount)
    for row in 0..<first { results[row] = .missing }
    guard first < rowCount else { return }

    let rows = Swift.min(window.rows ?? rowCount, rowCount)
    // How many rows there are decides, so a window that begins at the first row has the bits of one with as many.
    let few = rows <= fewRowsMax ? rowCount : Swift.min(fewRowsMax, rowCount)
    if first < few { fill(&results, first..<few, from: inputs, rows: Swift.min(rows, few), share) }
    if few < rowCount {
      fillLong(WindowHistory(rows: rows, first: Swift.max(first, few), inputs: inputs), &results, share)
    }
  }

  /// Fills some rows whose windows have few rows, tile by tile.
  private func fill(
    _ results: inout MutableSpan<Double>, _ newest: Range<Int>, from inputs: [ColumnBuffer<Double>], rows: Int,
    _ share: Double
  ) {
    let rowCount = newest.upperBound
    let capacity = Swift.min(tileLength(rows, rowCount, at: rows), rowCount)
    let tile = WindowTile(rows: rows, capacity: capacity, inputs: inputs)
    // Windows that begin before the first row have missing values. The others have tiles of their own, which are faster.
    let whole = Swift.max(newest.lowerBound, Swift.min(rows - 1, rowCount))
    for part in [newest.lowerBound..<whole, whole..<rowCount] {
      var row = part.lowerBound
      while row < part.upperBound {
        let end = Swift.min(row + tileLength(rows, rowCount, at: row), part.upperBound)
        tile.read(row..<end)
        take(tile, share)
        tile.write(to: &results)
        row = end
      }
    }
  }

  /// The values for the last `rows` rows of one column.
  func values(of column: [Double], rows: Int) -> [Double] {
    var values = [Double](repeating: .missing, count: column.count)
    var results = values.mutableSpan
    fill(&results, from: [ColumnBuffer(column)], over: RowWindow(rows: rows))
    return values
  }

  /// What it takes beside its result and its inputs to fill a value for each of so many rows.
  func scratchByteCount(rowCount: Int, over window: RowWindow) -> Int {
    let rows = Swift.min(window.rows ?? rowCount, rowCount)
    let columnCount = rows > fewRowsMax ? WindowHistory.columnCountMax : keepsWindows ? WindowTile.columnCount : 0
    return columnCount * rowCount * MemoryLayout<Double>.stride
  }

  /// How many windows a tile has: all of them if they are kept from row to row. Other tiles fit the
  /// processor's cache, but have no fewer windows than a window has rows.
  private func tileLength(_ rows: Int, _ rowCount: Int, at row: Int) -> Int {
    keepsWindows ? rowCount : Swift.max(512, Swift.min(rows, row))
  }
}
