import Quoin
import Testing

@testable import QuandlClient

/// Whole tables on their way into a store.
@Suite struct TableTests {
  private let folder: TestFolder
  private let store: QuoteStore

  init() throws {
    folder = try TestFolder()
    store = try folder.store()
  }

  @Test func a_table_that_is_exported_is_one_commit() async throws {
    let service = try TestService(tickers: 5, rows: 600)
    let stages = Shared<[TableProgress]>([])
    let store = store
    try await ScriptedServer { request, _ in service.answer(request) }.run { server in
      let summary = try await server.client().saveTable(into: store) { stage in stages.withLock { $0.append(stage) } }
      #expect(summary.rowCount == 600 && summary.tickerCount == 5 && summary.commitCount == 1)
      #expect(summary.counts == UpsertCounts(inserted: 600) && store.generation == 1)
      #expect(try store.csv() == service.csv)
      #expect(Set(try await store.importRecords().map(\.source)) == ["\(server.base)/datatables/WIKI/PRICES"])
      #expect(stages.withLock { $0.first == .waiting && $0.count > 1 })
    }
    #expect(folder.files == ["store"])
  }

  @Test func a_table_that_is_not_exported_comes_page_by_page_in_few_commits() async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = false
    let served = service
    let store = store
    try await ScriptedServer { request, _ in served.answer(request) }.run { server in
      let summary = try await server.client { $0.rowsPerCommit = 400 }.saveTable(into: store)
      #expect(summary.rowCount == 1000 && summary.tickerCount == 9 && (2...3).contains(summary.commitCount))
      #expect(store.generation == UInt64(summary.commitCount))
      #expect(try store.csv() == served.csv)
      // However a ticker's rows lie over pages and commits, its import is one.
      #expect(try await store.importRecords().count == 9)
    }
  }

  @Test func an_interrupted_walk_goes_on_where_it_was() async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = false
    let served = service
    let isBroken = Shared(true)
    let store = store
    try await ScriptedServer { request, _ in
      let cursor = request.value("qopts.cursor_id").flatMap { Int($0) } ?? 0
      return isBroken.value && cursor >= 600 ? .close : served.answer(request)
    }.run { server in
      let client = try server.client { $0.rowsPerCommit = 400 }
      let error = try await clientError { try await client.saveTable(into: store) }
      let saved = store.summary.rowCount
      #expect(error.kind == .connection && error.savedRowCount == saved && saved > 300)
      #expect("\(error)".hasSuffix("\(saved) rows are saved; the same call continues after them"))
      // What is saved are whole tickers.
      #expect(served.csv.hasPrefix(try store.csv()))
      isBroken.withLock { $0 = false }
      let before = server.requests.count
      let summary = try await client.saveTable(into: store)
      #expect(summary.rowCount == 1000 - saved && summary.counts.inserted == summary.rowCount)
      #expect(try store.csv() == served.csv)
      #expect(server.requests.count - before < 1000 / 50)
    }
  }

  @Test func progress_knows_how_many_tickers_there_are() async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    service.hasExport = false
    let served = service
    let store = store
    let stages = Shared<[TableProgress]>([])
    try await ScriptedServer { request, _ in served.answer(request) }.run { server in
      _ = try await server.client().saveTable(into: store) { stage in stages.withLock { $0.append(stage) } }
    }
    let walked = stages.value.compactMap { stage in
      if case .walking(_, let tickerCount, let total) = stage { (tickerCount, total) } else { nil }
    }
    #expect(walked.count == 20 && walked.allSatisfy { $0.1 == 9 } && walked.map(\.0) == walked.map(\.0).sorted())
    #expect(walked.last?.0 == 8 && stages.value.last == .saving(rowCount: 1000))
  }

  @Test func only_what_is_newer_is_fetched_again() async throws {
    var whole = try TestService(tickers: 9, rows: 1000)
    whole.pageRowCount = 10_000
    let days = whole.quotes.map(\.date).sorted()
    let middle = days[800]
    var part = whole
    part.quotes = whole.quotes.filter { $0.date <= middle && $0.ticker != whole.quotes[0].ticker }
    let (now, later, store) = (part, whole, store)
    let isLater = Shared(false)
    try await ScriptedServer { request, _ in (isLater.value ? later : now).answer(request) }.run { server in
      let client = try server.client()
      #expect(try await client.saveTable(into: store).rowCount == now.quotes.count)
      let requestCount = server.requests.count
      let again = try await client.saveTable(into: store)
      #expect(again.rowCount == 0 && again.commitCount == 0 && again.confirmedTickerCount > 0)
      // One look at the list tells that there is nothing, and one question, whether the newest day is as it was.
      #expect(server.requests.count == requestCount + 2 && store.generation == 1)
      isLater.withLock { $0 = true }
      let summary = try await client.saveTable(into: store)
      let newCount = later.quotes.count - now.quotes.count
      #expect(summary.counts.inserted == newCount && summary.counts.replaced == 0)
      #expect(summary.counts.unchanged == summary.rowCount - newCount)
      #expect(try store.csv() == later.csv)
    }
  }

  @Test func with_a_first_day_everything_from_then_on_is_fetched_again() async throws {
    let service = try TestService(tickers: 3, rows: 300)
    let day = service.quotes.map(\.date).sorted()[150]
    let expected = service.quotes.filter { $0.date >= day }.count
    let store = store
    for hasExport in [true, false] {
      var service = service
      service.hasExport = hasExport
      let served = service
      try await ScriptedServer { request, _ in served.answer(request) }.run { server in
        _ = try await server.client().saveTable(into: store)
        let summary = try await server.client().saveTable(into: store, from: day)
        #expect(summary.rowCount == expected && summary.counts == UpsertCounts(unchanged: expected))
        #expect(try store.csv() == served.csv)
      }
    }
  }

  @Test func with_a_last_day_nothing_later_comes() async throws {
    let service = try TestService(tickers: 3, rows: 300)
    let day = service.quotes.map(\.date).sorted()[150]
    let store = store
    try await ScriptedServer { request, _ in service.answer(request) }.run { server in
      let client = try server.client()
      _ = try await client.saveTable(into: store, to: day)
      #expect(store.summary.rowCount == service.quotes.filter { $0.date <= day }.count)
      #expect(try await client.saveTable(into: store, to: day).rowCount == 0)
      _ = try await client.saveTable(into: store)
      #expect(try store.csv() == service.csv)
    }
  }

  @Test func a_service_without_a_list_is_asked_for_everything() async throws {
    var service = try TestService(tickers: 3, rows: 300)
    service.hasList = false
    let served = service
    let store = store
    try await ScriptedServer { request, _ in served.answer(request) }.run { server in
      _ = try await server.client().saveTable(into: store)
      let summary = try await server.client().saveTable(into: store)
      #expect(summary.counts == UpsertCounts(unchanged: 300) && summary.commitCount == 0)
    }
  }

  @Test func pages_that_mix_tickers_are_found_out() async throws {
    var service = try TestService(tickers: 9, rows: 1000)
    (service.hasExport, service.isByDay, service.pageRowCount) = (false, true, 3)
    let served = service
    let store = store
    try await ScriptedServer { request, _ in served.answer(request) }.run { server in
      let error = try await clientError {
        try await server.client { $0.rowsPerCommit = 20 }.saveTable(into: store)
      }
      #expect(error.kind == .malformed && error.message.contains("not grouped by ticker"))
    }
  }

  /// Everything that a bad connection or a bad service may do in the middle.
  private static let faults: [(name: String, reply: @Sendable (Reply) -> Reply)] = [
    ("a closed connection", { _ in .close }), ("half an answer", { $0.cut(after: 400) }),
    ("silence", { _ in .silence }), ("429", { _ in .error(429, "QELx04", "slow down", headers: ["retry-after: 1"]) }),
    ("503", { _ in .error(503, "QEXx01", "down") }), ("nonsense", { _ in .ok("nonsense") }),
    ("a bad row", { _ in .ok(#"{"datatable":{"data":[["A","x"]],"columns":[]},"meta":{"next_cursor_id":null}}"#) }),
  ]

  @Test(.serialized, arguments: [true, false], faults.indices)
  func a_fault_now_and_then_changes_nothing_or_is_an_error(_ hasExport: Bool, _ index: Int) async throws {
    let fault = Self.faults[index]
    var service = try TestService(tickers: 5, rows: 300)
    service.hasExport = hasExport
    let served = service
    let folder = folder
    let isLasting = Shared(false)
    try await ScriptedServer { request, index in
      let answer = served.answer(request)
      let isFaulty = request.path != "/api/v3/datasets" && (isLasting.value || index == 0 || index == 3)
      return isFaulty ? fault.reply(answer) : answer
    }.run { server in
      let client = try server.client {
        // A client that asks again too early, because the machine is busy, meets the next fault too.
        if fault.name == "silence" {
          ($0.timeLimits.silence, $0.timeLimits.downloadSilence) = (.seconds(5), .seconds(5))
        }
        $0.retries.count = 1
      }
      let store = try folder.store("now-and-then")
      do {
        _ = try await client.saveTable(into: store)
        #expect(try store.csv() == served.csv, "\(fault.name)")
      } catch let error as QuandlClientError {
        #expect(error.kind == .malformed && index >= 5, "\(fault.name): \(error)")
        #expect(store.generation == 0)
      }
      isLasting.withLock { $0 = true }
      let other = try folder.store("lasting")
      if try other.csv() != served.csv {
        _ = try? await client.saveTable(into: other)
        #expect(served.csv.hasPrefix(try other.csv()) || other.generation == 0, "\(fault.name)")
      }
    }
  }

  @Test func an_export_may_be_packed_and_a_truncated_one_leaves_the_store_as_it_was() async throws {
    let service = try TestService(tickers: 5, rows: 600)
    let store = store
    let packed = try gzip(Array(service.csv.utf8))
    let isWhole = Shared(false)
    try await ScriptedServer { request, _ in
      guard request.path == "/export" else { return service.answer(request) }
      // Whole for HTTP, but the file is not.
      return .bytes(200, isWhole.value ? packed : packed.dropLast(500))
    }.run { server in
      let error = try await clientError { try await server.client().saveTable(into: store) }
      #expect(error.kind == .malformed && error.message.contains("may be truncated"), "\(error)")
      #expect(!error.description.contains("/dev/fd") && store.generation == 0)
      isWhole.withLock { $0 = true }
      _ = try await server.client().saveTable(into: store)
      #expect(try store.csv() == service.csv)
    }
  }
}
