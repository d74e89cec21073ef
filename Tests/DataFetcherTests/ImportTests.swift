import DataFetcher
import Testing

/// This file imports the one library, as the programs do that use it.
@Suite struct ImportTests {
  @Test func one_import_is_enough() throws {
    let quote = DailyQuoteSummary(ticker: .Fedex_Corp, date: "2018-03-27", open: 238)
    let temporary = try TemporaryStore([quote.quote])
    let store: QuoteStore = temporary.store
    let summaries: [DailyQuoteSummary]? = DataFetcher(store: store).fetchAllDailyQuoteSummaryData(
      forTicker: TickerSymbol.fedEx)
    #expect(summaries == [quote])
    #expect(summaries?.first?.quote.date == TradingDay("2018-03-27"))
  }
}
