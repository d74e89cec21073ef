import Foundation
import QuoteGenerator
import Testing

@testable import Quoin

/// A store as of a day.
@Suite struct AsOfTests {
  private static let adjusted: [Attribute] = [
    .adjustedOpen, .adjustedHigh, .adjustedLow, .adjustedClose, .adjustedVolume,
  ]

  /// A store of made-up quotes with dividends and splits.
  private static func market() throws -> (store: QuoteStore, rows: [TickerSymbol: QuoteColumns]) {
    let generator = try QuoteGenerator(tickerCount: 4, rowCount: 3000, seed: 5)
    let rows = Dictionary(
      uniqueKeysWithValues: generator.tickers.indices.map { (generator.tickers[$0], generator.quotes(at: $0)) })
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    try store.upsert(rows)
    return (store, rows)
  }

  /// The rows up to a day.
  private static func early(_ rows: [TickerSymbol: QuoteColumns], _ day: TradingDay) -> [TickerSymbol: QuoteColumns] {
    rows.mapValues { columns in columns.sliced(0..<columns.days.count { $0 <= day }) }.filter { !$0.value.isEmpty }
  }

  @Test(arguments: ["1966-12-30", "1970-01-04", "1995-08-01", "2015-06-01", "2018-03-27"] as [TradingDay])
  func adjusted_values_are_those_of_a_store_that_has_only_the_rows_up_to_the_day(_ day: TradingDay) throws {
    let (store, rows) = try Self.market()
    let then = try QuoteStore(at: "then", in: InMemoryFiles())
    let early = Self.early(rows, day)
    try then.upsert(early)
    try then.adjust(then.tickers, replacing: true)
    let view = try store.asOf(day)
    #expect(try content(of: view) == content(of: then) && view.tickers == early.keys.sorted())
    for (ticker, columns) in early {
      let shown = try view.quotes(for: ticker).fetchColumns().columns
      for name in Self.adjusted {
        #expect(
          shown.doubles(name).map(\.bitPattern) == Self.naive(columns, name).map(\.bitPattern), "\(ticker) \(name)")
      }
    }
  }

  /// The vendor's recursion from the last row back, each result written with 14 digits.
  private static func naive(_ rows: QuoteColumns, _ name: Attribute) -> [Double] {
    let source = name.derivationSource!
    let (sources, closes) = (rows.doubles(source), rows.doubles(.close))
    let (dividends, ratios) = (rows.doubles(.exDividend), rows.doubles(.splitRatio))
    var (price, volume, values) = (1.0, 1.0, [Double]())
    for row in (0..<rows.rowCount).reversed() {
      let (value, factor) = (sources[row], source == .volume ? volume : price)
      values.append(value.isNaN || factor == 1 ? value : Double(String(format: "%.13e", value * factor))!)
      price = price * (closes[row] / (closes[row] + dividends[row])) / ratios[row]
      volume *= ratios[row]
    }
    return values.reversed()
  }

  @Test func rows_of_later_days_have_no_say() throws {
    let (store, rows) = try Self.market()
    let day: TradingDay = "2015-06-01"
    func answers() throws -> [[UInt64]] {
      let view = try store.asOf(day)
      let query = view.allQuotes.where(try Predicate(parsing: "adj_close > mean(adj_close, 30) or volume is missing"))
      let batch = try query.computing("r", QuoteExpression(parsing: "ema(adj_close, 10)")).fetchColumns()
      return batch.columns.cellBits + [batch.computed("r")!.map(\.bitPattern)]
    }
    let before = try answers()
    #expect(before.count > 1000)
    try store.update(where: .dates(from: day.advanced(by: 1)!)) { quote in
      (quote.splitRatio, quote.exDividend, quote.close, quote.adjustedClose) = (7, 3, 1, 1)
    }
    try store.upsert(["NEW": .sample(9, from: day.advanced(by: 1)!)])
    #expect(try answers() == before)
    try store.delete(where: .dates(from: day.advanced(by: 1)!))
    #expect(try answers() == before && rows.count == 4)
  }

  /// Of later blocks not a byte is read, so it doesn't matter that they are damaged.
  @Test func blocks_of_later_days_are_not_read() throws {
    let files = InMemoryFiles()
    let store = try QuoteStore(at: "store", in: files)
    try store.upsert(["A": .sample(3000)])
    let file = try store.snapshot.file(0)
    let section = ColumnSection.attribute(.close)
    files[file.path]![file.offset(1, section, try file.directory(section))] ^= 1
    let damaged = try QuoteStore(at: "store", in: files)
    let day = QuoteColumns.sample(3000).days[1000]
    #expect(try damaged.asOf(day, trustingSplits: true).allQuotes.count() == 1001)
    #expect(throws: StoreError.self) { try damaged.asOf(.latest, trustingSplits: true) }
  }

  @Test func what_looks_ahead_is_refused_wherever_it_stands() throws {
    let (store, day) = (try Self.market().store, "2015-06-01" as TradingDay)
    let view = try store.asOf(day)
    let ahead = try [
      "next(close)", "prev(next(close))", "mean(next(close, 3), 20)", "ema(close - next(close), 5)",
      "if(every(next(close) > close, 2), 2, 1)",
    ].map(QuoteExpression.init(parsing:))
    for expression in ahead {
      let calls: [(QuoteStore) throws -> Void] = [
        { _ = try $0.allQuotes.where(expression > 1).count() },
        { _ = try $0.allQuotes.where(.close > 1 || !.isMissing(expression)).fetch() },
        { _ = try $0.allQuotes.computing("x", expression).fetchColumns() },
        { _ = try $0.allQuotes.computing("x", expression).latest() },
        { _ = try $0.allQuotes.limited(to: 3).sorted(by: expression) },
        { _ = try $0.allQuotes.aggregate([.count, Aggregation(.mean, of: expression)], by: .month) },
        { _ = try $0.allQuotes.aggregate([.share(expression > 1)]) },
        { _ = try $0.allQuotes.where(expression > 1).explain() },
      ]
      for (index, call) in calls.enumerated() {
        #expect(throws: StoreError.looksAhead(asOf: day), "\(expression), call \(index)") { try call(view) }
        // Also of bars that are made of the view, and of an earlier view of it.
        if index == 0 {
          #expect(throws: StoreError.looksAhead(asOf: day)) { try call(view.resampled(by: .week)) }
          #expect(throws: StoreError.looksAhead(asOf: "2000-01-03")) { try call(view.asOf("2000-01-03")) }
        }
        try call(store)
      }
    }
    let looksBack = try Predicate(parsing: "close > prev(close, 3) and every(diff(close) > 0, 2)")
    #expect(try view.allQuotes.where(looksBack).count() > 0)
  }

  @Test func the_views_of_the_article_are_what_it_says() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    // The sample's prices don't show its splits.
    try store.upsert(["KO": QuoteColumns.sample(500, from: "2016-01-01").having(.all.subtracting([.splitRatio]))])
    let weeks = try store.resampled(by: .week, tickers: ["KO"])
    let rising = try weeks.allQuotes.where(.close > .prev(.high)).fetch()
    let then = try store.asOf("2017-06-01", tickers: ["KO"])
    let closes = try then.allQuotes.selecting(.adjustedClose).fetchColumns().columns.doubles(.adjustedClose)
    #expect(
      rising.count > 10
        && closes.count == QuoteColumns.sample(500, from: "2016-01-01").days.count { $0 <= "2017-06-01" })
  }

  @Test func a_day_before_all_rows_leaves_nothing() async throws {
    let store = try Self.market().store
    let view = try await store.asOf(.earliest)
    #expect(view.tickers.isEmpty)
    #expect(try await view.allQuotes.count() == 0)
    #expect(try await view.allQuotes.latest().rowCount == 0)
    #expect(try await view.allQuotes.aggregate([.max(.close)]).rowCount == 1)
    await #expect(throws: StoreError.readOnly(path: "store")) { try await view.deleteAll() }
    let none = try await store.asOf(.latest, tickers: ["NONE"])
    #expect(none.tickers.isEmpty)
  }
}
