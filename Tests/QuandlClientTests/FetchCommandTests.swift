import Foundation
import Quoin
import Testing

@testable import QuandlClient

/// The program `quoin-fetch`, against a little server.
@Suite struct FetchCommandTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func fetch(_ arguments: [String], environment: [String: String] = [:]) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.built("quoin-fetch"), arguments,
      environment: environment.merging(["QUOIN_STORE": folder.path + "/store"]) { own, _ in own })
  }

  /// A service with two tickers, FDX and BRK_A, up to a day.
  private static func service(_ request: ScriptedRequest, upTo last: TradingDay) -> Reply {
    let code = request.path.split(separator: "/").dropLast().last ?? ""
    guard code == "FDX" || code == "BRK_A" else {
      return .error(404, "QECx02", "You have submitted an incorrect Quandl code. Did you mean 'FDX'?")
    }
    let days: [TradingDay] = ["2005-10-12", "2005-10-13", "2005-10-14"]
    var columns = QuoteColumns()
    for day in days where day <= last && "\(day)" >= request.value("start_date") ?? "" {
      if let end = request.value("end_date"), "\(day)" > end { continue }
      columns.append(DailyQuoteSummary(ticker: "FDX", date: day, close: 87.6, volume: 1_373_400))
    }
    return (try? SaveTests.dataset(columns)).map { Reply.ok($0) } ?? .close
  }

  private func run(
    upTo last: TradingDay = "2005-10-14", _ body: @escaping @Sendable (ScriptedServer) throws -> Void
  ) async throws {
    try await ScriptedServer { request, _ in Self.service(request, upTo: last) }.run(body)
  }

  @Test func tickers_are_fetched_and_told() async throws {
    let path = folder.path + "/other"
    try await run { server in
      let result = try fetch(["FDX", "wiki/brk_a", "--into", path, "--api-base", server.base])
      #expect(result.status == 0 && result.err.isEmpty, "\(result)")
      #expect(
        result.out == """
          Fetched 3 rows of FDX from \(server.base) into '\(path)': 3 new.
          Fetched 3 rows of BRK_A from \(server.base) into '\(path)': 3 new.

          """)
      let store = try QuoteStore(at: path, mustExist: true)
      #expect(store.tickers == ["BRK_A", "FDX"] && store.generation == 2)
      #expect(server.requests.map(\.path) == ["FDX", "BRK_A"].map { "/api/v3/datasets/WIKI/\($0)/data" })
    }
  }

  /// The service finds BRK.A for BRK_A, and says so.
  @Test func a_ticker_is_stored_by_the_name_that_the_service_has_for_it() async throws {
    let columns = { () -> QuoteColumns in
      var columns = QuoteColumns()
      columns.append(DailyQuoteSummary(ticker: "BRK.A", date: "2005-10-14", close: 87.6))
      return columns
    }()
    let text = try SaveTests.dataset(columns).replacing("{\"limit\"", with: "{\"dataset_code\":\"BRK.A\",\"limit\"")
    try await ScriptedServer { _, _ in .ok(text) }.run { server in
      let result = try fetch(["BRK_A", "--api-base", server.base])
      #expect(
        result.out == "Fetched 1 row of BRK.A from \(server.base) into '\(folder.path)/store': 1 new.\n", "\(result)")
      #expect(try folder.store().tickers == ["BRK.A"])
      let other = try fetch(["FDX", "--api-base", server.base])
      #expect(other.status == 2 && other.err.contains("the answer has quotes of 'BRK.A' in place of FDX"), "\(other)")
    }
  }

  @Test func a_second_run_asks_only_for_what_is_newer() async throws {
    let day = Shared<TradingDay>("2005-10-13")
    try await ScriptedServer { request, _ in Self.service(request, upTo: day.withLock { $0 }) }.run { server in
      #expect(try fetch(["FDX", "--api-base", server.base]).out.contains("2 new"))
      let second = try fetch(["FDX", "--api-base", server.base])
      #expect(second.status == 0)
      #expect(
        second.out == "Nothing new: \(server.base) has no days of FDX after 2005-10-13, and that day is unchanged.\n")
      #expect(server.requests.count == 2 && server.requests.last?.value("start_date") == "2005-10-13")
      day.withLock { $0 = "2005-10-14" }
      #expect(try fetch(["FDX", "--api-base", server.base]).out.contains("Fetched 1 row of FDX"))
      let count = server.requests.count
      #expect(try fetch(["FDX", "--to", "2005-10-14", "--api-base", server.base]).out.hasPrefix("Nothing new"))
      #expect(server.requests.count == count)
      let again = try fetch(["FDX", "--from", "2005-10-13", "--to", "2005-10-13", "--api-base", server.base])
      #expect(again.out.contains("Fetched 1 row of FDX") && again.out.contains("nothing changed"))
      #expect(server.requests.last?.value("end_date") == "2005-10-13")
    }
  }

  @Test func one_unknown_ticker_does_not_keep_the_others_from_coming() async throws {
    try await run { server in
      let result = try fetch(["FDX", "NOPE", "BRK_A", "--api-base", server.base])
      #expect(result.status == 2)
      #expect(
        result.err == "quoin: \(server.base)/datasets/WIKI/NOPE/data?order=asc: QECx02: "
          + "You have submitted an incorrect Quandl code. Did you mean 'FDX'? (HTTP status 404)\n")
      #expect(result.out.split(separator: "\n").count == 2)
      #expect(try folder.store().tickers == ["BRK_A", "FDX"])
    }
  }

  @Test func a_service_that_is_gone_is_not_asked_for_the_rest() async throws {
    try await ScriptedServer { request, index in
      index == 0 ? Self.service(request, upTo: "2005-10-14") : .error(401, "QEAx01", "We could not recognize your key.")
    }.run { server in
      let result = try fetch(["FDX", "BRK_A", "MSFT", "--api-base", server.base])
      #expect(result.status == 2 && result.out.contains("3 rows of FDX") && server.requests.count == 2)
      #expect(result.err.hasSuffix("quoin: not tried: MSFT\n"), "\(result.err)")
    }
  }

  @Test func waiting_is_told() async throws {
    try await ScriptedServer { request, index in
      index == 0
        ? .error(429, "QELx04", "Slow down.", headers: ["retry-after: 0"])
        : Self.service(request, upTo: "2005-10-14")
    }.run { server in
      let result = try fetch(["FDX", "--api-base", server.base])
      #expect(result.status == 0 && result.out.contains("3 new"))
      #expect(result.err == "quoin: QELx04: Slow down; trying again in 0.00 ms (attempt 2)\n")
    }
  }

  @Test func the_key_comes_from_a_file_or_the_environment() async throws {
    let file = folder.path + "/key"
    try Data("  s3cr3t-1  \nrest".utf8).write(to: URL(fileURLWithPath: file))
    try await run { server in
      #expect(try fetch(["FDX", "--api-base", server.base, "--api-key-file", file]).status == 0)
      for name in ["NASDAQ_DATA_LINK_API_KEY", "QUANDL_API_KEY"] {
        #expect(try fetch(["FDX", "--api-base", server.base], environment: [name: "s3cr3t-2"]).status == 0)
      }
      #expect(server.requests.map { $0.header("x-api-token") } == ["s3cr3t-1", "s3cr3t-2", "s3cr3t-2"])
      let missing = try fetch(["FDX", "--api-base", server.base, "--api-key-file", "/nowhere/key"])
      #expect(missing.status == 2 && missing.err.hasPrefix("quoin: cannot read the API key from '/nowhere/key'"))
      let bad = try fetch(["FDX", "--api-base", server.base], environment: ["QUANDL_API_KEY": "s3cr3t\u{1}"])
      #expect(bad.status == 64 && !bad.err.contains("s3cr3t"))
    }
  }

  @Test(arguments: [
    ([], "name the tickers to fetch"), (["--all", "FDX"], "--all fetches every ticker"), (["F DX"], "isn't a dataset"),
    (["A/B/C"], "isn't a dataset"), (["WIKI/LONGER_THAN_THE_NAME_OF_ANY_TICKER"], "more than 32 characters"),
    (["FDX", "--from", "yesterday"], "isn't a date"), (["FDX", "--from", "2006-01-01", "--to", "2005-01-01"], "later"),
    (["FDX", "--api-base", "localhost:80"], "the address of a service"), (["FDX", "--wait", "-1"], "--wait"),
    (["FDX", "--alll"], "--all"),
  ])
  func wrong_usage_is_told_before_anything_is_done(_ arguments: [String], _ sentence: String) throws {
    let result = try fetch(arguments)
    #expect(result.status == 64 && result.out.isEmpty, "\(result)")
    #expect(result.err.hasPrefix("quoin: ") && result.err.contains(sentence), "\(result.err)")
    #expect(folder.files == [])
  }

  @Test func help_has_examples() throws {
    let result = try fetch(["--help"])
    #expect(result.status == 0 && result.out.contains("USAGE: quoin fetch") && result.out.contains("Examples:"))
    #expect(!result.out.contains("--alll") && result.out.contains("--into"))
  }

  @Test func a_whole_table_comes_by_export_and_again_brings_nothing() async throws {
    let service = try TestService(tickers: 4, rows: 500)
    try await ScriptedServer { request, _ in service.answer(request) }.run { server in
      let first = try fetch(["--all", "--api-base", server.base])
      #expect(first.status == 0 && first.err.isEmpty, "\(first)")
      #expect(
        first.out == "Fetched 500 rows of 4 tickers from \(server.base) into '\(folder.path)/store': 500 new.\n")
      #expect(try folder.store().csv() == service.csv)
      let second = try fetch(["--all", "--api-base", server.base])
      let end = service.quotes.map(\.date).max()
      let count = Set(service.quotes.filter { $0.date == end }.map(\.ticker)).count
      #expect(
        second.out
          == "Nothing new: \(server.base) has no later days than '\(folder.path)/store', and the last day of "
          + "\(count) ticker\(count == 1 ? "" : "s") is unchanged.\n")
    }
  }

  @Test func a_held_store_is_waited_for_or_told() async throws {
    // The lock's holder is this process; the program is another.
    try await run { server in
      let refused = try folder.store().write { _ in try fetch(["FDX", "BRK_A", "--api-base", server.base]) }
      expectStoreError(refused, "another writer holds '\(folder.path)/store': ", "; try again when it is done")
    }
    let service = try TestService(tickers: 4, rows: 500)
    try await ScriptedServer { request, _ in service.answer(request) }.run { server in
      let refused = try folder.store().write { _ in try fetch(["--all", "--api-base", server.base]) }
      expectStoreError(refused, "another writer holds '\(folder.path)/store': ", "; try again when it is done")
    }
  }

  @Test func of_a_damaged_store_it_says_which_command_helps() async throws {
    let service = try TestService(tickers: 4, rows: 500)
    try await ScriptedServer { request, _ in service.answer(request) }.run { server in
      #expect(try fetch(["--all", "--api-base", server.base]).status == 0)
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path + "/store")
      where name.hasSuffix(".columns") {
        let file = URL(fileURLWithPath: "\(folder.path)/store/\(name)")
        try Data(count: try Data(contentsOf: file).count).write(to: file)
      }
      expectStoreError(
        try fetch(["--all", "--api-base", server.base]), "'\(folder.path)/store/",
        "; 'quoin verify' lists all damage, and 'quoin repair' saves what is sound into a new store")
    }
  }

  /// One line: the store's sentence, without an address or a number of attempts, and at its end what helps.
  private func expectStoreError(_ run: ProgramRun, _ beginning: String, _ end: String) {
    #expect(run.status == 2 && run.out.isEmpty && run.err.split(separator: "\n").count == 1, "\(run)")
    #expect(run.err.hasPrefix("quoin: \(beginning)") && run.err.hasSuffix("\(end)\n"), "\(run.err)")
  }
}
