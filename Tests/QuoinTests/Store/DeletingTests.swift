import Quoin
import Testing

@Suite struct DeletingTests {
  private let directory = TemporaryDirectory()

  private func store() throws -> QuoteStore {
    let store = try QuoteStore(at: directory.path + "/store")
    try store.upsert([.fedEx: .sample(40), .boeing: .sample(30), "A": .sample(20)])
    return store
  }

  @Test func an_empty_list_of_tickers_deletes_nothing() throws {
    let store = try store()
    #expect(try store.delete([]) == 0)
    #expect(try store.delete([], where: .all([])) == 0)
    #expect(try store.allQuotes.count() == 90 && store.generation == 1)
  }

  @Test func only_deleteAll_deletes_everything() throws {
    let store = try store()
    #expect(try store.delete("NONE") == 0)
    #expect(try store.delete([.fedEx, "NONE", .fedEx]) == 40)
    #expect(try store.delete("A") == 20)
    #expect(store.tickers == [.boeing])
    #expect(try store.deleteAll() == 30)
    #expect(try store.allQuotes.count() == 0 && store.periods().isEmpty)
  }

  @Test func a_range_of_dates_deletes_both_of_its_ends() throws {
    let store = try store()
    let days = try store.quotes(for: .fedEx).fetchColumns().columns.days
    #expect(try store.delete(.fedEx, dates: days[10]...days[19]) == 10)
    #expect(try store.delete(.fedEx, dates: .earliest ... .latest.advanced(by: -1)!) == 30)
    #expect(store.tickers == ["A", .boeing])
  }

  @Test func a_condition_deletes_in_all_tickers_or_in_some() throws {
    let store = try store()
    let days = try store.quotes(for: .fedEx).fetchColumns().columns.days
    let condition = Predicate.date((days[0]...days[4]).bounds)
    #expect(try store.delete(["A", "NONE"], where: condition) == 5)
    #expect(try store.delete(where: condition) == 10)
    #expect(try store.allQuotes.count() == 75)
  }

  @Test func a_summary_of_no_tickers_is_empty() throws {
    let store = try store()
    #expect(try store.tickerSummaries(of: []).isEmpty && store.tickerSummary(of: "NONE") == nil)
    #expect(try store.tickerSummaries(of: ["NONE", .fedEx, "A"]).map(\.rowCount) == [40, 20])
    #expect(try store.tickerSummaries().map(\.ticker) == store.tickers)
    #expect(try store.tickerSummary(of: .boeing)?.rowCount == 30)
  }
}
