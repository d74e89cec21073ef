import Quoin
import Testing

@testable import QuandlClient

/// `quoin-fetch --vendor`.
@Suite struct VendorCommandTests {
  private let folder: TestFolder

  init() throws { folder = try TestFolder() }

  private func fetch(_ arguments: [String], environment: [String: String] = [:]) throws -> ProgramRun {
    try ProgramRun(
      ProgramRun.built("quoin-fetch"), arguments,
      environment: environment.merging(["QUOIN_STORE": folder.path + "/store"]) { own, _ in own })
  }

  private static func stooq(_ request: ScriptedRequest, upTo last: String) -> Reply {
    guard request.value("s")?.hasSuffix(".us") == true else { return .ok("No data") }
    let days = ["2024-01-02", "2024-01-03", "2024-01-04"].filter { day in
      day <= last && day.filter { $0 != "-" } >= request.value("d1") ?? ""
    }
    if days.isEmpty { return .ok("No data") }
    return .ok((["Date,Open,High,Low,Close,Volume"] + days.map { "\($0),1,2,0.5,1.5,100" }).joined(separator: "\r\n"))
  }

  @Test func only_what_is_newer_comes_the_second_time() async throws {
    let last = Shared("2024-01-03")
    try await ScriptedServer { request, _ in Self.stooq(request, upTo: last.value) }.run { server in
      let base = "http://127.0.0.1:\(server.port)"
      let arguments = ["--vendor", "stooq", "--api-base", base, "AAPL", "^NONE"]
      let first = try fetch(arguments)
      #expect(
        first.out == """
          Fetched 2 rows of AAPL from \(base) into '\(folder.path)/store': 2 new.
          Nothing new: \(base) has no such rows of ^NONE.

          """ && first.status == 0, "\(first)")
      let second = try fetch(arguments)
      #expect(
        second.out.hasPrefix("Nothing new: \(base) has no days of AAPL after 2024-01-03, and that day is unchanged.\n"))
      last.withLock { $0 = "2024-01-04" }
      #expect(try fetch(arguments).out.hasPrefix("Fetched 1 row of AAPL"))
      #expect(
        server.requests.filter { $0.value("s") == "aapl.us" }.map { $0.value("d1") } == [nil, "20240103", "20240103"])
      let part = try fetch([
        "--vendor", "stooq", "--api-base", base, "KO", "--from", "2024-01-03", "--to", "2024-01-03",
      ])
      #expect(part.out.hasPrefix("Fetched 1 row of KO"), "\(part)")
    }
  }

  @Test func a_limit_that_is_reached_is_no_reason_to_ask_for_the_rest() async throws {
    try await ScriptedServer { _, _ in .ok("Exceeded the daily hits limit") }.run { server in
      let result = try fetch(["--vendor", "stooq", "--api-base", "http://127.0.0.1:\(server.port)", "A", "B", "C"])
      #expect(
        result.status == 2 && result.err.hasSuffix("not tried: B, C\n") && server.requests.count == 1, "\(result)")
    }
  }

  @Test(arguments: [
    (["--vendor", "tingo", "AAPL"], "tiingo"), (["--vendor", "tiingo", "--all"], "has no table"),
    (["--vendor", "stooq", "WIKI/AAPL"], "wants tickers"),
    (["--vendor", "eodhd", "AAPL"], "set EODHD_API_KEY, or name a file that has it: --api-key-file"),
    (["--vendor", "stooq", "--api-base", "http://x/?a=b", "AAPL"], "only a host and a path"),
  ])
  func wrong_usage_is_told_before_anything_is_done(_ arguments: [String], _ sentence: String) throws {
    let result = try fetch(arguments)
    #expect(result.status == 64 && result.out.isEmpty && result.err.contains(sentence), "\(result)")
    #expect(folder.files == [])
  }

  @Test func help_names_every_vendor() throws {
    let help = try fetch(["--help"]).out
    for service in VendorService.all { #expect(help.contains(service.name)) }
    #expect(help.contains("--vendor tiingo AAPL") && help.contains("TIINGO_API_KEY"))
  }
}
