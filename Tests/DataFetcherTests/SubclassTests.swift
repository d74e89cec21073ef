import DataFetcher
import Testing

/// A program's own fetcher.
private class OwnFetcher: DataFetcher {
  private(set) var callCount = 0

  override init(withModelName modelName: String) { super.init(withModelName: modelName) }

  override func fetchAllDailyQuoteSummaryData(forTicker tickerSymbol: TickerSymbol) -> [DailyQuoteSummary]? {
    callCount += 1
    return super.fetchAllDailyQuoteSummaryData(forTicker: tickerSymbol)
  }

  func risingDays(forTicker ticker: TickerSymbol) -> [DailyQuoteSummary]? {
    answer { try $0.quotes(for: ticker).fetch().filter { $0.close ?? .nan > $0.open ?? .nan } }
  }

  func oldest(forTicker ticker: TickerSymbol) throws -> TradingDay? {
    try store.quotes(for: ticker).fetchOne()?.date
  }
}

@Suite struct SubclassTests {
  @Test func a_subclass_overrides_what_fetches_everything_and_adds_questions_of_its_own() throws {
    let temporary = try TemporaryStore.ofFedEx()
    let fetcher = OwnFetcher(withModelName: temporary.path)
    let all = try #require(fetcher.fetchAllDailyQuoteSummaryData(forTicker: .Fedex_Corp))
    #expect(all.count == 1200 && fetcher.callCount == 1)
    let rising = try #require(fetcher.risingDays(forTicker: .Fedex_Corp))
    #expect(rising == all.filter { $0.quote.close ?? .nan > $0.quote.open ?? .nan } && rising.count > 100)
    #expect(try fetcher.oldest(forTicker: .Fedex_Corp) == "2001-01-05")
  }

  @Test func a_fetcher_gives_its_store_and_says_if_there_is_none() throws {
    let temporary = try TemporaryStore.ofFedEx()
    #expect(try DataFetcher(store: temporary.store).store === temporary.store)
    #expect(try DataFetcher(withModelName: temporary.path).store.tickers == [.fedEx])
    let missing = OwnFetcher(withModelName: temporary.path + "-missing")
    #expect(throws: StoreError.noStore(path: temporary.path + "-missing")) { try missing.store }
    #expect(missing.risingDays(forTicker: .Fedex_Corp) == nil && missing.lastError is StoreError)
  }

  @Test func a_fetcher_of_a_stack_sees_what_the_stack_saves() throws {
    let temporary = try TemporaryStore()
    let stack = CoreDataStack(withModelName: temporary.path)
    let fetcher = DataFetcher(withCoreDataStack: stack)
    let period = StockQuotePeriod(context: fetcher.managedContext)
    period.addToDailyQuoteSummary(DailyQuoteSummary(ticker: .Fedex_Corp, date: "2018-03-27", close: 238))
    #expect(fetcher.fetchAllDailyQuoteSummaryData() == nil)
    fetcher.coreDataStack.saveContext()
    #expect(fetcher.fetchAllDailyQuoteSummaryData()?.map(\.close) == [238])
  }
}
