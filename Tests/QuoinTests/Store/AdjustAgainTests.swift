import Testing

@testable import Quoin

/// What becomes of adjusted values when later rows come in.
@Suite struct AdjustAgainTests {
  private static let days: [TradingDay] = ["2024-01-18", "2024-01-19", "2024-01-22", "2024-01-23"]

  /// A store with the first two of four days, of which the third has a split and a dividend.
  private static func store(adjusted: [Double]? = nil) throws -> QuoteStore {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var first = try rows(0..<2)
    if let adjusted {
      first = try QuoteColumns(days: first.days, doubles: [.close: [100, 101], .adjustedClose: adjusted])
    }
    try store.upsert(["A": first])
    return store
  }

  private static func rows(_ part: Range<Int>) throws -> QuoteColumns {
    func slice(_ values: [Double]) -> [Double] { Array(values[part]) }
    return try QuoteColumns(
      days: Array(days[part]),
      doubles: [
        .close: slice([100, 101, 50, 51]), .exDividend: slice([0, 0, 0.5, 0]), .splitRatio: slice([1, 1, 2, 1]),
      ], integers: [.volume: Array([10, 10, 20, 20][part])])
  }

  private static func closes(_ store: QuoteStore) throws -> [Double] {
    try store.allQuotes.fetchColumns().columns.doubles(.adjustedClose)
  }

  private static let wanted: [Double] = [49.50495049505, 50, 50, 51]

  @Test func values_that_were_computed_here_are_brought_up_to_date_when_days_come() throws {
    let store = try Self.store()
    #expect(try store.adjustmentState(of: "A") == .absent)
    try store.adjust(["A"])
    #expect(try store.adjustmentState(of: "A") == .current)
    #expect(throws: StoreError.alreadyAdjusted(path: "store", ticker: "A")) { try store.adjust(["A"]) }
    for part in [2..<3, 3..<4] {
      try store.upsert(["A": Self.rows(part)])
      #expect(try store.adjustmentState(of: "A") == .outdated)
      #expect(try store.adjust(["A"]).replaced > 0)
      #expect(try store.adjustmentState(of: "A") == .current)
    }
    #expect(try Self.closes(store) == Self.wanted)
  }

  @Test func a_split_or_dividend_that_comes_late_is_seen() throws {
    let store = try Self.store()
    try store.upsert(["A": Self.rows(2..<4)])
    try store.update(where: .dates(from: Self.days[2], to: Self.days[2])) { ($0.splitRatio, $0.exDividend) = (1, 0) }
    try store.adjust(["A"])
    #expect(try Self.closes(store) == [100, 101, 50, 51])
    try store.upsert(["A": Self.rows(2..<3)])
    #expect(try store.adjustmentState(of: "A") == .outdated)
    try store.adjust(["A"])
    #expect(try Self.closes(store) == Self.wanted)
  }

  @Test func the_values_of_another_source_are_replaced_on_request_alone() throws {
    let store = try Self.store(adjusted: [49.1, 49.6])
    #expect(try store.adjustmentState(of: "A") == .current)
    try store.upsert(["A": Self.rows(2..<4)])
    #expect(try store.adjustmentState(of: "A") == .foreign)
    #expect(throws: StoreError.alreadyAdjusted(path: "store", ticker: "A")) { try store.adjust(["A"]) }
    try store.adjust(["A"], replacing: true)
    #expect(try Self.closes(store) == Self.wanted)
  }

  @Test func a_wrong_cell_of_another_source_is_not_an_outdated_ticker() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    var market = SoundMarket("A")
    market["A"][.adjustedClose][100] *= 2
    try store.upsert(market.rows)
    #expect(try store.adjustmentState(of: "A") == .current)
  }

  @Test func prices_that_have_the_split_already_are_not_divided_again() throws {
    let store = try QuoteStore(at: "store", in: InMemoryFiles())
    let columns = try QuoteColumns(
      days: Self.days, doubles: [.close: [64, 65, 64, 65], .splitRatio: [1, 1, 10, 1]])
    try store.upsert(["A": columns, "B": Self.rows(0..<4)])
    let error = StoreError.splitInPrices(ticker: "A", day: Self.days[2], ratio: 10)
    #expect(throws: error) { try store.adjust(["A", "B"]) }
    #expect(throws: error) { try store.asOf(Self.days[3]) }
    #expect(store.generation == 1)
    // What isn't asked for, or isn't there yet, refuses nothing.
    #expect(try Self.closes(store.asOf(Self.days[3], tickers: ["B"])) == Self.wanted)
    #expect(try store.asOf(Self.days[1]).allQuotes.count() == 4)
    #expect(try store.asOf(Self.days[3], trustingSplits: true).quotes(for: "A").fetch().first?.adjustedClose == 6.4)
    #expect(try store.adjust(["A", "B"], trustingSplits: true).replaced == 8)
  }

  @Test func a_split_that_is_shown_or_can_not_be_judged_is_counted() throws {
    let cases: [(closes: [Double], ratios: [Double])] = [
      ([100, 100, 52, 50], [1, 1, 2, 1]), ([1, 1, 19, 20], [1, 1, 0.05, 1]), ([100, 100, 58, 60], [1, 1, 1.5, 1]),
      // No close before, too small a ratio, a ratio that is none, a split that the prices show a day later.
      ([.nan, .nan, 50, 50], [1, 1, 2, 1]), ([50, 50, 50, 50], [2, 1, 1.25, 1]),
      ([50, 50, 50, 50], [1, 1, 0, .infinity]),
      ([100, 100, 100, 50], [1, 1, 2, 1]),
    ]
    for (closes, ratios) in cases {
      let columns = try QuoteColumns(days: Self.days, doubles: [.close: closes, .splitRatio: ratios])
      #expect(columns.completed.firstSplitInPrices == nil, "\(closes) \(ratios)")
    }
    for ratio in [1.5, 0.5, 20, 1 / 1.5] {
      let columns = try QuoteColumns(
        days: Self.days, doubles: [.close: [50, 51, 51.5, 50], .splitRatio: [1, 1, ratio, 1]])
      #expect(columns.completed.firstSplitInPrices?.day == Self.days[2], "\(ratio)")
    }
  }
}
