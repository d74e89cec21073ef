/// How the rows of one ticker differ between two states of a store, or between two stores.
public struct TickerDifference: Sendable {
  /// The stock.
  public let ticker: TickerSymbol
  /// The rows of days that only the newer state has, oldest first.
  public internal(set) var added = QuoteColumns()
  /// The rows of days that only the older state has, oldest first.
  public internal(set) var removed = QuoteColumns()
  /// The rows of days that both have with different values, as the older state has them, oldest first.
  public internal(set) var before = QuoteColumns()
  /// The same rows as the newer state has them, in the same order.
  public internal(set) var after = QuoteColumns()

  /// Whether there is no difference.
  public var isEmpty: Bool { added.isEmpty && removed.isEmpty && before.isEmpty }

  /// The attributes whose cells differ in a row of `before` and `after`; none if there is no such row. Complexity: O(1).
  public func changedAttributes(at row: Int) -> AttributeSet {
    guard (0..<before.rowCount).contains(row) else { return [] }
    return AttributeSet(Attribute.allCases.filter { before[column: $0].bits(row) != after[column: $0].bits(row) })
  }

  /// How many cells of each attribute differ between `before` and `after`. Complexity: O(rows).
  public var changedCellCounts: [Attribute: Int] {
    var counts: [Attribute: Int] = [:]
    for name in Attribute.allCases {
      let (old, new) = (before[column: name], after[column: name])
      let count = (0..<before.rowCount).count { old.bits($0) != new.bits($0) }
      if count > 0 { counts[name] = count }
    }
    return counts
  }

  /// - Parameters:
  ///   - old: all rows of the older state, with rising days.
  ///   - new: all rows of the newer one.
  init(_ ticker: TickerSymbol, from old: QuoteColumns, to new: QuoteColumns) {
    self.ticker = ticker
    var (row, newRow) = (0, 0)
    while row < old.rowCount || newRow < new.rowCount {
      let isOld = row < old.rowCount && (newRow == new.rowCount || old.dayValues[row] <= new.dayValues[newRow])
      let isNew = newRow < new.rowCount && (row == old.rowCount || new.dayValues[newRow] <= old.dayValues[row])
      if !isOld {
        added.append(new, rows: newRow..<(newRow + 1))
      } else if !isNew {
        removed.append(old, rows: row..<(row + 1))
      } else if !old.isIdentical(row: row, to: new, row: newRow) {
        before.append(old, rows: row..<(row + 1))
        after.append(new, rows: newRow..<(newRow + 1))
      }
      if isOld { row += 1 }
      if isNew { newRow += 1 }
    }
  }
}

extension QuoteStore {
  /// Compares what this object shows with what another one does, cell by cell, bit for bit: two snapshots of a store, or two
  /// stores. Blocks the calling thread. Memory holds the rows of one ticker at a time, and between snapshots of one store only
  /// what was written in between is read.
  ///
  ///     if let before = try store.snapshot(named: "monday") {
  ///       try store.forEachDifference(from: before) { print($0.ticker, $0.changedCellCounts) }
  ///     }
  ///
  /// - Parameters:
  ///   - older: the state that counts as the older one.
  ///   - body: takes the differences of a ticker that has any; tickers ascend. When it throws an error, nothing more is read.
  /// - Throws: `StoreError` when a block is damaged, or the error of `body`.
  public func forEachDifference(from older: QuoteStore, _ body: (TickerDifference) throws -> Void) throws {
    let (old, new) = (older.frozen, frozen)
    for ticker in new.tickersThatMayDiffer(from: old) {
      let difference = try new.difference(of: ticker, from: old)
      if !difference.isEmpty { try body(difference) }
    }
  }

  /// How the rows of a ticker differ from those of another store.
  package func difference(of ticker: TickerSymbol, from older: QuoteStore) throws(StoreError) -> TickerDifference {
    TickerDifference(
      ticker, from: try older.quotes(for: ticker).fetchColumns().columns,
      to: try quotes(for: ticker).fetchColumns().columns)
  }

  /// The tickers whose rows may differ from those of another store, ascending.
  package func tickersThatMayDiffer(from older: QuoteStore) -> [TickerSymbol] {
    let (before, after) = (older.snapshot.manifest, snapshot.manifest)
    // In one store, or in a copy of it, files of the same number are the same, and what lies where it was is as it was.
    let records = Set((before.files + after.files).map { [$0.id, $0.headerChecksum] })
    if records.count == Set(records.map { $0[0] }).count { return after.changes(since: before).map(\.ticker) }
    return Set(older.tickers).union(tickers).sorted()
  }
}
