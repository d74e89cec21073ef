/// How many rows of an import were new, replaced others of the same day, or were there already with the same values.
public struct UpsertCounts: Hashable, Sendable {
  public var inserted = 0
  public var replaced = 0
  public var unchanged = 0

  public init(inserted: Int = 0, replaced: Int = 0, unchanged: Int = 0) {
    self.inserted = inserted
    self.replaced = replaced
    self.unchanged = unchanged
  }

  public static func += (a: inout Self, b: Self) {
    a.inserted += b.inserted
    a.replaced += b.replaced
    a.unchanged += b.unchanged
  }
}

/// One ticker's stored rows with new rows merged in; on the same day the new row stands. Both rise by day.
struct QuoteMerge {
  private(set) var rows: QuoteColumns
  private(set) var counts = UpsertCounts()
  /// The first day on which `rows` differs from the stored rows; nil when nothing does.
  private(set) var firstChangedDay: TradingDay?

  init(stored: QuoteColumns, new: QuoteColumns) {
    rows = QuoteColumns(attributes: stored.attributes)
    var storedRow = 0
    // New rows that no stored row comes between are appended together.
    var firstWaiting = 0
    for newRow in 0..<new.rowCount {
      let day = new.days[newRow]
      let start = storedRow
      while storedRow < stored.rowCount, stored.days[storedRow] < day { storedRow += 1 }
      if start < storedRow {
        rows.append(new, rows: firstWaiting..<newRow)
        rows.append(stored, rows: start..<storedRow)
        firstWaiting = newRow
      }
      let isStored = storedRow < stored.rowCount && stored.days[storedRow] == day
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
