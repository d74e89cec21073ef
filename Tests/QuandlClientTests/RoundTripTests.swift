import Foundation
import Quoin
import QuoteGenerator
import Testing

@testable import QuandlClient

/// Store A -> the server -> the client -> store B, which then is A's equal.
struct RoundTripTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  /// A store with made-up quotes, and with values at which formats break.
  private func makeStore() throws -> QuoteStore {
    let store = try folder.store("a")
    let generator = try QuoteGenerator(tickerCount: 30, rowCount: 20_000, seed: 1)
    var columns: [TickerSymbol: QuoteColumns] = [:]
    for (index, ticker) in generator.tickers.enumerated() { columns[ticker] = generator.quotes(at: index) }
    columns["NASTY"] = Self.nasty
    try store.upsert(columns)
    return store
  }

  private static let nasty: QuoteColumns = {
    var columns = QuoteColumns()
    let values: [(Double?, Int64?)] = [
      (nil, nil), (0, 0), (-0.0, 1), (.leastNonzeroMagnitude, 1 << 53), (.greatestFiniteMagnitude, 1 << 53 + 1),
      (1.0 / 3, .max), (-37.63, 1_373_400),
    ]
    for (index, (price, volume)) in values.enumerated() {
      guard let day = TradingDay(daysSince1970: 12_000 + index) else { continue }
      columns.append(
        DailyQuoteSummary(ticker: "NASTY", date: day, open: price, volume: volume, adjustedVolume: volume))
    }
    return columns
  }()

  private func withServer(
    of store: QuoteStore, _ body: (_ base: String) async throws -> Void
  ) async throws {
    let server = try RunningServer(store: store.path)
    defer { server.stop() }
    try await body(server.base)
  }

  @Test func the_program_copies_a_whole_table() async throws {
    let a = try makeStore()
    try await withServer(of: a) { base in
      let arguments = ["--all", "--into", folder.path + "/b", "--api-base", base]
      let first = try ProgramRun(ProgramRun.built("quoin-fetch"), arguments)
      #expect(first.status == 0, "\(first)")
      #expect(try folder.store("b").csv() == a.csv())
      let second = try ProgramRun(ProgramRun.built("quoin-fetch"), arguments)
      #expect(second.out.hasPrefix("Nothing new"), "\(second)")
    }
  }

  @Test func page_by_page_it_is_the_same_table() async throws {
    let a = try makeStore()
    try await withServer(of: a) { base in
      let client = try QuandlClient(apiKey: nil, baseURL: base)
      let b = try folder.store("b")
      var query = DatatableQuery()
      query.pageRowCount = 700
      var walk = TableWalk(client: client, store: b, source: base, patience: .zero, progress: nil)
      let summary = try await walk.run([query])
      #expect(summary.rowCount == a.summary.rowCount)
      #expect(try b.csv() == a.csv())
    }
  }

  @Test func dataset_by_dataset_it_is_the_same_table() async throws {
    let a = try makeStore()
    try await withServer(of: a) { base in
      let client = try QuandlClient(apiKey: nil, baseURL: base)
      let b = try folder.store("b")
      for ticker in a.tickers { try await client.save(ticker, into: b) }
      #expect(try b.csv() == a.csv())
      let listed = try await client.datasets(of: "WIKI")
      #expect(Set(listed.map(\.datasetCode)) == Set(a.tickers.map(\.description)))
      #expect(try await client.metadata("WIKI/NASTY").newestAvailableDate == Self.nasty.days.last)
      let error = try await clientError { try await client.save("WIKI/NASTI", into: b) }
      #expect(error.status == 404 && error.code == "QECx02")
    }
  }

  @Test func only_new_days_are_fetched_after_a_commit_of_another_process() async throws {
    let a = try makeStore()
    try await withServer(of: a) { base in
      let client = try QuandlClient(apiKey: nil, baseURL: base)
      let b = try folder.store("b")
      try await client.saveTable(into: b)
      let last = try #require(Self.nasty.days.last?.advanced(by: 1))
      try a.upsert([
        DailyQuoteSummary(ticker: "NASTY", date: last, close: 1),
        DailyQuoteSummary(ticker: "NEW", date: last, close: 2),
      ])
      #expect(try await client.saveTable(into: b).counts == UpsertCounts(inserted: 2))
      #expect(try b.csv() == a.csv())
    }
  }

  @Test func a_download_is_the_same_table() async throws {
    let a = try makeStore()
    try await withServer(of: a) { base in
      let client = try QuandlClient(apiKey: nil, baseURL: base)
      let path = folder.path + "/table.zip"
      try await client.export(to: path)
      let b = try folder.store("b")
      try b.importFiles([path])
      #expect(try b.csv() == a.csv())
    }
  }
}

/// A `quoin-serve` that runs beside the test.
private final class RunningServer {
  let base: String
  private let process = Process()

  init(store: String) throws {
    let messages = Pipe()
    process.executableURL = URL(fileURLWithPath: ProgramRun.built("quoin-serve"))
    process.arguments = ["--store", store, "--port", "0"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = messages
    try process.run()
    // It says where it listens.
    var said = ""
    var found: Substring?
    while found == nil {
      let more = messages.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
      if let start = said.firstRange(of: "http://127.0.0.1:") {
        let port = said[start.upperBound...].prefix { $0.isNumber }
        // The line may not be whole yet.
        found = said[start.upperBound...].contains("\n") ? port : nil
      }
    }
    base = "http://127.0.0.1:\(try #require(found, "\(said)"))/api/v3"
  }

  func stop() {
    process.terminate()
    process.waitUntilExit()
  }
}
