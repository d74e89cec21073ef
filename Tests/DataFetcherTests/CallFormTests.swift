import DataFetcher
import Quoin
import Testing

/// The call compiles however its bounds are written, and always asks the same.
@Suite struct CallFormTests {
  @Test func literals_with_and_without_labels_variables_and_mixtures_are_one_question() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let dataFetcher = DataFetcher(store: temporary.store)
    let expected = try temporary.store.quotes(for: .fedEx)
      .where(.high, above: 80, below: 83).where(.volume, above: 1_000_000).fetch()
    #expect(!expected.isEmpty)

    let (low, high): (Float, Float) = (80, 83)
    let floats: DataFetcher.MinMaxFloat = (80.0, 83.0)
    let optionalFloats: DataFetcher.MinMaxFloat? = (80.0, 83.0)
    let doubles: DataFetcher.MinMaxDouble = (min: 80.0, max: 83.0)
    let integers: DataFetcher.MinMaxInt = (80, 83)
    let large: DataFetcher.MinMaxInt64 = (1_000_000, nil)
    let optionalLow: Float? = 80
    let volume = 1_000_000

    func isAsExpected(_ high: DataFetcher.MinMax?, _ volume: DataFetcher.MinMax?) -> Bool {
      dataFetcher.getStockQuoteSummariesWithAttributeRanges(
        forTickerSymbol: "FDX", forMinMaxOpen: nil, forMinMaxClose: nil, forMinMaxHigh: high, forMinMaxLow: nil,
        forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil, forMinMaxAdjustedHigh: nil, forMinMaxAdjustedLow: nil,
        forMinMaxVolume: volume, forMinMaxAdjusedVolume: nil, forMinMaxExDividend: nil)?.quotes == expected
    }
    #expect(isAsExpected((80, 83), (1_000_000, nil)))
    #expect(isAsExpected((80.0, 83), (1e6, nil)))
    #expect(isAsExpected((min: 80.0, max: 83.0), (min: 1_000_000, max: nil)))
    #expect(isAsExpected((low, high), (volume, nil)))
    #expect(isAsExpected((optionalLow, 83.0), large))
    #expect(isAsExpected(floats, large))
    #expect(isAsExpected(optionalFloats, (Int64(1_000_000), Int64.max)))
    #expect(isAsExpected(doubles, (volume, Int.max)))
    #expect(isAsExpected(integers, (Float(1_000_000), .none)))
  }

  @Test func the_label_that_the_tutorial_misspells_may_be_spelled_right() throws {
    let fetcher = DataFetcher(store: try TemporaryStore.ofFedEx().store)
    let range: DataFetcher.MinMaxInt64 = (1_000_000, 2_000_000)
    let misspelled = fetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .Fedex_Corp, forMinMaxHigh: (80, nil), forMinMaxAdjusedVolume: range,
      forMinMaxExDividend: (nil, 1))
    let right = fetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .Fedex_Corp, forMinMaxHigh: (80, nil), forMinMaxAdjustedVolume: range,
      forMinMaxExDividend: (nil, 1))
    #expect(misspelled == right && right?.isEmpty == false)
    let all = fetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .Fedex_Corp, forMinMaxOpen: nil, forMinMaxClose: nil, forMinMaxHigh: nil, forMinMaxLow: nil,
      forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil, forMinMaxAdjustedHigh: nil, forMinMaxAdjustedLow: nil,
      forMinMaxVolume: nil, forMinMaxAdjustedVolume: nil, forMinMaxExDividend: nil)
    #expect(all?.count == 1200)
  }

  @Test func without_any_range_all_days_are_answered() throws {
    let dataFetcher = DataFetcher(store: try TemporaryStore.ofFedEx().store)
    let all = dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx)
    #expect(all?.count == 1200)
    let none = dataFetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .fedEx, forMinMaxOpen: nil, forMinMaxClose: nil, forMinMaxHigh: nil, forMinMaxLow: nil,
      forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil, forMinMaxAdjustedHigh: nil, forMinMaxAdjustedLow: nil,
      forMinMaxVolume: nil, forMinMaxAdjusedVolume: nil, forMinMaxExDividend: nil)
    #expect(none == all)
    let open = dataFetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .fedEx, forMinMaxOpen: (nil, nil), forMinMaxClose: (min: nil, max: nil), forMinMaxHigh: nil,
      forMinMaxLow: nil, forMinMaxAdjustedOpen: nil, forMinMaxAdjustedClose: nil, forMinMaxAdjustedHigh: nil,
      forMinMaxAdjustedLow: nil, forMinMaxVolume: nil, forMinMaxAdjusedVolume: nil, forMinMaxExDividend: nil)
    #expect(open == all)
    #expect(dataFetcher.getStockQuoteSummariesWithAttributeRanges(forTickerSymbol: .fedEx) == all)
  }
}
