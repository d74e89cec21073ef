import DataFetcher
import Foundation
import Testing

/// The tutorial's other fetch requests, compared with a filter of all quotes.
@Suite struct FetchRequestTests {
  private let temporary: TemporaryStore
  private let fetcher: DataFetcher
  private let all: [DailyQuoteSummary]

  init() throws {
    temporary = try .ofFedEx()
    for ticker in ["FF", "FOE", "MSFT"] as [TickerSymbol] {
      let days = ["2001-01-05", "2003-06-02", "2005-10-14"] as [TradingDay]
      try temporary.store.upsert(
        days.enumerated().map { DailyQuoteSummary(ticker: ticker, date: $1, close: Double($0)).quote })
    }
    fetcher = DataFetcher(store: temporary.store)
    all = try #require(fetcher.fetchAllDailyQuoteSummaryData())
  }

  /// The moment at which a day begins, as the tutorial's programs make it.
  private func moment(_ day: String, hours: Double = 0) throws -> Date {
    let formatter = DateFormatter()
    formatter.dateFormat = "yyyy-MM-dd"
    return try #require(formatter.date(from: day)).addingTimeInterval(hours * 3600)
  }

  @Test func a_range_of_dates_leaves_both_ends_out() throws {
    for (from, to) in [
      (try moment("2001-01-05"), try moment("2001-02-01")),
      (try moment("2001-01-05", hours: -1), try moment("2001-01-09")),
      (try moment("2005-10-13", hours: 1), try moment("2005-10-14", hours: 1)), (.distantPast, .distantFuture),
      (try moment("2005-10-14"), try moment("2001-01-05")), (Date(timeIntervalSince1970: -1e300), .distantFuture),
      (try moment("2005-10-01"), Date(timeIntervalSince1970: 1e300)),
      (Date(timeIntervalSince1970: 1e300), .distantFuture),
    ] {
      let expected = try all.filter {
        let date = try #require($0.date)
        return $0.ticker == .Fedex_Corp && date > from && date < to
      }
      let found = fetcher.getStockQuotesWithinDateRangeFor(tickerSymbol: .Fedex_Corp, fromDate: from, toDate: to)
      #expect(found == expected, "\(from) to \(to)")
    }
    let none = Date(timeIntervalSince1970: .nan)
    #expect(fetcher.getStockQuotesWithinDateRangeFor(tickerSymbol: .Fedex_Corp, fromDate: none, toDate: none) == [])
  }

  @Test func a_letter_and_dates_select_tickers_and_days() throws {
    let (first, last) = (try moment("2001-01-05"), try moment("2005-10-14"))
    let ofF = all.filter { $0.ticker.rawValue.hasPrefix("F") }
    #expect(ofF.count == 1206)
    #expect(fetcher.fetchDailyQuoteStatisticsDataFrom(beginsWithLetter: "f", startDate: nil, to: nil) == ofF)
    let within = try ofF.filter { try #require($0.date) > first && $0.date! < last }
    #expect(fetcher.fetchDailyQuoteStatisticsDataFrom(beginsWithLetter: "F", startDate: first, to: last) == within)
    #expect(
      fetcher.fetchDailyQuoteStatisticsDataFrom(beginsWithLetter: "F", startDate: "2001-01-05", to: "2005-10-14")
        == within)
    #expect(fetcher.fetchDailyQuoteStatisticsDataFrom(beginsWithLetter: "Z", startDate: first, to: nil) == [])
  }

  @Test(arguments: ["", "05.01.2001", "2001-02-30", "2001-01-05 or close > 0"])
  func a_text_that_is_no_day_is_an_error(_ text: String) {
    #expect(fetcher.fetchDailyQuoteStatisticsDataFrom(beginsWithLetter: "F", startDate: text, to: nil) == nil)
    #expect(fetcher.lastError is PredicateSyntaxError)
  }

  @Test func symbols_are_asked_for_by_beginning_end_and_middle() {
    func tickers(_ beginsWith: String?, _ endsWith: String?, _ contains: String?) -> Set<TickerSymbol>? {
      fetcher.getStockQuotesForTickerSymbolThat(beginsWith: beginsWith, endsWith: endsWith, contains: contains)
        .map { Set($0.map(\.ticker)) }
    }
    #expect(tickers(nil, nil, nil) == ["FDX", "FF", "FOE", "MSFT"])
    #expect(tickers("f", nil, nil) == ["FDX", "FF", "FOE"])
    #expect(tickers(nil, "x", nil) == ["FDX"])
    #expect(tickers(nil, nil, "f") == ["FDX", "FF", "FOE", "MSFT"])
    #expect(tickers("F", "E", "O") == ["FOE"])
    #expect(tickers("", "", "") == ["FDX", "FF", "FOE", "MSFT"])
    #expect(tickers("Q", nil, nil) == [])
  }

  @Test func the_companies_are_there_or_not() throws {
    #expect(fetcher.performTickerSymbolValidationFetch())
    #expect(!DataFetcher(store: try TemporaryStore().store).performTickerSymbolValidationFetch())
    #expect(!DataFetcher(withModelName: temporary.path + "-missing").performTickerSymbolValidationFetch())
  }

  @Test func statistics_are_those_of_the_values() throws {
    let paths: [(DataFetcher.StockQuoteKeyPath, (DailyQuoteSummary) -> Double?)] = [
      (.High, \.quote.high), (.Low, \.quote.low), (.Open, \.quote.open), (.Close, \.quote.close),
      (.Volume, { $0.quote[.volume] }), (.Adjusted_Open, \.quote.adjustedOpen),
      (.Adjusted_Close, \.quote.adjustedClose), (.Adjusted_High, \.quote.adjustedHigh),
      (.Adjusted_Low, \.quote.adjustedLow), (.Adjusted_Volume, \.quote.adjustedVolume),
      (.Ex_Dividend, \.quote.exDividend),
    ]
    for (path, value) in paths {
      let values = all.filter { $0.ticker == .fedEx }.compactMap(value)
      func statistic(_ function: DataFetcher.FunctionType) -> Float? {
        fetcher.fetchDailyQuoteStatData(forTicker: .fedEx, forFunctionType: function, forKeyPath: path)
      }
      #expect(statistic(.maximum) == values.max().map { Float($0) } && values.count == 1200)
      #expect(statistic(.minimum) == values.min().map { Float($0) })
      let mean = try #require(statistic(.average))
      #expect(abs(Double(mean) / (values.reduce(0, +) / 1200) - 1) < 1e-6)
    }
    let none = fetcher.fetchDailyQuoteStatData(forTicker: "NOPE", forFunctionType: .average, forKeyPath: .High)
    #expect(none == nil && fetcher.lastError == nil)
  }
}
