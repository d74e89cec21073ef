/// The rows of one ticker as they came from one file, not yet in order.
struct TickerRows {
  var columns = QuoteColumns()
  /// Each row's line in its file (or index in its document).
  var positions: [Int] = []

  /// Makes room for a long history, lest the arrays move again and again as they grow.
  mutating func reserve() {
    columns.reserveCapacity(8192)
    positions.reserveCapacity(8192)
  }

  /// Brings the rows into the order of their days, and takes out those whose day came before.
  ///
  /// Files are oldest first or newest first, which costs nothing or one reversal; others are sorted.
  ///
  /// - Returns: the positions and days of rows that repeat a day with other values.
  mutating func settle() -> [(position: Int, day: TradingDay)] {
    if columns.isStrictlyAscending { return [] }
    if zip(columns.days, columns.days.dropFirst()).allSatisfy({ $0 > $1 }) {
      reverse()
      return []
    }
    let order = columns.days.indices.sorted { (columns.days[$0], $0) < (columns.days[$1], $1) }
    columns = columns.gathered(order)
    positions = order.map { positions[$0] }
    return removeRepeated()
  }

  /// Keeps the first row of each day. The rows of one day stand in the order of the file.
  private mutating func removeRepeated() -> [(position: Int, day: TradingDay)] {
    var kept: [Int] = []
    var contradictions: [(position: Int, day: TradingDay)] = []
    for row in 0..<columns.rowCount {
      if let first = kept.last, columns.days[first] == columns.days[row] {
        if !columns.isIdentical(row: row, to: columns, row: first) {
          contradictions.append((positions[row], columns.days[row]))
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

  private mutating func reverse() {
    columns.days.reverse()
    positions.reverse()
    for slot in columns.doubles.indices { columns.doubles[slot].reverse() }
    for slot in columns.integers.indices { columns.integers[slot].reverse() }
  }
}

extension SuspiciousCounts {
  /// Counts the rows that look wrong. A comparison with a missing price is false.
  mutating func count(_ columns: QuoteColumns) {
    let (open, high, low, close) = (columns[.open], columns[.high], columns[.low], columns[.close])
    let volume = columns[.volume]
    for row in 0..<columns.rowCount {
      if low[row] > high[row] { lowAboveHigh += 1 }
      if close[row] < low[row] || close[row] > high[row] { closeOutsideRange += 1 }
      if volume[row] == 0 { zeroVolume += 1 }
      if open[row] == 0 || high[row] == 0 || low[row] == 0 || close[row] == 0 { zeroPrice += 1 }
    }
  }
}
