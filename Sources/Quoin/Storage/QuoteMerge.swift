/// How many rows of an import were new, replaced others of the same day, or were already stored with the same values.
public struct UpsertCounts: Hashable, Sendable {
  /// Rows of days that the store didn't have.
  public var inserted = 0
  /// Rows that took the place of others with different values.
  public var replaced = 0
  /// Rows that the store had with the same values.
  public var unchanged = 0

  /// These counts; none by default.
  public init(inserted: Int = 0, replaced: Int = 0, unchanged: Int = 0) {
    self.inserted = inserted
    self.replaced = replaced
    self.unchanged = unchanged
  }

  /// Adds each count of `b` to that of `a`.
  package static func += (a: inout Self, b: Self) {
    a.inserted += b.inserted
    a.replaced += b.replaced
    a.unchanged += b.unchanged
  }
}

/// One ticker's stored rows, merged with new rows; a new row replaces a stored row of the same day. Both rise by day.
struct QuoteMerge {
  private(set) var rows: QuoteColumns
  private(set) var counts = UpsertCounts()
  /// The first day on which `rows` differs from the stored rows; nil if none does.
  private(set) var firstChangedDay: TradingDay?

  init(stored: QuoteColumns, new: QuoteColumns) {
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
      note(day, isNew: !isStored, isChanged: !isStored || !stored.isIdentical(row: storedRow, to: new, row: newRow))
      if isStored { storedRow += 1 }
    }
    rows.append(new, rows: firstWaiting..<new.rowCount)
    rows.append(stored, rows: storedRow..<stored.rowCount)
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
