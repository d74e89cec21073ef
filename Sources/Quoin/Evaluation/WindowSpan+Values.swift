extension WindowSpan {
  /// The values of a function of the last rows, for each of a ticker's rows.
  ///
  /// - Parameters:
  ///   - columns: what the function is of; and of a span that begins where a predicate holds, its truths, the last.
  ///   - days: of the rows.
  ///   - absent: what columns have on days without a row.
  ///   - function: its values in windows of so many neighboring rows, given the columns of all of these.
  func values(
    of columns: [ColumnMemory<Double>], on days: ColumnMemory<TradingDay>, absent: Double,
    within budget: QuestionBudget,
    _ function: ([ColumnMemory<Double>], RowWindow) throws(StoreError) -> ColumnMemory<Double>
  ) throws(StoreError) -> ColumnMemory<Double> {
    let rowCount = columns[0].count
    switch self {
    case .rows(let window): return try function(columns, window)
    case .days(let window):
      let places = Self.places(of: days, window)
      let placeCount = (places.last ?? -1) + 1
      let held = try budget.hold((columns.count + 1) * placeCount * MemoryLayout<Double>.stride)
      defer { withExtendedLifetime(held) {} }
      let spread = columns.map { column in
        let spread = ColumnMemory(repeating: absent, count: placeCount)
        for (row, place) in places.enumerated() { spread[place] = column[row] }
        return spread
      }
      let values = try function(spread, window)
      return ColumnMemory(count: rowCount) { values[places[$0]] }
    case .period(let period):
      var starts: [Int] = []
      var next = TradingDay.earliest
      for row in 0..<rowCount where days[row] >= next || row == 0 {
        starts.append(row)
        next = period.next(after: days[row]) ?? .latest
      }
      return try values(of: columns, from: starts, function)
    case .since:
      let truths = columns[columns.count - 1]
      return try values(of: Array(columns.dropLast()), from: (0..<rowCount).filter { truths[$0] == 1 }, function)
    }
  }

  /// The values in windows that begin at the last of these rows; missing before the first one.
  private func values(
    of columns: [ColumnMemory<Double>], from starts: [Int],
    _ function: ([ColumnMemory<Double>], RowWindow) throws(StoreError) -> ColumnMemory<Double>
  ) throws(StoreError) -> ColumnMemory<Double> {
    let values = ColumnMemory<Double>(repeating: .missing, count: columns[0].count)
    for (start, end) in zip(starts, starts.dropFirst() + [values.count]) {
      let part = try function(columns.map { column in ColumnMemory(count: end - start) { column[start + $0] } }, .all)
      for row in start..<end { values[row] = part[row - start] }
    }
    return values
  }

  /// A place for each day from the first row's on. Of days without rows that follow each other there are no more than a window has.
  private static func places(of days: ColumnMemory<TradingDay>, _ window: RowWindow) -> [Int] {
    var places: [Int] = []
    places.reserveCapacity(days.count)
    for row in 0..<days.count {
      let age = row == 0 ? 0 : Int(days[row].daysSince1970) - Int(days[row - 1].daysSince1970)
      places.append((places.last ?? 0) + min(age, window.rows ?? age))
    }
    return places
  }
}
