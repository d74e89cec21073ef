/// What was handed over, from one file, before: the days of each ticker, so that a day which comes again is noticed.
///
/// The values of a noticed day are looked up in the store. Once the import is bound to be rejected rows no longer go
/// there; of those a hash is kept, so that the count of bad rows is right all the same.
struct HandedRows {
  private struct Dropped {
    let days: [TradingDay]
    let hashes: [UInt32]
  }

  private var days: [TickerSymbol: DaySet] = [:]
  private var dropped: [TickerSymbol: [Dropped]] = [:]

  /// Notes that these rows, whose days rise strictly, are handed over.
  ///
  /// - Returns: the indices of rows whose day was handed over before.
  mutating func insert(_ ticker: TickerSymbol, _ columns: QuoteColumns) -> [Int] {
    days[ticker, default: DaySet()].insert(columns.days)
  }

  /// Notes that these rows do not go to the store.
  mutating func drop(_ ticker: TickerSymbol, _ columns: QuoteColumns) {
    let hashes = (0..<columns.rowCount).map { Self.hash(columns, row: $0) }
    dropped[ticker, default: []].append(Dropped(days: columns.days, hashes: hashes))
  }

  /// Whether row `row` has the values that its day had when it was dropped; nil when it was not.
  func isLikeDropped(_ ticker: TickerSymbol, _ columns: QuoteColumns, row: Int) -> Bool? {
    for rows in dropped[ticker] ?? [] {
      if let index = rows.days.sortedIndex(of: columns.dayValues[row], by: { $0 }) {
        return rows.hashes[index] == Self.hash(columns, row: row)
      }
    }
    return nil
  }

  /// A hash of a row's bits; all NaNs are one value.
  private static func hash(_ columns: QuoteColumns, row: Int) -> UInt32 {
    var hash: UInt64 = 0
    func mix(_ bits: UInt64) { hash = (hash ^ bits) &* 0x9E37_79B9_7F4A_7C15 ^ (hash &>> 29) }
    for name in columns.attributes.names { mix(columns[column: name].bits(row)) }
    return UInt32(truncatingIfNeeded: hash &>> 32)
  }
}
