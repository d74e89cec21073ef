/// The days of each ticker that an import has handed over or dropped, so that a repeated day is noticed.
///
/// The values of a repeated day are looked up in the store. Once an import is bound to be rejected, rows are dropped: they
/// don't go to the store, but a hash of each is kept, so that the count of bad rows is still right.
struct HandedRows {
  private struct Days {
    let attributes: AttributeSet
    var days: DaySet
  }

  private struct Dropped {
    let days: ColumnBuffer<TradingDay>
    let hashes: [UInt32]
    let attributes: RowAttributes
  }

  private var handed: [TickerSymbol: [Days]] = [:]
  private var dropped: [TickerSymbol: [Dropped]] = [:]

  func contains(_ ticker: TickerSymbol, _ day: TradingDay) -> Bool {
    handed[ticker]?.contains { $0.days.contains(day) } ?? false
  }

  /// Notes that these rows, whose days rise strictly, leave the import.
  ///
  /// - Returns: the rows whose day has left before, ascending, each with the attributes that left then.
  mutating func insert(_ ticker: TickerSymbol, _ rows: TickerRows) -> [(row: Int, earlier: AttributeSet)] {
    var entries = handed.removeValue(forKey: ticker) ?? []
    let days = rows.columns.dayValues
    var known: [Int: AttributeSet] = [:]
    for (attributes, group) in rows.present.groups {
      for entry in entries where entry.attributes != attributes {
        for row in group ?? Array(days.indices) where entry.days.contains(days[row]) {
          known[row, default: []].formUnion(entry.attributes)
        }
      }
      let index = entries.firstIndex { $0.attributes == attributes } ?? entries.count
      if index == entries.count { entries.append(Days(attributes: attributes, days: DaySet())) }
      let added = group.map { rows in ColumnBuffer(rows.map { days[$0] }) } ?? days
      for place in added.withSpan({ entries[index].days.insert($0) }) {
        known[group?[place] ?? place, default: []].formUnion(attributes)
      }
    }
    handed[ticker] = entries
    return known.sorted { $0.key < $1.key }.map { (row: $0.key, earlier: $0.value) }
  }

  /// Notes that these rows are dropped.
  mutating func drop(_ ticker: TickerSymbol, _ rows: TickerRows) {
    let cells = Self.cells(rows.columns)
    let hashes = (0..<rows.columns.rowCount).map { Self.hash(cells, row: $0) }
    dropped[ticker, default: []].append(
      Dropped(days: rows.columns.dayValues, hashes: hashes, attributes: rows.present))
  }

  /// Whether row `row` has the values that its day had when it was dropped; nil if it wasn't dropped. Rows of other attributes
  /// count as equal.
  func isLikeDropped(_ ticker: TickerSymbol, _ rows: TickerRows, row: Int) -> Bool? {
    for dropped in dropped[ticker] ?? [] {
      if let index = dropped.days.sortedIndex(of: rows.columns.dayValues[row], by: { $0 }) {
        return dropped.attributes[index] != rows.present[row]
          || dropped.hashes[index] == Self.hash(Self.cells(rows.columns), row: row)
      }
    }
    return nil
  }

  private static func cells(_ columns: QuoteColumns) -> [Column] {
    columns.attributes.names.map { columns[column: $0] }
  }

  /// A hash of a row's bits; all NaNs are one value.
  private static func hash(_ cells: [Column], row: Int) -> UInt32 {
    var hash: UInt64 = 0
    func mix(_ bits: UInt64) { hash = (hash ^ bits) &* 0x9E37_79B9_7F4A_7C15 ^ (hash &>> 29) }
    for column in cells { mix(column.plainBits(row)) }
    return UInt32(truncatingIfNeeded: hash &>> 32)
  }
}
