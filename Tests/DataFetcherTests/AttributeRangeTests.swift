import DataFetcher
import Quoin
import Testing

/// What the ranges of `getStockQuoteSummariesWithAttributeRanges` mean.
@Suite struct AttributeRangeTests {
  @Test func the_tutorials_call_for_FedEx_answers_as_a_direct_scan() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let dataFetcher = DataFetcher(store: temporary.store)
    let fedExSummaries = dataFetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .Fedex_Corp, forMinMaxOpen: nil, forMinMaxClose: nil, forMinMaxHigh: (80.0, 83.0),
      forMinMaxLow: (78.0, 82.0), forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil,
      forMinMaxAdjustedHigh: (75.0, 85.0), forMinMaxAdjustedLow: nil, forMinMaxVolume: nil,
      forMinMaxAdjusedVolume: nil, forMinMaxExDividend: nil)
    let scanned = try temporary.store.quotes(for: .fedEx)
      .where(.high, above: 80, below: 83).where(.low, above: 78, below: 82).where(.adjustedHigh, above: 75, below: 85)
      .fetch()
    #expect(fedExSummaries?.quotes == scanned)
    #expect(scanned.count > 10)
  }

  @Test func each_range_bounds_the_value_that_it_is_named_for() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let fetcher = DataFetcher(store: temporary.store)
    let all = try #require(fetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx)).quotes
    func check(
      _ value: (Quoin.DailyQuoteSummary) -> Double?, _ call: (DataFetcher.MinMax) -> [Summary]?,
      line: Int = #line
    ) throws {
      let sorted = all.compactMap(value).sorted()
      let (low, high) = (sorted[sorted.count / 8], sorted[sorted.count * 7 / 8])
      let expected = all.filter { summary in value(summary).map { $0 > low && $0 < high } ?? false }
      let location = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
      #expect(call((low, high))?.quotes == expected, sourceLocation: location)
      #expect(call((low, nil))?.quotes == all.filter { (value($0) ?? .nan) > low }, sourceLocation: location)
      #expect(call((nil, high))?.quotes == all.filter { (value($0) ?? .nan) < high }, sourceLocation: location)
    }
    let get = fetcher.getStockQuoteSummariesWithAttributeRanges
    try check(\.open) { get(.fedEx, $0, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil) }
    try check(\.close) { get(.fedEx, nil, $0, nil, nil, nil, nil, nil, nil, nil, nil, nil) }
    try check(\.high) { get(.fedEx, nil, nil, $0, nil, nil, nil, nil, nil, nil, nil, nil) }
    try check(\.low) { get(.fedEx, nil, nil, nil, $0, nil, nil, nil, nil, nil, nil, nil) }
    try check(\.adjustedOpen) { get(.fedEx, nil, nil, nil, nil, $0, nil, nil, nil, nil, nil, nil) }
    try check(\.adjustedClose) { get(.fedEx, nil, nil, nil, nil, nil, $0, nil, nil, nil, nil, nil) }
    try check(\.adjustedHigh) { get(.fedEx, nil, nil, nil, nil, nil, nil, $0, nil, nil, nil, nil) }
    try check(\.adjustedLow) { get(.fedEx, nil, nil, nil, nil, nil, nil, nil, $0, nil, nil, nil) }
    try check(\.shares) { get(.fedEx, nil, nil, nil, nil, nil, nil, nil, nil, $0, nil, nil) }
    try check(\.adjustedShares) { get(.fedEx, nil, nil, nil, nil, nil, nil, nil, nil, nil, $0, nil) }
    #expect(
      get(.fedEx, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, (0, nil))?.quotes
        == all.filter { $0.exDividend ?? 0 > 0 })
  }

  @Test func a_float_bound_is_the_decimal_that_it_prints_as() throws {
    let days = try Highs([80.09, 80.1, 80.11])
    let bound: Float = 80.1
    #expect(days.highs(in: (bound, nil)) == [80.11])
    #expect(days.highs(in: (nil, bound)) == [80.09])
    // As doubles they would not be: 80.1 lies above Float(80.1), and 80.3 below Float(80.3).
    #expect(80.1 > Double(bound))
  }

  @Test func both_ends_are_outside_and_nil_is_none() throws {
    let days = try Highs([-1, 0, 1, 2, 3])
    #expect(days.highs(in: (1, 3)) == [2])
    #expect(days.highs(in: (1, nil)) == [2, 3])
    #expect(days.highs(in: (nil, 1)) == [-1, 0])
    #expect(days.highs(in: (nil, nil)) == [-1, 0, 1, 2, 3])
    #expect(days.highs(in: nil) == [-1, 0, 1, 2, 3])
    #expect(days.highs(in: (-0.0, nil)) == [1, 2, 3])
  }

  @Test func an_inverted_range_one_with_a_NaN_and_one_beyond_all_values_contain_nothing() throws {
    let days = try Highs([1, 2, 3])
    let ranges: [DataFetcher.MinMaxDouble] = [
      (.nan, nil), (nil, .nan), (.signalingNaN, nil), (Double(nan: 5, signaling: false), nil), (-.nan, .nan), (3, 1),
      (2, 2), (.infinity, nil), (nil, -.infinity), (.infinity, -.infinity), (.greatestFiniteMagnitude, nil),
    ]
    for range in ranges { #expect(days.highs(in: range) == [], "\(range)") }
  }

  @Test func infinite_ends_bound_nothing_that_is_finite() throws {
    #expect(try Highs([1, 2]).highs(in: (-Float.infinity, Double.infinity)) == [1, 2])
    #expect(try Highs([1, 2]).highs(in: (Float.leastNonzeroMagnitude, Int.max)) == [1, 2])
    #expect(try Highs([1, 2]).highs(in: (Int64.min, Float.greatestFiniteMagnitude)) == [1, 2])
  }

  @Test func a_volume_is_compared_exactly() throws {
    let large: Int64 = 9_007_199_254_740_993  // no float64
    let temporary = try TemporaryStore([
      Quoin.DailyQuoteSummary(ticker: "A", date: "2001-01-02", volume: large),
      Quoin.DailyQuoteSummary(ticker: "A", date: "2001-01-03", volume: 3),
      Quoin.DailyQuoteSummary(ticker: "A", date: "2001-01-04"),
    ])
    func volumes(_ range: DataFetcher.MinMax?) -> [Int64?]? {
      DataFetcher(store: temporary.store)
        .getStockQuoteSummariesWithAttributeRanges(forTickerSymbol: "A", forMinMaxVolume: range)?.map(\.quote.volume)
    }
    #expect(volumes((large - 1, large + 1)) == [large])
    #expect(volumes((large, nil)) == [])
    #expect(volumes((2.5, 3.5)) == [3])
    #expect(volumes((Float(2.5), nil)) == [large, 3])
    #expect(volumes((Int64.min, Int64.max)) == [large, 3])
    #expect(volumes((-Double.infinity, Double.infinity)) == [large, 3])
    #expect(volumes((nil, Double.nan)) == [])
    #expect(volumes((nil, 1e300)) == [large, 3])
  }

  @Test func a_missing_value_is_in_no_range() throws {
    let days = try Highs([1, nil, 3])
    #expect(days.highs(in: (nil, 5)) == [1, 3])
    #expect(days.highs(in: (nil, nil)) == [1, nil, 3])
  }
}

extension Quoin.DailyQuoteSummary {
  fileprivate var shares: Double? { volume.map(Double.init) }
  fileprivate var adjustedShares: Double? { adjustedVolume }
}

/// A ticker whose days differ in the high alone.
private struct Highs {
  private let temporary: TemporaryStore

  init(_ highs: [Double?]) throws {
    temporary = try TemporaryStore(
      highs.enumerated().compactMap { index, high in
        TradingDay(daysSince1970: index).map { Quoin.DailyQuoteSummary(ticker: "HIGH", date: $0, high: high, low: 0) }
      })
  }

  func highs(in range: DataFetcher.MinMax?) -> [Double?]? {
    DataFetcher(store: temporary.store)
      .getStockQuoteSummariesWithAttributeRanges(forTickerSymbol: "HIGH", forMinMaxHigh: range)?.map(\.quote.high)
  }
}
