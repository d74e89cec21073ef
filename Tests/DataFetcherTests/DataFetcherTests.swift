import DataFetcher
import Foundation
import Quoin
import Testing

@Suite struct DataFetcherTests {
  @Test func all_quotes_of_a_ticker_come_oldest_first_as_from_the_engine() throws {
    let temporary = try TemporaryStore.ofFedEx()
    try temporary.store.upsert([Quoin.DailyQuoteSummary(ticker: "A", date: "2001-01-02", open: 1)])
    let dataFetcher = DataFetcher(store: temporary.store)
    let summaries = try #require(dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx))
    #expect(try summaries.quotes == temporary.store.quotes(for: .fedEx).fetch())
    #expect(summaries.first?.quote.date == "2001-01-05" && summaries.last?.quote.date == "2005-10-14")
    #expect(dataFetcher.fetchAllDailyQuoteSummaryData()?.count == summaries.count + 1)
  }

  @Test func an_unknown_ticker_has_no_quotes_and_is_no_error() throws {
    let dataFetcher = DataFetcher(store: try TemporaryStore.ofFedEx().store)
    #expect(dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: "NOPE") == [])
    #expect(dataFetcher.lastError == nil)
  }

  @Test func a_store_that_is_not_there_answers_nil_and_says_why_until_it_is() throws {
    let path = "/tmp/quoin-data-fetcher-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let dataFetcher = DataFetcher(withModelName: path)
    #expect(dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx) == nil)
    let error = try #require(dataFetcher.lastError)
    #expect("\(error)".contains(path))
    #expect(!FileManager.default.fileExists(atPath: path))

    try QuoteStore(at: path).upsert([Quoin.DailyQuoteSummary(ticker: .fedEx, date: "2001-01-02", open: 1)])
    #expect(dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx)?.count == 1)
    #expect(dataFetcher.lastError == nil)
  }

  @Test func without_a_name_the_store_is_the_command_lines() {
    let dataFetcher = DataFetcher()
    let path = ProcessInfo.processInfo.environment["QUOIN_STORE"] ?? "./quoin-store"
    let all = try? QuoteStore(at: path, mustExist: true).quotes(for: .fedEx).fetch()
    #expect(dataFetcher.fetchAllDailyQuoteSummaryData(forTicker: .fedEx)?.quotes == all)
    #expect(all != nil || dataFetcher.lastError.map { "\($0)".contains(path) } == true)
  }

  @Test func a_bound_of_a_strangers_type_that_is_no_number_answers_nil_and_says_why() throws {
    let dataFetcher = DataFetcher(store: try TemporaryStore.ofFedEx().store)
    let summaries = dataFetcher.getStockQuoteSummariesWithAttributeRanges(
      forTickerSymbol: .fedEx, forMinMaxHigh: (Word("eighty"), nil))
    #expect(summaries == nil)
    #expect(dataFetcher.lastError is PredicateSyntaxError)
  }

  private struct Word: MinMaxBound {
    let description: String
    init(_ description: String) { self.description = description }
  }
}
