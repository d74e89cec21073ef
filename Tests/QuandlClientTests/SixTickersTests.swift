import Foundation
import Quoin
import Testing

@testable import QuandlClient

/// Six tickers that differ in a character, or that an address has to escape, side by side on the way of a user: `quoin import`,
/// `quoin scan`, `quoin export`, the server, and the client into other stores.
struct SixTickersTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private static let six: [TickerSymbol] = ["BRK_A", "BRK-A", "BRK.A", "^GSPC", "CL=F", "EURUSD=X"]

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func quoin(_ arguments: String..., store: String = "a") throws -> String {
    let run = try ProgramRun(ProgramRun.built("quoin"), arguments + ["--store", path(store)])
    #expect(run.status == 0 && run.err.isEmpty, "\(arguments): \(run)")
    return run.out
  }

  /// A store that the program imported: two days of each ticker, whose closes are its number and half of it.
  private func importSix() throws -> QuoteStore {
    let rows = Self.six.enumerated().flatMap { number, ticker in
      ["\(ticker),2005-10-13,\(number).5", "\(ticker),2005-10-14,\(number)"]
    }
    let text = "ticker,date,close\n" + rows.joined(separator: "\n") + "\n"
    try text.write(toFile: path("six.csv"), atomically: true, encoding: .utf8)
    _ = try quoin("import", path("six.csv"))
    return try folder.store("a")
  }

  /// What a scan or an answer says of a ticker.
  private static func rows(of number: Int) -> String {
    "ticker,date,close\n\(six[number]),2005-10-13,\(number).5\n\(six[number]),2005-10-14,\(number).0\n"
  }

  @Test func the_program_imports_scans_and_exports_each_by_its_spelling() throws {
    let a = try importSix()
    #expect(a.tickers == Self.six.sorted() && a.summary.rowCount == 12)
    for (number, ticker) in Self.six.enumerated() {
      let scanned = try quoin("scan", "\(ticker)", "--columns", "ticker,date,close", "--format", "csv")
      #expect(scanned == Self.rows(of: number))
      let file = path("\(number).csv")
      _ = try quoin("export", "\(ticker)", "--output", file)
      _ = try quoin("import", file, store: "each")
    }
    _ = try quoin("export", "--format", "json", "--output", path("datasets/"))
    let datasets = try FileManager.default.contentsOfDirectory(atPath: path("datasets")).sorted()
    #expect(datasets.count == 6)
    for file in datasets { _ = try quoin("import", path("datasets/\(file)"), store: "datasets-store") }
    for copy in ["each", "datasets-store"] { #expect(try folder.store(copy).csv() == a.csv(), "\(copy)") }
  }

  @Test func the_server_and_the_client_bring_each_by_its_spelling() async throws {
    let a = try importSix()
    let server = try RunningServer(store: a.path)
    defer { server.stop() }
    let client = try QuandlClient(apiKey: nil, baseURL: server.base)
    let (one, whole) = (try folder.store("one"), try folder.store("whole"))
    for (number, ticker) in Self.six.enumerated() {
      let columns = try await client.fetch(ticker)
      #expect(columns.days == ["2005-10-13", "2005-10-14"])
      #expect(columns[.close] == [Double(number) + 0.5, Double(number)], "\(ticker)")
      #expect(try await client.metadata(DatasetCode(ticker)).datasetCode == ticker.description)
      #expect(try await client.save(ticker, into: one) == UpsertCounts(inserted: 2), "\(ticker)")
      for try await page in client.pages(DatatableQuery().filtered("ticker", in: ["\(ticker)"])) {
        let quotes = try page.quotes()
        #expect(quotes.tickers.runs.map(\.ticker) == [ticker] && quotes.rowCount == 2)
      }
    }
    try await client.saveTable(into: whole)
    let run = try ProgramRun(
      ProgramRun.built("quoin-fetch"),
      Self.six.map(\.description) + ["--into", path("program"), "--api-base", server.base])
    #expect(run.status == 0, "\(run)")
    for copy in [one, whole, try folder.store("program")] { #expect(try copy.csv() == a.csv(), "\(copy.path)") }
  }

  @Test func a_code_that_differs_in_a_mark_brings_the_only_ticker_that_is_alike() async throws {
    let a = try folder.store("a")
    try await a.upsert([DailyQuoteSummary(ticker: "BRK.A", date: "2005-10-14", close: 1)])
    let server = try RunningServer(store: a.path)
    defer { server.stop() }
    let client = try QuandlClient(apiKey: nil, baseURL: server.base)
    let b = try folder.store("b")
    #expect(try await client.save("WIKI/BRK_A", into: b) == UpsertCounts(inserted: 1))
    #expect(b.tickers == ["BRK.A"])
    #expect(try b.csv() == a.csv())
  }
}
