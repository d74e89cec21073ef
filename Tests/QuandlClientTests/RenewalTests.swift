import Quoin
import Testing

@testable import QuandlClient

/// A past that changes with a split, a dividend or a correction, and what a later download makes of it.
@Suite struct RenewalTests {
  private let folder: TestFolder
  private let store: QuoteStore

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  private static let days: [TradingDay] = ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05", "2024-01-08"]

  /// The days of a ticker up to one. After a split, all earlier adjusted closes are what they were divided by its ratio.
  static func quotes(
    of ticker: TickerSymbol = "AAA", count: Int, split: Double = 1, dividend: Double = 0, isAdjusted: Bool = true
  ) -> [DailyQuoteSummary] {
    let factor = count > 3 ? 1 / split - dividend / 100 : 1
    return days.prefix(count).enumerated().map { index, day in
      let isEvent = index == 3
      let close = index < 3 ? 100 + Double(index) : (100 + Double(index)) / split
      return DailyQuoteSummary(
        ticker: ticker, date: day, close: close, volume: 40, exDividend: isEvent ? dividend : 0,
        splitRatio: isEvent ? split : 1, adjustedClose: isAdjusted ? (index < 3 ? close * factor : close) : nil)
    }
  }

  /// Saves what a service has first, and then what it has later. Returns what the second time did and asked.
  private func update(
    from first: [DailyQuoteSummary], to second: [DailyQuoteSummary],
    _ meanwhile: (QuoteStore) async throws -> Void = { _ in }
  ) async throws -> (QuoteUpdate, [ScriptedRequest]) {
    let current = Shared(first)
    let store = store
    try await ScriptedServer { request, _ in TestService(current.value).answer(request) }.run { server in
      _ = try await server.client().save("WIKI/AAA", into: store)
    }
    try await meanwhile(store)
    current.withLock { $0 = second }
    let server = ScriptedServer { request, _ in TestService(current.value).answer(request) }
    let update = try await server.run { server in
      try await server.client().update("WIKI/AAA", as: "AAA", in: store, to: nil, patience: .zero)
    }
    return (update, server.requests)
  }

  private func stored() throws -> [DailyQuoteSummary] { try store.allQuotes.fetch() }

  @Test(arguments: [(2.0, 0.0), (1, 0.5), (2, 0.5), (1.5, 0), (0.1, 0)])
  func after_a_split_or_a_dividend_every_adjusted_value_is_the_services(_ split: Double, _ dividend: Double)
    async throws
  {
    let later = Self.quotes(count: 5, split: split, dividend: dividend)
    let (update, requests) = try await update(from: Self.quotes(count: 3), to: later)
    #expect(update.counts.inserted == 2 && update.counts.replaced == 3)
    #expect(requests.map { $0.value("start_date") } == ["2024-01-04", nil])
    let day: TradingDay = "2024-01-05"
    #expect(update.reason == (split == 1 ? .dividend(on: day, amount: dividend) : .split(on: day, ratio: split)))
    #expect(try stored() == later)
  }

  @Test func a_split_is_the_reason_although_the_last_row_is_the_same() async throws {
    // The vendor adjusts the past later than it says the split.
    var later = Self.quotes(count: 5, split: 2)
    later[2] = Self.quotes(count: 3)[2]
    let (update, _) = try await update(from: Self.quotes(count: 3), to: later)
    #expect(update.reason == .split(on: "2024-01-05", ratio: 2))
    #expect(try stored() == later)
  }

  @Test func the_row_of_an_unfinished_day_is_corrected() async throws {
    var later = Self.quotes(count: 4)
    (later[2].close, later[2].volume) = (110.5, 120)
    let (update, _) = try await update(from: Self.quotes(count: 3), to: later)
    #expect(update.reason == .correction(on: "2024-01-04", [.close, .volume]))
    #expect(update.counts.inserted == 1 && update.counts.replaced == 1 && update.counts.unchanged == 2)
    #expect(try stored() == later)
  }

  @Test func without_a_change_one_question_brings_the_later_days_alone() async throws {
    let (update, requests) = try await update(from: Self.quotes(count: 3), to: Self.quotes(count: 5))
    #expect(update.counts == UpsertCounts(inserted: 2) && update.reason == nil)
    #expect(requests.map { $0.value("start_date") } == ["2024-01-04"])
  }

  @Test func without_later_days_nothing_is_written() async throws {
    let (update, requests) = try await update(from: Self.quotes(count: 3), to: Self.quotes(count: 3))
    #expect(update.counts == UpsertCounts() && update.isEndServed && requests.count == 1)
    #expect(store.generation == 1)
  }

  @Test func a_split_leaves_the_past_alone_where_nothing_is_adjusted() async throws {
    let first = Self.quotes(count: 3, isAdjusted: false)
    let (update, requests) = try await update(from: first, to: Self.quotes(count: 5, split: 2, isAdjusted: false))
    #expect(update.reason == nil && update.counts == UpsertCounts(inserted: 2) && requests.count == 1)
  }

  @Test func what_the_service_does_not_have_stays() async throws {
    let own = DailyQuoteSummary(ticker: "AAA", date: "1999-12-31", close: 5)
    let later = Self.quotes(count: 5, split: 2)
    _ = try await update(from: Self.quotes(count: 3), to: later) { try await $0.upsert([own]) }
    #expect(try stored() == [own] + later)
  }

  /// The service gives no adjusted values, but the user has computed some.
  @Test func what_the_service_leaves_empty_is_neither_a_difference_nor_erased() async throws {
    let first = Self.quotes(count: 3, isAdjusted: false)
    var corrected = Self.quotes(count: 4, isAdjusted: false)
    corrected[2].close = 7
    for later in [Self.quotes(count: 4, isAdjusted: false), corrected] {
      try await store.deleteAll()
      let (update, _) = try await update(from: first, to: later) { try await $0.upsert(Self.quotes(count: 3)) }
      #expect((update.reason == nil) == (later[2].close == 102))
      #expect(try stored().prefix(3).map(\.adjustedClose) == [100, 101, 102])
    }
  }

  @Test func a_history_that_does_not_come_leaves_the_store_as_it_was() async throws {
    let store = store
    try await ScriptedServer { request, index in
      index == 2
        ? .error(404, "QECx02", "gone") : TestService(Self.quotes(count: index == 0 ? 3 : 5, split: 2)).answer(request)
    }.run { server in
      let client = try server.client()
      try await client.save("WIKI/AAA", into: store)
      // If the later rows were stored, nobody would see again that the earlier ones are stale.
      let error = try await clientError {
        try await client.update("WIKI/AAA", as: "AAA", in: store, to: nil, patience: .zero)
      }
      #expect(error.code == "QECx02" && store.generation == 1)
    }
  }
}
