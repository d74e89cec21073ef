import Foundation
import Quoin
import Testing

@testable import QuandlClient
@testable import QuoteGenerator

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
    for ticker in ["BRK-A", "BRK.A", "^GSPC", "CL=F", "EURUSD=X", "A?B=C&D", "%41", "#", "`", "<B>"] as [TickerSymbol] {
      columns[ticker] = Self.nasty
    }
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
        DailyQuoteSummary(
          ticker: "NASTY", date: day, open: price, volume: volume, adjustedVolume: volume.map { Double($0) / 2 }))
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
      var download = TableDownload(client: client, store: b, source: base, patience: .zero, progress: nil)
      let summary = try await download.run([query])
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
      try await a.upsert([
        DailyQuoteSummary(ticker: "NASTY", date: last, close: 1),
        DailyQuoteSummary(ticker: "NEW", date: last, close: 2),
      ])
      #expect(try await client.saveTable(into: b).counts == UpsertCounts(inserted: 2))
      #expect(try b.csv() == a.csv())
    }
  }

  /// The real server behind a connection that breaks, falls silent, is refused or is too busy, now and then.
  @Test(.serialized, arguments: [true, false])
  func a_bad_connection_leaves_the_same_table_or_an_error_and_whole_tickers(_ hasExport: Bool) async throws {
    let a = try folder.store("a")
    let generator = try QuoteGenerator(tickerCount: 12, rowCount: 6000, seed: 1)
    try await a.upsert(
      Dictionary(uniqueKeysWithValues: generator.tickers.enumerated().map { ($1, generator.quotes(at: $0)) }))
    let all = try a.csv()
    try await withServer(of: a) { base in
      let seeds = UInt64(1)...12
      var faultCount = 0
      var errorCount = 0
      for seed in seeds {
        let b = try folder.store("b-\(hasExport)-\(seed)")
        let faults = Shared(0)
        let proxy = FaultyProxy(to: try #require(Self.port(of: base))) { connection in
          let fault = FaultyProxy.Fault.random(seed: seed, connection)
          if case .none = fault { return fault }
          faults.withLock { $0 += 1 }
          return fault
        }
        let error = try await proxy.run { proxy in
          do {
            try await Self.copy(from: proxy.base, into: b, byExport: hasExport, silence: .seconds(2))
          } catch let error
            as QuandlClientError
          {
            return error as QuandlClientError?
          }
          return nil
        }
        let copied = try b.csv()
        if let error {
          #expect(all.hasPrefix(copied), "seed \(seed): \(error)")
          #expect(!hasExport || b.generation == 0, "seed \(seed): \(error)")
          #expect(error.savedRowCount == b.summary.rowCount, "seed \(seed): \(error)")
          try await Self.copy(from: base, into: b, byExport: hasExport, silence: .seconds(3600))
        } else {
          #expect(copied == all, "seed \(seed)")
        }
        #expect(try b.csv() == all, "seed \(seed)")
        faultCount += faults.value
        errorCount += error == nil ? 0 : 1
      }
      // Both ends are to be seen.
      #expect(
        faultCount >= 12 && errorCount > 0 && errorCount < seeds.count, "\(faultCount) faults, \(errorCount) errors")
    }
  }

  private static func copy(
    from base: String, into store: QuoteStore, byExport: Bool, silence: Duration
  ) async throws {
    var configuration = QuandlClient.Configuration()
    (configuration.timeLimits.silence, configuration.timeLimits.downloadSilence) = (silence, silence)
    configuration.retries.count = 1
    let clock = RecordingClock()
    let client = try QuandlClient(apiKey: nil, baseURL: base, configuration: configuration, timing: clock.timing)
    guard !byExport else {
      _ = try await client.saveTable(into: store)
      return
    }
    var query = DatatableQuery()
    query.pageRowCount = 700
    var download = TableDownload(client: client, store: store, source: base, patience: .zero, progress: nil)
    _ = try await download.run([query])
  }

  private static func port(of base: String) -> Int? {
    base.split(separator: ":").last.flatMap { Int($0.prefix { $0 != "/" }) }
  }

  @Test func a_download_is_the_same_table() async throws {
    let a = try makeStore()
    try await withServer(of: a) { base in
      let client = try QuandlClient(apiKey: nil, baseURL: base)
      let path = folder.path + "/table.zip"
      try await client.export(to: path)
      let b = try folder.store("b")
      try await b.importFiles([path])
      #expect(try b.csv() == a.csv())
    }
  }
}

extension FaultyProxy.Fault {
  /// One of the faults, or none.
  fileprivate static func random(seed: UInt64, _ connection: Int) -> FaultyProxy.Fault {
    var dice = SeededRandom(seed: seed, stream: UInt64(connection))
    switch dice.below(10) {
    case 0: return .cut(after: 0)
    case 1: return .cut(after: dice.below(400))
    case 2: return .cut(after: dice.below(100_000))
    case 3: return .stall(after: dice.below(50_000))
    case 4: return .answer(.error(429, "QELx04", "slow down", headers: ["retry-after: 1", "connection: close"]))
    case 5: return .answer(.error(503, "QEXx01", "down", headers: ["connection: close"]))
    default: return .none
    }
  }
}
