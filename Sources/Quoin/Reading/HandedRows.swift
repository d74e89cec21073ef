/// The days of each ticker that one file has handed over or dropped, so that a repeated day is noticed.
///
/// The values of a repeated day are looked up in the store. Once an import is bound to be rejected, rows are dropped: they
/// don't go to the store, but a hash of each is kept, so that the count of bad rows is still right.
struct HandedRows {
  private struct Dropped {
    let days: ColumnBuffer<TradingDay>
    let hashes: [UInt32]
  }

  private var days: [TickerSymbol: DaySet] = [:]
  private var dropped: [TickerSymbol: [Dropped]] = [:]

  /// Notes that these rows, whose days rise strictly, leave the import.
  ///
  /// - Returns: the indices of the rows whose day has left before.
  mutating func insert(_ ticker: TickerSymbol, _ columns: QuoteColumns) -> [Int] {
    columns.dayValues.withSpan { days[ticker, default: DaySet()].insert($0) }
  }

  /// Notes that these rows are dropped.
  mutating func drop(_ ticker: TickerSymbol, _ columns: QuoteColumns) {
    let cells = Self.cells(columns)
    let hashes = (0..<columns.rowCount).map { Self.hash(cells, row: $0) }
    dropped[ticker, default: []].append(Dropped(days: columns.dayValues, hashes: hashes))
  }

  /// Whether row `row` has the values that its day had when it was dropped; nil if it wasn't dropped.
  func isLikeDropped(_ ticker: TickerSymbol, _ columns: QuoteColumns, row: Int) -> Bool? {
    for rows in dropped[ticker] ?? [] {
      if let index = rows.days.sortedIndex(of: columns.dayValues[row], by: { $0 }) {
        return rows.hashes[index] == Self.hash(Self.cells(columns), row: row)
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
    for column in cells { mix(column.bits(row)) }
    return UInt32(truncatingIfNeeded: hash &>> 32)
  }
}
