import Foundation
import Quoin

// A day counts by the moment at which it begins in the current time zone, as in the tutorials.

extension DataFetcher {
  /// The quotes of a ticker between two moments, which are themselves outside.
  public func getStockQuotesWithinDateRangeFor(
    tickerSymbol: TickerSymbol, fromDate: Date, toDate: Date
  ) -> [DailyQuoteSummary]? {
    answer { try $0.quotes(for: tickerSymbol).where(.dayBegins(after: fromDate, before: toDate)).fetch() }
  }

  /// The quotes between two moments of all tickers that begin with a letter, or with several. The moments are themselves outside,
  /// and nil leaves that end open.
  public func fetchDailyQuoteStatisticsDataFrom(
    beginsWithLetter letter: String, startDate: Date?, to endDate: Date?
  ) -> [DailyQuoteSummary]? {
    answer { try Self.quotes(in: $0, letter, startDate, endDate) }
  }

  /// The same with days as text: `2005-01-31`. A text that is no day is a `PredicateSyntaxError`.
  @_disfavoredOverload
  public func fetchDailyQuoteStatisticsDataFrom(
    beginsWithLetter letter: String, startDate: String?, to endDate: String?
  ) -> [DailyQuoteSummary]? {
    answer { try Self.quotes(in: $0, letter, startDate.map(Self.moment), endDate.map(Self.moment)) }
  }

  private static func quotes(
    in store: QuoteStore, _ letter: String, _ first: Date?, _ last: Date?
  ) throws(StoreError) -> [Quoin.DailyQuoteSummary] {
    let tickers = store.tickers.filter { $0.rawValue.hasPrefix(letter.uppercased()) }
    return try store.quotes(for: tickers).where(.dayBegins(after: first, before: last)).fetch()
  }

  private static func moment(_ text: String) throws(PredicateSyntaxError) -> Date {
    guard let day = TradingDay(text) else {
      throw PredicateSyntaxError(message: "not a day; write one such as 2005-01-31", offset: 0, text: text)
    }
    return day.start(in: .current)
  }
}
