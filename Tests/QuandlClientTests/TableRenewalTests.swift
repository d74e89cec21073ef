import Quoin
import Testing

@testable import QuandlClient

/// Of a whole table, the tickers whose past changes come anew, and no others.
@Suite struct TableRenewalTests {
  private let folder: TestFolder
  private let store: QuoteStore

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  private static func service(
    count: Int, split: Double = 1, dividend: Double = 0, corrected: TickerSymbol? = nil
  ) -> TestService {
    var quotes =
      RenewalTests.quotes(of: "AAA", count: count, split: split) + RenewalTests.quotes(of: "BBB", count: count)
      + RenewalTests.quotes(of: "CCC", count: count, dividend: dividend)
      // Its last day is long ago.
      + RenewalTests.quotes(of: "OLD", count: 1)
    for index in quotes.indices where quotes[index].ticker == corrected && quotes[index].date == "2024-01-04" {
      quotes[index].close = 10.7
    }
    return TestService(quotes)
  }

  /// Saves the table twice. Returns what the second time did, and the number of its requests for pages.
  private func saveTwice(_ first: TestService, _ second: TestService) async throws -> (TableSummary, pageCount: Int) {
    let store = store
    let isLater = Shared(false)
    return try await ScriptedServer { request, _ in (isLater.value ? second : first).answer(request) }.run { server in
      let client = try server.client()
      _ = try await client.saveTable(into: store)
      isLater.withLock { $0 = true }
      let before = server.requests.count
      let summary = try await client.saveTable(into: store)
      return (summary, server.requests.dropFirst(before).filter { $0.path.contains("datatables") }.count)
    }
  }

  @Test func splits_and_dividends_renew_their_tickers() async throws {
    let second = Self.service(count: 5, split: 2, dividend: 0.5)
    let (summary, pageCount) = try await saveTwice(Self.service(count: 3), second)
    #expect(summary.renewals.map(\.ticker) == ["AAA", "CCC"])
    #expect(summary.counts.inserted == 6 && summary.counts.replaced == 6 && summary.counts.unchanged == 0)
    #expect(try store.csv() == second.csv && pageCount == 2)
  }

  @Test func a_correction_renews_its_ticker() async throws {
    let second = Self.service(count: 4, corrected: "BBB")
    let (summary, _) = try await saveTwice(Self.service(count: 3), second)
    #expect(
      summary.renewals == [RenewedHistory(ticker: "BBB", reason: .correction(on: "2024-01-04", [.close]))])
    #expect(try store.csv() == second.csv)
  }

  @Test func a_correction_of_the_newest_day_is_seen_without_a_later_one() async throws {
    let second = Self.service(count: 3, corrected: "BBB")
    let (summary, pageCount) = try await saveTwice(Self.service(count: 3), second)
    #expect(summary.renewals.map(\.ticker) == ["BBB"] && summary.confirmedTickerCount == 2 && pageCount == 2)
    #expect(summary.counts.replaced == 1 && summary.counts.inserted == 0)
    #expect(try store.csv() == second.csv)
  }

  @Test func where_nothing_changed_one_question_is_enough_for_a_hundred_tickers() async throws {
    let (summary, pageCount) = try await saveTwice(Self.service(count: 3), Self.service(count: 5))
    #expect(summary.counts == UpsertCounts(inserted: 6) && summary.renewals == [] && pageCount == 1)
    let (again, pages) = try await saveTwice(Self.service(count: 5), Self.service(count: 5))
    #expect(again.rowCount == 0 && again.confirmedTickerCount == 3 && pages == 1 && store.generation == 2)
  }

  @Test func a_broken_connection_leaves_stale_tickers_as_they_were_until_the_next_time() async throws {
    let (first, second, store) = (Self.service(count: 3), Self.service(count: 5, split: 2), store)
    let stage = Shared(0)
    try await ScriptedServer { request, _ in
      let isHistory = request.path.contains("datatables") && request.value("date.gte") == nil
      if stage.value == 1, isHistory { return .close }
      return (stage.value == 0 ? first : second).answer(request)
    }.run { server in
      let client = try server.client { $0.retries.count = 0 }
      _ = try await client.saveTable(into: store)
      stage.withLock { $0 = 1 }
      let error = try await clientError { try await client.saveTable(into: store) }
      #expect(error.kind == .connection && error.savedRowCount == 4)
      #expect(try await store.quotes(for: "AAA").count() == 3)
      stage.withLock { $0 = 2 }
      let summary = try await client.saveTable(into: store)
      #expect(summary.renewals.map(\.ticker) == ["AAA"] && summary.rowCount == 5)
      #expect(try store.csv() == second.csv)
    }
  }

  @Test func a_table_may_have_fewer_columns_than_quotes_have() async throws {
    let page =
      #"{"datatable":{"data":[["A","2024-01-02",1,"x"],["A","2024-01-03",2,"y"]],"#
      + #""columns":[{"name":"ticker"},{"name":"date"},{"name":"close"},{"name":"note"}]},"meta":{"next_cursor_id":null}}"#
    let store = store
    try await ScriptedServer { request, _ in
      request.path.hasSuffix("PRICES") ? .ok(page) : .error(404, "QECx01", "no such route")
    }.run { server in
      let summary = try await server.client().saveTable(into: store)
      #expect(summary.rowCount == 2 && summary.ignoredColumns == ["note"])
      #expect(try await store.quotes(for: "A").fetch().map(\.close) == [1, 2])
    }
  }
}
