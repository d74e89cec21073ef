import DataFetcher
import Foundation
import Testing

/// Quotes in the tutorials' types.
@Suite struct SummaryTests {
  /// What a program of the tutorials prints of a quote: this compiles, and no value is printed as an optional.
  private func line(_ summary: DailyQuoteSummary) -> String {
    let high = summary.high
    let low = summary.low
    let date = summary.date
    let volume = summary.volume
    let adjVolume = summary.adjustedVolume
    return "high: \(high), low: \(low), date: \(date!), volume: \(volume), adjVolume: \(adjVolume)"
  }

  @Test func a_line_of_values_prints_as_Core_Datas_floats_and_dates_do() throws {
    let dataFetcher = DataFetcher(store: try TemporaryStore.ofFedEx().store)
    let summaries = try #require(dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .Fedex_Corp))
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    var count = 0
    for summary in summaries {
      let quote = summary.quote
      // As the tutorials' reader makes them of JSON's numbers.
      func float(_ value: Double?) throws -> Float { NSNumber(value: try #require(value)).floatValue }
      // A formatter knows no moment of a day that has no midnight, because the clocks change then.
      guard let date = formatter.date(from: "\(quote.date)") else { continue }
      let adjusted = NSNumber(value: try #require(quote.adjustedVolume)).int64Value
      let expected =
        "high: \(try float(quote.high)), low: \(try float(quote.low)), date: \(date), "
        + "volume: \(try #require(quote.volume)), adjVolume: \(adjusted)"
      #expect(line(summary) == expected)
      count += 1
    }
    #expect(count > 1190 && summaries.count == 1200)
  }

  @Test func each_value_is_the_quotes_as_a_float() {
    let summary = DailyQuoteSummary(
      ticker: "A", date: "2018-03-27", open: 1.1, high: 2.2, low: 3.3, close: 4.4, volume: 5, exDividend: 0.27,
      splitRatio: 7.7, adjustedOpen: 8.8, adjustedHigh: 9.9, adjustedLow: 10.1, adjustedClose: 11.1,
      adjustedVolume: 12)
    let values: [Float] = [
      summary.open, summary.high, summary.low, summary.close, summary.exDividend, summary.splitRatio,
      summary.adjustedOpen, summary.adjustedHigh, summary.adjustedLow, summary.adjustedClose,
    ]
    #expect(values == [1.1, 2.2, 3.3, 4.4, 0.27, 7.7, 8.8, 9.9, 10.1, 11.1])
    #expect(summary.volume == 5 && summary.adjustedVolume == 12 && summary.ticker == "A")
    #expect("\(summary)" == "\(summary.quote)" && "\(summary)".hasPrefix("A 2018-03-27: open 1.1, high 2.2"))
  }

  @Test func what_is_missing_is_no_number_and_no_shares() {
    let summary = DailyQuoteSummary(ticker: "A", date: "2018-03-27")
    #expect(summary.open.isNaN && summary.close.isNaN && summary.exDividend.isNaN && summary.adjustedLow.isNaN)
    #expect(summary.volume == 0 && summary.adjustedVolume == 0 && summary.date != nil)
    #expect(summary == DailyQuoteSummary(summary.quote))
  }

  @Test(arguments: [
    (1234.9, 1234), (-1234.9, -1234), (1e300, Int64.max), (-1e300, .min), (.infinity, .max),
    (9_007_199_254_740_992, 1 << 53),
  ])
  func adjusted_shares_lose_their_fraction_and_never_trap(_ shares: Double, _ expected: Int64) {
    #expect(DailyQuoteSummary(ticker: "A", date: "2018-03-27", adjustedVolume: shares).adjustedVolume == expected)
  }
}
