import Testing

@testable import Quoin
@testable import QuoteGenerator

/// A store that is fed a day at a time stays as small as one that got its rows at once. `Benchmarks/year.py` measures a larger one.
@Suite struct YearTests {
  /// What a feed brings for the last days: all values, or open, high, low, close and volume alone.
  @Test(arguments: [AttributeSet.all, [.open, .high, .low, .close, .volume]])
  func days_that_come_one_by_one_take_little_more_than_at_once(_ fed: AttributeSet) throws {
    let (tickerCount, dayCount) = (20, TestSettings.isDebug ? 40 : 250)
    let market = try QuoteGenerator(tickerCount: tickerCount, rowCount: tickerCount * 1500, seed: 5)
    var rows: [TickerSymbol: QuoteColumns] = [:]
    for index in 0..<tickerCount { rows[market.tickers[index]] = market.quotes(at: index) }
    let days = Set(rows.values.flatMap(\.days)).sorted().suffix(dayCount)
    let first = try #require(days.first)
    let whole = try QuoteStore(at: "whole", in: InMemoryFiles())
    try whole.upsert(rows)
    for (ticker, columns) in rows {
      rows[ticker] = QuoteColumns(days: columns.days) { row, name in
        columns.days[row] < first || fed.contains(name) ? columns.double(name, row) : nil
      }
    }
    let once = try QuoteStore(at: "once", in: InMemoryFiles())
    try once.upsert(rows)
    let daily = try QuoteStore(at: "daily", in: InMemoryFiles())
    try daily.upsert(
      rows.mapValues { columns in columns.gathered(columns.days.indices.filter { columns.days[$0] < first }) })
    for day in days {
      let news = rows.mapValues { columns in columns.gathered(columns.days.firstIndex(of: day).map { [$0] } ?? []) }
      try daily.upsert(news.filter { $0.value.rowCount > 0 })
    }

    let before = daily.summary
    #expect(before.fileCount <= 20 && before.byteCount * 2 < once.summary.byteCount * 3, "\(before), \(once.summary)")
    try daily.compact()
    #expect(daily.summary.byteCount * 10 < once.summary.byteCount * 11, "\(daily.summary), \(once.summary)")
    #expect(try content(of: daily) == content(of: once))
    // Values that are missing take no more than those that are there.
    #expect(once.summary.byteCount * 100 <= whole.summary.byteCount * 101, "\(once.summary), \(whole.summary)")
    // The record of each day of each ticker is kept.
    let records = try daily.importRecords()
    let old = rows.values.count { $0.days.contains { $0 < first } }
    #expect(records.count == old + rows.values.reduce(0) { $0 + $1.days.count { $0 >= first } })
    #expect(records.reduce(0) { $0 + $1.rowCount } == daily.summary.rowCount)
  }
}

extension QuoteColumns {
  /// A value as a float64; nil if it is missing.
  fileprivate func double(_ name: Attribute, _ row: Int) -> Double? {
    switch self[column: name] {
    case .doubles(let values): values[row].isMissing ? nil : values[row]
    case .integers(let values): values[row].isMissing ? nil : Double(values[row])
    }
  }
}
