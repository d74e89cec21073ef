/// The rows held of one ticker, in the order of their file until they are sorted.
struct TickerRows {
  var columns = QuoteColumns()
  /// Each row's line in its file (or index in its document).
  var positions: [Int] = []

  /// Makes room for a long history, so that the arrays don't move again and again as they grow.
  mutating func reserve() {
    columns.reserveCapacity(8192)
    positions.reserveCapacity(8192)
  }

  /// Sorts the rows by day, and removes those whose day came before.
  ///
  /// Rows with the oldest day first cost nothing, those with the newest day first one reversal. Any others are sorted.
  ///
  /// - Returns: the positions and days of the rows that repeat a day with other values.
  mutating func sortByDay() -> [(position: Int, day: TradingDay)] {
    if columns.isStrictlyAscending { return [] }
    if columns.isStrictlyDescending {
      columns.reverse()
      positions.reverse()
      return []
    }
    let order = columns.rowsByDay
    columns = columns.gathered(order)
    positions = order.map { positions[$0] }
    return removeRepeated()
  }

  /// Keeps the first row of each day. The rows of one day are in the order of the file.
  private mutating func removeRepeated() -> [(position: Int, day: TradingDay)] {
    var kept: [Int] = []
    var contradictions: [(position: Int, day: TradingDay)] = []
    for row in 0..<columns.rowCount {
      if let first = kept.last, columns.dayValues[first] == columns.dayValues[row] {
        if !columns.isIdentical(row: row, to: columns, row: first) {
          contradictions.append((positions[row], columns.dayValues[row]))
        }
      } else {
        kept.append(row)
      }
    }
    keep(kept)
    return contradictions
  }

  /// Keeps only these rows.
  mutating func keep(_ rows: [Int]) {
    guard rows.count < columns.rowCount else { return }
    columns = columns.gathered(rows)
    positions = rows.map { positions[$0] }
  }
}

extension SuspiciousCounts {
  /// Counts the rows that look wrong. Comparisons with a missing price are false.
  mutating func count(_ columns: QuoteColumns) {
    func prices(_ name: Attribute) -> ColumnMemory<Double> { columns[column: name].doubles.shared }
    let (open, high, low, close) = (prices(.open), prices(.high), prices(.low), prices(.close))
    let volume = columns[column: .volume].integers.shared
    for row in 0..<columns.rowCount {
      if low[row] > high[row] { lowAboveHigh += 1 }
      if close[row] < low[row] || close[row] > high[row] { closeOutsideRange += 1 }
      if volume[row] == 0 { zeroVolume += 1 }
      if open[row] == 0 || high[row] == 0 || low[row] == 0 || close[row] == 0 { zeroPrice += 1 }
    }
  }
}
