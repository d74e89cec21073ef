/// One ticker's stored rows, merged with new rows as the mode says. Both rise by day and have all attributes.
struct QuoteMerge {
  private(set) var rows: QuoteColumns
  private(set) var counts = UpsertCounts()
  /// The first day on which `rows` differs from the stored rows; nil if none does.
  private(set) var firstChangedDay: TradingDay?

  /// - Parameter present: the attributes that the new rows had in their source.
  init(stored: QuoteColumns, new: QuoteColumns, _ mode: UpsertMode = .update, present: AttributeSet = .all) {
    switch mode {
    case .update: self.init(stored, present == .all ? new : new.filled(from: stored, where: present))
    case .fill: self.init(stored, new.filled(from: stored, where: present, andWhereMissing: true))
    case .replace: self.init(stored, new)
    case .keep:
      let missing = new.rows(notOn: stored.dayValues)
      self.init(stored, missing.count == new.rowCount ? new : new.gathered(missing))
      counts.kept = new.rowCount - missing.count
    }
  }

  /// Each new row replaces the stored one of its day.
  private init(_ stored: QuoteColumns, _ new: QuoteColumns) {
    // Most rows that are imported again haven't changed, so they are compared column by column.
    let firstStored =
      new.dayValues.first.map { day in stored.dayValues.firstIndex { $0 >= day } ?? stored.rowCount } ?? 0
    let commonCount = new.commonRowCount(with: stored, from: firstStored)
    counts.unchanged = commonCount
    guard commonCount < new.rowCount else {
      rows = stored
      return
    }
    rows = stored.sliced(0..<(firstStored + commonCount))
    var storedRow = firstStored + commonCount
    // New rows without a stored row between them are appended together.
    var firstWaiting = commonCount
    for newRow in commonCount..<new.rowCount {
      let day = new.dayValues[newRow]
      let start = storedRow
      while storedRow < stored.rowCount, stored.dayValues[storedRow] < day { storedRow += 1 }
      if start < storedRow {
        rows.append(new, rows: firstWaiting..<newRow)
        rows.append(stored, rows: start..<storedRow)
        firstWaiting = newRow
      }
      let isStored = storedRow < stored.rowCount && stored.dayValues[storedRow] == day
      note(day, isNew: !isStored, isChanged: !isStored || countChanges(stored, storedRow, new, newRow))
      if isStored { storedRow += 1 }
    }
    rows.append(new, rows: firstWaiting..<new.rowCount)
    rows.append(stored, rows: storedRow..<stored.rowCount)
  }

  /// Counts the cells that differ. Returns whether there are any.
  private mutating func countChanges(_ stored: QuoteColumns, _ storedRow: Int, _ new: QuoteColumns, _ newRow: Int)
    -> Bool
  {
    if stored.isIdentical(row: storedRow, to: new, row: newRow) { return false }
    for name in Attribute.allCases where !stored.isIdentical(row: storedRow, to: new, row: newRow, in: name) {
      counts.countChange(of: name)
    }
    return true
  }

  private mutating func note(_ day: TradingDay, isNew: Bool, isChanged: Bool) {
    if isChanged, firstChangedDay == nil { firstChangedDay = day }
    if isNew {
      counts.inserted += 1
    } else if isChanged {
      counts.replaced += 1
    } else {
      counts.unchanged += 1
    }
  }
}

extension QuoteColumns {
  /// How many rows, from the first one on, are identical to the rows of `other` from `start` on, which has the same
  /// attributes.
  fileprivate func commonRowCount(with other: QuoteColumns, from start: Int) -> Int {
    let limit = max(0, min(rowCount, other.rowCount - start))
    let count = dayValues.commonCount(with: other.dayValues, from: start, limit: limit) { $0 == $1 }
    return attributes.names.reduce(count) {
      self[column: $1].commonCount(with: other[column: $1], from: start, limit: $0)
    }
  }
}

extension QuoteColumns {
  /// The rows whose day isn't among `days`, which rise as the rows do.
  func rows(notOn days: ColumnBuffer<TradingDay>) -> [Int] {
    var index = 0
    return dayValues.indices.filter { row in
      while index < days.count, days[index] < dayValues[row] { index += 1 }
      return index == days.count || days[index] != dayValues[row]
    }
  }

  /// The same rows, in which the attributes that aren't `present` have the values of the stored rows of the same days, and so have
  /// missing cells if that is wanted.
  func filled(
    from stored: QuoteColumns, where present: AttributeSet, andWhereMissing fillsGaps: Bool = false
  ) -> QuoteColumns {
    var pairs: [(row: Int, stored: Int)] = []
    var index = 0
    for row in dayValues.indices {
      while index < stored.rowCount, stored.dayValues[index] < dayValues[row] { index += 1 }
      if index < stored.rowCount, stored.dayValues[index] == dayValues[row] { pairs.append((row, index)) }
    }
    var result = self
    for name in attributes.names where fillsGaps || !present.contains(name) {
      for (row, storedRow) in pairs where !present.contains(name) || self[column: name].isMissing(row) {
        result.copyCell(name, row, from: stored, row: storedRow)
      }
    }
    return result
  }
}
