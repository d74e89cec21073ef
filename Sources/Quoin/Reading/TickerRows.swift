/// The rows held of one ticker, in the order of their file until they are sorted.
struct TickerRows {
  var columns = QuoteColumns()
  /// Each row's line in its file (or index in its document).
  var positions: [Int] = []
  /// The seconds of the day at which each row's bar is, if the rows are bars of parts of a day; else none.
  var times: [Int32] = []
  /// The attributes that each row has in its file.
  var present = RowAttributes()

  /// Makes room for a long history, so that the arrays don't move again and again as they grow.
  mutating func reserve() {
    columns.reserveCapacity(8192)
    positions.reserveCapacity(8192)
  }

  /// Sorts the rows by day; rows of one day stay in the order of the file.
  ///
  /// Rows with the oldest day first cost nothing, those with the newest day first one reversal. Any others are sorted.
  mutating func sortByDay() {
    if columns.isStrictlyAscending { return }
    if columns.isStrictlyDescending {
      columns.reverse()
      positions.reverse()
      present.reverse()
    } else {
      gather(columns.rowsByDay)
    }
  }

  /// Makes the sorted rows of each day one row, which has the cells of all.
  ///
  /// - Parameter lastWins: whether a later row's cells replace those of an earlier one. If not, a row that contradicts an earlier
  ///   one is left out.
  mutating func joinDays(lastWins: Bool) -> RepeatedRows {
    var repeated = RepeatedRows()
    if columns.isStrictlyAscending { return repeated }
    let source = columns
    var kept: [Int] = []
    for row in 0..<source.rowCount {
      guard let first = kept.last, source.dayValues[first] == source.dayValues[row] else {
        kept.append(row)
        continue
      }
      let shared = present[first].intersection(present[row])
      let changed = shared.names.filter { !columns.isIdentical(row: first, to: source, row: row, in: $0) }
      guard changed.isEmpty || lastWins else {
        repeated.contradictions.append((positions[row], first: positions[first], source.dayValues[row]))
        continue
      }
      repeated.counts += changed.isEmpty ? UpsertCounts(unchanged: 1) : UpsertCounts(replaced: 1)
      for name in changed { repeated.counts.countChange(of: name) }
      for name in present[row].subtracting(shared).union(AttributeSet(changed)) {
        columns.copyCell(name, first, from: source, row: row)
      }
      present.set(present[first].union(present[row]), at: first)
    }
    gather(kept)
    return repeated
  }

  /// How many days are Saturdays and Sundays.
  var weekendCount: Int {
    columns.dayValues.withSpan { days in
      var count = 0
      // 0001-01-01 was a Monday.
      for row in days.indices { count += (UInt32(bitPattern: days[row].daysSince1970 &+ 719_162) % 7 > 4 ? 1 : 0) }
      return count
    }
  }

  /// The first row with a split; nil if there is none.
  var firstSplit: Int? {
    columns[column: .splitRatio].doubles.withSpan { ratios in ratios.indices.first { ratios[$0] > 0 && ratios[$0] != 1 }
    }
  }

  /// Sorts bars by their day and time. Of two of one time one stays.
  ///
  /// - Returns: those that contradict the one that stays.
  mutating func sortByTime() -> RepeatedRows {
    let (days, times) = (columns.dayValues, times)
    let order = days.indices.sorted { (days[$0], times[$0], $0) < (days[$1], times[$1], $1) }
    var (repeated, kept) = (RepeatedRows(), [Int]())
    for row in order {
      guard let last = kept.last, days[last] == days[row], times[last] == times[row] else {
        kept.append(row)
        continue
      }
      let isSame = Attribute.allCases.allSatisfy { columns.isIdentical(row: last, to: columns, row: row, in: $0) }
      if !isSame { repeated.contradictions.append((positions[row], first: positions[last], days[row])) }
    }
    gather(kept)
    return repeated
  }

  /// Makes the sorted bars of each day one row, at the place of the first.
  mutating func joinBars() throws(BarOverflow) {
    var starts = columns.dayValues.indices.filter { $0 == 0 || columns.dayValues[$0] != columns.dayValues[$0 - 1] }
    let first = starts
    starts.append(columns.rowCount)
    let days = first.map { columns.dayValues[$0] }
    let bars = try columns.bars(of: zip(first, starts.dropFirst()).map { $0..<$1 }, days: days)
    gather(first)
    columns = bars
    times = []
  }

  /// Makes each split ratio 1, where there is one.
  mutating func removeSplits() {
    let ratios = columns[column: .splitRatio].doubles
    columns[column: .splitRatio].doubles = ColumnBuffer(ratios.indices.map { ratios[$0].isNaN ? .missing : 1 })
  }

  private mutating func gather(_ rows: [Int]) {
    columns = columns.gathered(rows)
    positions = rows.map { positions[$0] }
    if !times.isEmpty { times = rows.map { times[$0] } }
    present.gather(rows)
  }

  /// Keeps only the rows that aren't among these.
  mutating func remove(_ rows: [Int]) {
    if rows.isEmpty { return }
    let removed = Set(rows)
    gather((0..<columns.rowCount).filter { !removed.contains($0) })
  }
}

/// What became of the rows that repeat a day.
struct RepeatedRows {
  /// Rows that agree with an earlier one, or that replaced its cells.
  var counts = UpsertCounts()
  /// Rows that contradict an earlier one: their positions, that of the earlier one, and the day.
  var contradictions: [(position: Int, first: Int, day: TradingDay)] = []
}

extension SuspiciousCounts {
  /// Counts the rows that look wrong. Comparisons with a missing price are false.
  mutating func count(_ columns: QuoteColumns) {
    func prices(_ name: Attribute) -> ColumnBuffer<Double> { columns[column: name].doubles }
    prices(.open).withSpan { open in
      prices(.high).withSpan { high in
        prices(.low).withSpan { low in
          prices(.close).withSpan { close in
            for row in 0..<columns.rowCount {
              if low[row] > high[row] { lowAboveHigh += 1 }
              if close[row] < low[row] || close[row] > high[row] { closeOutsideRange += 1 }
              if open[row] == 0 || high[row] == 0 || low[row] == 0 || close[row] == 0 { zeroPrice += 1 }
            }
          }
        }
      }
    }
    switch columns[column: .volume] {
    case .integers(let volumes): zeroVolume += volumes.withSpan { $0.zeroCount }
    case .doubles(let volumes): zeroVolume += volumes.withSpan { $0.zeroCount }
    }
  }
}

extension Span where Element: Numeric {
  fileprivate var zeroCount: Int { indices.reduce(0) { $0 + (self[$1] == 0 ? 1 : 0) } }
}
