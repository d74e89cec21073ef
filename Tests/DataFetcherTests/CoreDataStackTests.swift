import DataFetcher
import Foundation
import Testing

@Suite struct CoreDataStackTests {
  private func add(_ ticker: TickerSymbol, to stack: CoreDataStack) {
    StockQuotePeriod(context: stack.managedContext)
      .addToDailyQuoteSummary(DailyQuoteSummary(ticker: ticker, date: "2018-03-27", close: 238))
  }

  @Test func what_could_not_be_saved_is_saved_by_the_next_try() throws {
    let path = "/tmp/quoin-data-fetcher-\(UUID().uuidString)"
    // A file is where the store's directory should be.
    try Data("x".utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stack = CoreDataStack(withModelName: path)
    add(.Fedex_Corp, to: stack)
    stack.saveContext()
    #expect(stack.managedContext.hasChanges)
    let error = try #require(throws: StoreError.self) { try stack.managedContext.save() }
    #expect("\(error)".contains(path) && error.localizedDescription == "\(error)")
    add(.Microsoft, to: stack)

    try FileManager.default.removeItem(atPath: path)
    stack.saveContext()
    let store = try QuoteStore(at: path, mustExist: true)
    #expect(store.tickers == [.Fedex_Corp, .Microsoft] && store.generation == 1 && !stack.managedContext.hasChanges)
  }

  @Test func nothing_unsaved_is_no_commit_and_makes_no_store() throws {
    let temporary = try TemporaryStore()
    let stack = CoreDataStack(withModelName: temporary.path)
    stack.saveContext()
    add(.Fedex_Corp, to: stack)
    stack.managedContext.rollback()
    try stack.managedContext.save()
    try temporary.store.refresh()
    #expect(temporary.store.generation == 0 && !stack.managedContext.hasChanges)
    #expect(!FileManager.default.fileExists(atPath: temporary.path))
  }

  @Test func stacks_of_one_store_save_at_the_same_time() async throws {
    let temporary = try TemporaryStore()
    let path = temporary.path
    let tickers = TickerSymbol.allTickerSymbols.prefix(8).compactMap { TickerSymbol(rawValue: $0) }
    await withTaskGroup { group in
      for ticker in tickers {
        group.addTask {
          let stack = CoreDataStack(withModelName: path)
          StockQuotePeriod(context: stack.managedContext)
            .addToDailyQuoteSummary(DailyQuoteSummary(ticker: ticker, date: "2018-03-27", close: 1))
          stack.saveContext()
        }
      }
    }
    try await temporary.store.refresh()
    #expect(temporary.store.tickers == tickers.sorted() && temporary.store.generation == 8)
  }

  // Thread sanitizer doesn't see the library's mutex, and would report a race.
  #if !QUOIN_THREAD_SANITIZER
    @Test func threads_that_share_a_stack_lose_nothing() async throws {
      let temporary = try TemporaryStore()
      let stack = CoreDataStack(store: temporary.store)
      await withTaskGroup { group in
        for start in 0..<4 {
          group.addTask {
            for index in 0..<50 {
              guard let day = TradingDay(daysSince1970: start * 50 + index) else { continue }
              StockQuotePeriod(context: stack.managedContext)
                .addToDailyQuoteSummary(DailyQuoteSummary(ticker: "A", date: day, close: 1))
              if index % 10 == 0 { stack.saveContext() }
            }
          }
        }
      }
      stack.saveContext()
      #expect(try await temporary.store.quotes(for: "A").count() == 200 && !stack.managedContext.hasChanges)
    }
  #endif

  @Test func without_a_name_the_store_is_the_command_lines() {
    let path = ProcessInfo.processInfo.environment["QUOIN_STORE"] ?? "./quoin-store"
    #expect(CoreDataStack().modelName == path && JSONReader().coreDataStack.modelName == path)
  }
}
